"""Text and JSON of a stretch of a document."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.core.documents import Page
from pincite.core.errors import UsageError
from pincite.core.reports import Extract
from pincite.faces.json_form import SCHEMA, Json, document_json
from pincite.faces.text_form import clean

_ADDRESS = re.compile(r"pincite://(?P<store>[^/]*)/(?P<document>[0-9]+)(?:\?(?P<query>.*))?")


def extract_text(extract: Extract) -> str:
    """The exact text, with a line where each page begins."""
    parts: list[str] = []
    place = extract.start
    for page in extract.pages:
        begin = min(max(page.start, place), extract.end)
        parts += [_shown(extract, place, begin), _mark(page)]
        place = begin
    parts.append(_shown(extract, place, extract.end))
    return "\n".join(part for part in parts if part)


def more_hint(extract: Extract) -> str:
    """What was held back and how to go on; empty when nothing was."""
    left = extract.until - extract.end
    if not left:
        return ""
    command = f"pincite read {extract.document.id} --revision {extract.revision} --from {extract.end}"
    return f"{left:,} more characters: {command} --to {extract.until}"


def _shown(extract: Extract, start: int, end: int) -> str:
    return clean(extract.text[start - extract.start : end - extract.start].strip("\n"))


def _mark(page: Page) -> str:
    return f"--- page {page.number}{f' (printed {page.label})' if page.label else ''} ---"


def extract_json(extract: Extract) -> Json:
    return {
        "schema": SCHEMA,
        "document": document_json(extract.document),
        "revision": extract.revision,
        "start": extract.start,
        "end": extract.end,
        "text": extract.text,
        "pages": [
            {"number": page.number, "label": page.label or None, "start": page.start, "end": page.end}
            for page in extract.pages
        ],
        "more": extract.until - extract.end,
        "until": extract.until,
    }


@dataclass(frozen=True, slots=True)
class Address:
    """What an address of a passage names."""

    store: str
    document: str
    revision: int | None
    start: int | None
    end: int | None


def parse_address(text: str) -> Address | None:
    """The reverse of `json_form.address`; None for anything that does not look like one. Raises UsageError."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        return None
    pairs = dict(pair.partition("=")[::2] for pair in (match["query"] or "").split("&") if pair)
    numbers = {name: value for name, value in pairs.items() if name in ("rev", "start", "end")}
    if numbers != pairs or not all(value.isascii() and value.isdigit() for value in numbers.values()):
        raise UsageError(f'"{text}" is not the address of a passage.', "pincite://STORE/DOC?rev=N&start=N&end=N")
    rev, start, end = (int(numbers[name]) if name in numbers else None for name in ("rev", "start", "end"))
    return Address(match["store"], match["document"], rev, start, end)
