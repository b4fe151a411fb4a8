"""Filters as SQL, applied before ranking. Values are bound, never pasted."""

from __future__ import annotations

from typing import Any

from pincite.core.ports import Filter

LIVE = "d.trashed = '' AND d.live IS NOT NULL"


def conditions(where: Filter) -> tuple[str, list[Any]]:
    """A condition on the documents `d` that is true for live ones inside the filter, and its values."""
    parts, values = [LIVE], list[Any]()
    if where.documents:
        parts.append(f"d.id IN ({','.join('?' * len(where.documents))})")
        values.extend(where.documents)
    if where.collection:
        parts.append("d.collection = ?")
        values.append(where.collection)
    if where.corpus is not None:
        parts.append("d.corpus = ?")
        values.append(where.corpus.value)
    for tag in where.tags:
        parts.append("EXISTS (SELECT 1 FROM tags t WHERE t.document = d.id AND t.tag = ?)")
        values.append(tag)
    if where.glob:
        parts.append("d.uri GLOB ?")
        values.append(where.glob)
    return " AND ".join(parts), values


def restricts(where: Filter) -> bool:
    """Whether a filter leaves anything out at all."""
    return where != Filter()
