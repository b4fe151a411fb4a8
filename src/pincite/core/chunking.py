"""Blocks to chunks: inside one section, whole sentences, every coordinate kept.

A chunk is a span of the canonical text; its headings, pages, boxes and lines are read off the blocks that it
covers. It never crosses a heading. Headings that have no text of their own open the chunk that follows them,
so that a quote can show its title. Running heads and page numbers (FURNITURE) are passed over: where one
falls inside a chunk it splits it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pincite.core.documents import Block, BlockKind, Chunk, Reading, chunk_id
from pincite.core.headings import heading_paths
from pincite.core.locating import locate
from pincite.core.sentences import cut_span, line_spans, sentence_spans

CountTokens = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class Profile:
    """How large chunks are, in characters."""

    name: str
    target: int
    """A chunk is closed once it has this many."""
    cap: int
    """No chunk has more, save a single unbreakable word run, which is cut here."""
    parents: int = 0
    """Children to a parent; 0 for no parents."""
    overlap: int = 0
    """A chunk begins with the last sentences of the one before, as many as fit in so many characters."""


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("sections", target=900, cap=1200),
        Profile("long-sections", target=1800, cap=2400),
        Profile("children", target=200, cap=300, parents=3),
        Profile("windows", target=700, cap=1200, overlap=200),
    )
}
DEFAULT_PROFILE = "sections"


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence or line, with the block that it stands in."""

    start: int
    end: int
    block: int


def chunk_reading(
    reading: Reading, sha256: str, profile: Profile, count_tokens: CountTokens | None = None, window: int = 0
) -> tuple[Chunk, ...]:
    """The chunks of a reading, in order, parents before their children.

    With `count_tokens` and `window` (tokens) a chunk whose searchable text is longer than the window is
    split further, so that an embedder never has to cut. Every sentence is in exactly one indexed chunk, unless
    the profile lets chunks overlap.
    """
    maker = _Maker(reading, sha256, profile)
    groups = [group for section in maker.sections() for group in _packed(section, profile)]
    if count_tokens is not None and window:
        groups = maker.fitted(groups, count_tokens, window)
    return tuple(maker.numbered(groups))


def _packed(units: Sequence[_Unit], profile: Profile) -> Iterator[list[_Unit]]:
    """Consecutive units up to the target; a tail that fits joins the group before it."""
    groups: list[list[_Unit]] = []
    for unit in units:
        size = unit.end - groups[-1][0].start if groups else 0
        begun = groups[-1][-1].end - groups[-1][0].start if groups else 0
        if not groups or size > profile.cap or begun >= profile.target:
            groups.append([unit])
        else:
            groups[-1].append(unit)
    if len(groups) > 1:
        tail = groups[-1][-1].end - groups[-1][0].start
        whole = groups[-1][-1].end - groups[-2][0].start
        if tail < profile.target // 4 and whole <= profile.cap:
            groups[-2:] = [groups[-2] + groups[-1]]
    yield from _overlapping(groups, profile) if profile.overlap else groups


def _overlapping(groups: Sequence[list[_Unit]], profile: Profile) -> Iterator[list[_Unit]]:
    """Each group with the end of the one before it, as far as the cap lets it."""
    for place, group in enumerate(groups):
        before: list[_Unit] = []
        for unit in reversed(groups[place - 1] if place else []):
            begins = unit.start
            if group[0].start - begins > profile.overlap or group[-1].end - begins > profile.cap:
                break
            before.insert(0, unit)
        yield [*before, *group]


