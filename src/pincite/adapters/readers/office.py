"""What the parts of Office Open XML have in common: properties and relations."""

from __future__ import annotations

import posixpath

from pincite.adapters.readers.archive import Archive, attribute, local

_PROPERTIES = {"creator": "author", "created": "created", "modified": "modified", "subject": "subject"}


def core_properties(archive: Archive) -> tuple[str, dict[str, str]]:
    """The title, and author and dates, as the file tells them."""
    if "docProps/core.xml" not in archive:
        return "", {}
    values = {local(element): (element.text or "").strip() for element in archive.xml("docProps/core.xml")}
    return values.get("title", ""), {word: values[key] for key, word in _PROPERTIES.items() if values.get(key)}


def relations(archive: Archive, part: str) -> dict[str, tuple[str, str]]:
    """For each relation of a part: its kind (the last word of its type) and the part it leads to."""
    folder, _, name = part.rpartition("/")
    listing = f"{folder}/_rels/{name}.rels"
    found: dict[str, tuple[str, str]] = {}
    if listing not in archive:
        return found
    for relation in archive.xml(listing):
        if attribute(relation, "TargetMode") == "External":
            continue
        target = attribute(relation, "Target")
        path = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
        found[attribute(relation, "Id")] = (attribute(relation, "Type").rpartition("/")[2], path)
    return found
