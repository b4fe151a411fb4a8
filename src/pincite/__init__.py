"""pincite: answers from your own documents with pinpoint citations, or NOT_FOUND.

from pincite import open_library

with open_library("codes", write=True) as library:
    library.ingest(["fire-code.pdf"])
    print(library.ask("How wide must a gate be?"))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

_HOMES = {
    "Answer": "pincite.core.answers",
    "Change": "pincite.core.reports",
    "Citation": "pincite.core.answers",
    "Claim": "pincite.core.answers",
    "Document": "pincite.core.documents",
    "Filter": "pincite.core.ports",
    "Hit": "pincite.core.answers",
    "IngestReport": "pincite.core.reports",
    "Library": "pincite.library",
    "Locator": "pincite.core.documents",
    "NotFound": "pincite.core.answers",
    "Outcome": "pincite.core.documents",
    "OutcomeKind": "pincite.core.documents",
    "PinciteError": "pincite.core.errors",
    "Reason": "pincite.core.answers",
    "SearchResult": "pincite.core.answers",
    "open_library": "pincite.wiring",
}
__all__ = [
    "Answer",
    "Change",
    "Citation",
    "Claim",
    "Document",
    "Filter",
    "Hit",
    "IngestReport",
    "Library",
    "Locator",
    "NotFound",
    "Outcome",
    "OutcomeKind",
    "PinciteError",
    "Reason",
    "SearchResult",
    "__version__",
    "open_library",
]

if TYPE_CHECKING:
    from pincite.core.answers import Answer, Citation, Claim, Hit, NotFound, Reason, SearchResult
    from pincite.core.documents import Document, Locator, Outcome, OutcomeKind
    from pincite.core.errors import PinciteError
    from pincite.core.ports import Filter
    from pincite.core.reports import Change, IngestReport
    from pincite.library import Library
    from pincite.wiring import open_library


def __getattr__(name: str) -> object:
    """Public names are imported when first used, so that `pincite --help` stays quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pincite' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