class _Maker:
    """The blocks of one reading, and the locators and chunks made of them."""

    def __init__(self, reading: Reading, sha256: str, profile: Profile) -> None:
        self.reading = reading
        self.text = reading.text
        self.blocks = reading.blocks
        self.paths = heading_paths(reading.text, reading.blocks)
        self.sha256 = sha256
        self.profile = profile

    def sections(self) -> Iterator[list[_Unit]]:
        """Runs of units that may share a chunk: one heading path, no furniture between."""
        pending: list[_Unit] = []
        for indices in self._runs():
            units = [unit for index in indices for unit in self._units(index)]
            if pending and not self._continues(indices[0], pending[-1].block):
                yield pending
                pending = []
            if self._only_headings(indices) and sum(u.end - u.start for u in [*pending, *units]) < 400:
                pending += units
                continue
            yield [*pending, *units]
            pending = []
        if pending:
            yield pending

    def _runs(self) -> list[list[int]]:
        """Block indices between furniture, cut where a heading begins, or another sheet, slide or message."""
        runs: list[list[int]] = []
        broken = True
        for index, block in enumerate(self.blocks):
            if block.kind is BlockKind.FURNITURE:
                broken = True
                continue
            if broken or block.kind is BlockKind.HEADING or _part(block) != _part(self.blocks[runs[-1][-1]]):
                runs.append([])
            runs[-1].append(index)
            broken = False
        return runs

    def _only_headings(self, indices: Sequence[int]) -> bool:
        return all(
            self.blocks[index].kind is BlockKind.HEADING and not self.blocks[index].title_end for index in indices
        )

    def _continues(self, index: int, heading: int) -> bool:
        """Whether a block follows a heading at once and lies under it."""
        path = self.paths[heading]
        same_part = _part(self.blocks[index]) == _part(self.blocks[heading])
        return same_part and index == heading + 1 and self.paths[index][: len(path)] == path

    def _units(self, index: int) -> Iterator[_Unit]:
        block = self.blocks[index]
        if block.kind in (BlockKind.TABLE, BlockKind.CODE):
            spans = line_spans(self.text, block.start, block.end)
        else:
            spans = sentence_spans(self.text, block.start, block.end)
        for start, end in spans:
            for first, last in cut_span(self.text, start, end, self.profile.cap):
                yield _Unit(first, last, index)

    def fitted(self, groups: list[list[_Unit]], count_tokens: CountTokens, window: int) -> list[list[_Unit]]:
        """Groups whose searchable text is inside the window; one batch of counting a round."""
        done: dict[int, list[list[_Unit]]] = {}
        waiting = list(enumerate(groups))
        while waiting:
            counts = count_tokens([self._chunk(group, 0).searchable for _, group in waiting])
            over: list[tuple[int, list[_Unit]]] = []
            for (place, group), count in zip(waiting, counts, strict=True):
                if count <= window or group[-1].end - group[0].start <= 40:
                    done.setdefault(place, []).append(group)
                else:
                    over.extend((place, half) for half in _halves(self.text, group))
            waiting = over
        return [g for place in sorted(done) for g in sorted(done[place], key=lambda g: g[0].start)]

    def numbered(self, groups: Sequence[list[_Unit]]) -> Iterator[Chunk]:
        if not self.profile.parents:
            yield from (self._chunk(group, ordinal) for ordinal, group in enumerate(groups))
            return
        ordinal = 0
        for family in self._families(groups):
            whole = [unit for group in family for unit in group]
            parent = self._chunk(whole, ordinal, role="parent", indexed=False)
            yield parent
            for group in family:
                ordinal += 1
                yield self._chunk(group, ordinal, parent=parent.id)
            ordinal += 1

    def _path(self, group: Sequence[_Unit]) -> tuple[str, ...]:
        """The path of the first unit that is text; of the last heading when there is none."""
        for unit in group:
            block = self.blocks[unit.block]
            if block.kind is not BlockKind.HEADING or block.title_end:
                return self.paths[unit.block]
        return self.paths[group[-1].block]

    def _families(self, groups: Sequence[list[_Unit]]) -> Iterator[list[list[_Unit]]]:
        """Up to `parents` neighbours under one heading path, in one part of the file."""
        for _, same in groupby(groups, key=lambda g: (self.paths[g[-1].block], _part(self.blocks[g[-1].block]))):
            members = list(same)
            for first in range(0, len(members), self.profile.parents):
                yield members[first : first + self.profile.parents]

    def _chunk(
        self,
        group: Sequence[_Unit],
        ordinal: int,
        *,
        parent: str | None = None,
        indexed: bool = True,
        role: str = "",
    ) -> Chunk:
        start, end = group[0].start, group[-1].end
        return Chunk(
            id=chunk_id(self.sha256, start, end, self.profile.name + role),
            text=self.text[start:end],
            locator=locate(self.reading, start, end, self._path(group)),
            ordinal=ordinal,
            parent=parent,
            indexed=indexed,
        )


def _part(block: Block) -> tuple[str, str]:
    return block.place.part if block.place else ("", "")


def _halves(text: str, group: Sequence[_Unit]) -> list[list[_Unit]]:
    """A group in two, between units where there are several, else inside the one."""
    if len(group) > 1:
        middle = (group[0].start + group[-1].end) // 2
        at = min(range(1, len(group)), key=lambda i: abs(group[i].start - middle))
        return [list(group[:at]), list(group[at:])]
    unit = group[0]
    cap = max(20, (unit.end - unit.start + 1) // 2)
    return [[_Unit(first, last, unit.block)] for first, last in cut_span(text, unit.start, unit.end, cap)]
