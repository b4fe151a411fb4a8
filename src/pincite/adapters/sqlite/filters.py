"""Filters as SQL, applied before ranking. Values are bound, never pasted."""

from __future__ import annotations

from typing import Any

from pincite.core.ports import Filter


def conditions(where: Filter) -> tuple[str, list[Any]]:
    """A condition on the lives `l` that is true for those inside the filter, and its values."""
    parts, values = ["true"], list[Any]()
    if where.documents:
        parts.append(f"l.document IN ({','.join('?' * len(where.documents))})")
        values.extend(where.documents)
    if where.collection:
        parts.append("l.collection = ?")
        values.append(where.collection)
    if where.corpus is not None:
        parts.append("l.corpus = ?")
        values.append(where.corpus.value)
    for tag in where.tags:
        parts.append("EXISTS (SELECT 1 FROM json_each(l.tags) WHERE value = ?)")
        values.append(tag)
    if where.glob:
        parts.append("l.uri GLOB ?")
        values.append(where.glob)
    if where.under:
        parts.append(BELOW.format("l.uri"))
        values.extend(below(where.under))
    if where.outcomes:
        parts.append(f"json_extract(l.outcome, '$[0]') IN ({','.join('?' * len(where.outcomes))})")
        values.extend(kind.value for kind in where.outcomes)
    if where.updated_before:
        parts.append("l.updated < ?")
        values.append(where.updated_before)
    return " AND ".join(parts), values


BELOW = "({0} = ? OR ({0} >= ? AND {0} < ?) OR ({0} >= ? AND {0} < ?))"
"""A uri that is this one, in it as in a folder, or in it as an attachment."""


def below(uri: str) -> tuple[str, str, str, str, str]:
    """The values for BELOW: ranges instead of prefixes, so that an index serves them."""
    bare = uri.rstrip("/")
    return bare, f"{bare}/", f"{bare}0", f"{bare}#", f"{bare}$"


def restricts(where: Filter) -> bool:
    """Whether a filter leaves anything out at all."""
    return where != Filter()
