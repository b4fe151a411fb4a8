"""Where a passage stands, in words for people and as JSON: whatever coordinates its format has."""

from __future__ import annotations

from typing import Any

from pincite.core.documents import Locator
from pincite.core.places import Place

Json = dict[str, Any]
_UNITS = {"message": "message", "note": "note", "comment": "comment", "slide": "slide"}


def place_text(locator: Locator) -> str:
    """Such as `p. 92 (printed Sec1:88)`, `lines 10-14`, `sheet "Prices" B3:F9`, `slide 4`, `table 2, row 3`; empty
    if nothing tells."""
    parts = [_page(locator), *_place(locator.place, locator.lines)]
    if locator.ocr is not None:
        parts.append(f"recognised from a picture ({locator.ocr:.0%} sure)")
    return ", ".join(part for part in parts if part)


def _page(locator: Locator) -> str:
    if locator.first_page is None or (locator.place and locator.place.unit == "slide"):
        return ""
    single = locator.first_page == locator.last_page
    pages = f"p. {locator.first_page}" if single else f"pp. {locator.first_page}-{locator.last_page}"
    labels = dict.fromkeys(label for label in (locator.first_label, locator.last_label) if label)
    return f"{pages} (printed {'-'.join(labels)})" if labels else pages


def _place(place: Place | None, lines: tuple[int, int] | None) -> list[str]:
    parts = []
    if place is not None:
        if place.unit == "sheet":
            parts.append(f'sheet "{place.name}" {place.cells}'.rstrip())
        else:
            parts += [_unit(place), f"table {place.table}" if place.table else ""]
            parts += [_range("row", place.rows), _range("paragraph", place.paragraphs)]
        parts.append(place.field)
    return [*parts, _range("line", lines)]


def _unit(place: Place) -> str:
    return f"{_UNITS[place.unit]} {place.name}".rstrip() if place.unit in _UNITS else place.name


def _range(what: str, span: tuple[int, int] | None) -> str:
    if span is None:
        return ""
    return f"{what} {span[0]}" if span[0] == span[1] else f"{what}s {span[0]}-{span[1]}"


def locator_json(locator: Locator) -> Json:
    return {
        "start": locator.start,
        "end": locator.end,
        "pages": [locator.first_page, locator.last_page] if locator.first_page is not None else None,
        "page_labels": [locator.first_label, locator.last_label] if locator.first_label else None,
        "headings": list(locator.headings),
        "lines": list(locator.lines) if locator.lines else None,
        "anchor": locator.anchor or None,
        "place": _place_json(locator.place) if locator.place else None,
        "table_header": locator.header.text if locator.header else None,
        "recognised": locator.ocr,
        "boxes": [
            {"page": box.page, "left": box.left, "top": box.top, "right": box.right, "bottom": box.bottom}
            for box in locator.boxes
        ],
    }


def _place_json(place: Place) -> Json:
    """Only what the format has: a slide has no cells, a sheet no paragraphs."""
    said = {
        place.unit or "part": place.name,
        "paragraphs": list(place.paragraphs) if place.paragraphs else None,
        "table": place.table,
        "rows": list(place.rows) if place.rows else None,
        "cells": place.cells,
        "field": place.field,
    }
    return {key: value for key, value in said.items() if value}
