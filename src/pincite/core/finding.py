"""From what a person calls a document to the document."""

from __future__ import annotations

import difflib
import fnmatch
import re
import unicodedata
from collections.abc import Callable

from pincite.core.documents import Document
from pincite.core.drafts import Filter
from pincite.core.errors import UnknownName

_ID = re.compile(r"[0-9]{1,18}")
"""What may be the id of a document: any number that SQLite holds."""


def find_document(
    reference: str,
    documents: Callable[[Filter], list[Document]],
    where: str = "",
    hint: str = "See what is there with: pincite list",
) -> Document:
    """By id, uri, or an unambiguous end of a uri, among these documents. Raises UnknownName, naming near ones."""
    wanted = unicodedata.normalize("NFC", reference.replace("\\", "/")).encode("utf-8", "replace").decode("utf-8")
    if _ID.fullmatch(reference) and (found := documents(Filter(documents=(int(reference),)))):
        return found[0]
    everything = documents(Filter())
    found = [document for document in everything if document.uri == wanted] or [
        document for document in everything if document.uri.endswith("/" + wanted.lstrip("/"))
    ]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(f"{document.id} ({document.uri})" for document in found[:5])
        raise UnknownName(f'"{reference}" means several documents: {names}.', "Give the number of one.")
    near = difflib.get_close_matches(reference, [document.name for document in everything], n=3, cutoff=0.5)
    raise UnknownName(
        f'There is no document "{reference}"{" " + where if where else ""}.',
        f"Did you mean {', '.join(near)}?" if near else hint,
    )


def matches_glob(uri: str, pattern: str) -> bool:
    """As SQLite's GLOB: case counts, and a class of characters is turned round by ^, where fnmatch has !."""
    return fnmatch.fnmatchcase(uri, pattern.replace("[!", "[\\!").replace("[^", "[!"))
