"""Which moment an answer speaks of, and what became of its words since: as text and as JSON."""

from __future__ import annotations

from typing import Any

from pincite.core.answers import Citation

Json = dict[str, Any]


def age_text(citation: Citation) -> str:
    """Such as `revision 5 is newer and no longer has these words`; empty when nothing has changed."""
    if citation.in_trash:
        return "the document is in the trash now"
    if citation.newer is None:
        return ""
    has = "still has these words" if citation.still_there else "no longer has these words"
    return f"revision {citation.newer} is live now and {has}"


def age_json(citation: Citation) -> Json:
    return {
        "newer_revision": citation.newer,
        "still_there": citation.still_there,
        "in_trash": citation.in_trash,
    }


def moment_text(as_of: str, moment: int) -> str:
    """Empty for a question about now."""
    return f"As of {as_of}: what was live after change {moment} of the store." if as_of else ""


def moment_json(as_of: str, moment: int) -> Json:
    return {"as_of": as_of or None, "moment": moment}
