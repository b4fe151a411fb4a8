"""The exact text of a document: all of it, a page, a section, or a span."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.core.documents import Block, BlockKind, Document, Page, Revision
from pincite.core.errors import UnknownName, UsageError
from pincite.core.reports import Extract
from pincite.core.storage import Store
from pincite.pipelines.keeping import find_kept

LIMIT = 20_000
"""Characters that are given at once, if nothing else is said."""


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of a text is wanted: a page, a section, or a span; all of it if nothing is said."""

    page: int | None = None
    section: str = ""
    start: int | None = None
    end: int | None = None


ALL_OF_IT = Part()


def open_revision(store: Store, reference: str, number: int | None) -> tuple[Document, Revision]:
    """The live revision of a live document; or the one of that number, which a document in the trash has too.
    Raises UnknownName."""
    document = store.find(reference) if number is None else find_kept(store, reference)
    return document, store.revision(document.id, document.revision if number is None else number)


def read_extract(store: Store, reference: str, number: int | None, part: Part, limit: int) -> Extract:
    """At most `limit` characters of the part. Raises UnknownName, UsageError."""
    document, revision = open_revision(store, reference, number)
    start, until = _span(document, revision, part)
    end = _cut(revision.text, start, until, limit)
    pages = tuple(page for page in revision.reading.pages if _touches(page, start, end))
    return Extract(document, revision.number, start, end, revision.text[start:end], pages, until)


def _span(document: Document, revision: Revision, part: Part) -> tuple[int, int]:
    if sum([part.page is not None, bool(part.section), part.start is not None or part.end is not None]) > 1:
        raise UsageError("A page, a section and a span exclude each other.", "Give one of them.")
    if part.page is not None:
        return _page(document, revision.reading.pages, part.page)
    if part.section:
        return _section(document, revision, part.section)
    size = len(revision.text)
    start, end = part.start or 0, size if part.end is None else min(part.end, size)
    if not 0 <= start <= end:
        raise UsageError(f"{document.name} has no characters {start} to {end}.", f"Its text has {size} characters.")
    return start, end


def _page(document: Document, pages: Sequence[Page], number: int) -> tuple[int, int]:
    for page in pages:
        if page.number == number:
            return page.start, page.end
    has = f"It has pages 1 to {len(pages)}." if pages else "Its format has no pages; try a section."
    raise UnknownName(f"{document.name} has no page {number}.", has)


def _section(document: Document, revision: Revision, wanted: str) -> tuple[int, int]:
    """From the heading that fits best to the next one that is not below it."""
    headings = [block for block in revision.reading.blocks if block.kind is BlockKind.HEADING]
    named = [(_rank(_title(revision.text, block), wanted), place) for place, block in enumerate(headings)]
    rank, place = min(named, default=(3, 0))
    if rank > 2:
        names = "; ".join(_title(revision.text, block)[:40] for block in headings[:8])
        raise UnknownName(
            f'{document.name} has no section "{wanted}".', f"Its first sections: {names}" if names else "It has none."
        )
    below = (block for block in headings[place + 1 :] if block.level <= headings[place].level)
    return headings[place].start, next((block.start for block in below), len(revision.text))


def _title(text: str, block: Block) -> str:
    return " ".join(text[block.start : block.title_end or block.end].split())


def _rank(title: str, wanted: str) -> int:
    """0 for the very title, 1 for its beginning, 2 for a part of it, 3 for none."""
    title, wanted = title.casefold(), " ".join(wanted.split()).casefold()
    if title == wanted:
        return 0
    if title.startswith(wanted) and not title[len(wanted)].isalnum():
        return 1
    return 2 if wanted in title else 3


def _cut(text: str, start: int, until: int, limit: int) -> int:
    """Where to stop: at the limit, or at the end of a line shortly before it."""
    if until - start <= limit:
        return until
    line = text.rfind("\n", start + limit * 3 // 4, start + limit)
    return start + limit if line < 0 else line + 1


def _touches(page: Page, start: int, end: int) -> bool:
    if page.start == page.end or start == end:
        return start <= page.start <= end and page.end <= max(end, page.start)
    return page.start < end and start < page.end
