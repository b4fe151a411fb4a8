"""A store in memory, true to the port: for tests of pipelines and of whatever holds a Library."""

from __future__ import annotations

import difflib
import fnmatch
import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pincite.core.answers import Coverage, DocumentRef, Passage
from pincite.core.documents import Chunk, Document, Failure, OutcomeKind, Revision, text_digest
from pincite.core.errors import IndexMismatch, UnknownName
from pincite.core.ports import DocumentDraft, EmbedderIdentity, Filter, Known
from pincite.core.reports import IngestReport, StoreStatus
from pincite.core.text import index_terms

MOMENT = "2026-01-01T00:00:00+00:00"


@dataclass
class _Kept:
    """A document with all its revisions, and the chunks of each under their keys."""

    document: Document
    revisions: list[Revision]
    chunks: list[dict[int, Chunk]]

    @property
    def live(self) -> dict[int, Chunk]:
        return self.chunks[-1]

    @property
    def ref(self) -> DocumentRef:
        d = self.document
        return DocumentRef(d.id, d.uri, d.name, d.title, d.revision, d.sha256)


class MemoryStore:
    """Implements `pincite.core.ports.WritableStore`. Slow and simple on purpose."""

    def __init__(self, name: str = "memory") -> None:
        self._name = name
        self._kept: dict[str, _Kept] = {}
        self._failures: dict[str, Failure] = {}
        self._embeddings: dict[str, bytes] = {}
        self._identity: EmbedderIdentity | None = None
        self._next = 1
        self._last_run = ""

    @property
    def name(self) -> str:
        return self._name

    @property
    def lexical(self) -> _Lexical:
        return _Lexical(self)

    @property
    def vectors(self) -> _Vectors:
        return _Vectors(self)

    def live(self, where: Filter) -> dict[int, tuple[_Kept, Chunk]]:
        """The indexed live chunks inside a filter, by key."""
        return {
            key: (kept, chunk)
            for kept in self._kept.values()
            if _inside(kept.document, where)
            for key, chunk in kept.live.items()
            if chunk.indexed
        }

    def documents(self, where: Filter) -> list[Document]:
        found = [kept.document for kept in self._kept.values() if _inside(kept.document, where)]
        return sorted(found, key=lambda document: document.uri)

    def find(self, reference: str) -> Document:
        for test in (
            lambda d: str(d.id) == reference,
            lambda d: d.uri == reference,
            lambda d: d.uri.endswith(f"/{reference}"),
        ):
            found = [document for document in self.documents(Filter()) if test(document)]
            if len(found) == 1:
                return found[0]
        near = difflib.get_close_matches(reference, [d.name for d in self.documents(Filter())], n=3, cutoff=0.5)
        hint = f"Did you mean {', '.join(near)}?" if near else "See what is there with: pincite list"
        raise UnknownName(f'There is no document "{reference}".', hint)

    def revision(self, document: int, number: int | None = None) -> Revision:
        kept, place = self._place(document, number)
        return kept.revisions[place]

    def chunks(self, document: int, number: int | None = None) -> list[Chunk]:
        kept, place = self._place(document, number)
        return list(kept.chunks[place].values())

    def _place(self, document: int, number: int | None) -> tuple[_Kept, int]:
        for kept in self._kept.values():
            if kept.document.id == document and (number is None or 0 < number <= len(kept.revisions)):
                return kept, -1 if number is None else number - 1
        raise UnknownName(f"Document {document} has no revision {number or ''}.", "pincite list")

    def passages(self, keys: Sequence[int]) -> list[Passage]:
        found = {key: Passage(key, chunk, kept.ref) for kept in self._kept.values() for key, chunk in kept.live.items()}
        return [found[key] for key in keys if key in found]

    def parents(self, keys: Sequence[int]) -> Mapping[int, Passage]:
        found = {}
        for kept in self._kept.values():
            by_id = {chunk.id: (key, chunk) for key, chunk in kept.live.items()}
            for key in set(keys) & set(kept.live):
                parent = by_id.get(kept.live[key].parent or "")
                if parent:
                    found[key] = Passage(parent[0], parent[1], kept.ref)
        return found

    def failures(self) -> list[Failure]:
        return sorted(self._failures.values(), key=lambda failure: failure.uri)

    def coverage(self) -> Coverage:
        documents = self.documents(Filter())
        partial = sum(document.outcome.kind is OutcomeKind.PARTIAL for document in documents)
        return Coverage(len(documents), len(self.live(Filter())), partial, len(self._failures))

    def status(self) -> StoreStatus:
        return StoreStatus(
            name=self._name,
            path=":memory:",
            bytes=sum(len(kept.revisions[-1].text) for kept in self._kept.values()),
            schema=1,
            coverage=self.coverage(),
            collections=dict(Counter(document.collection for document in self.documents(Filter()))),
            embedder=self._identity.name if self._identity else "",
            vectors=self.vectors.size(),
            last_run=self._last_run,
        )

    def known(self, uri: str) -> Known | None:
        kept, failure = self._kept.get(uri), self._failures.get(uri)
        if kept is None:
            return Known(None, 0, "", "", failure) if failure else None
        live = kept.revisions[-1]
        reading = live.reading
        return Known(kept.document.id, live.number, live.sha256, reading.reader, failure, reading.outcome)

    def use_embedder(self, identity: EmbedderIdentity) -> None:
        if self._identity is not None and self._identity.key != identity.key:
            raise IndexMismatch(
                f"The store {self._name} was embedded with {self._identity.name}, not with {identity.name}.",
                "Use the same embedder, or ingest into a new store.",
            )
        self._identity = identity

    def stored_vectors(self, digests: Sequence[str]) -> Mapping[str, bytes]:
        return {digest: self._embeddings[digest] for digest in digests if digest in self._embeddings}

    def save(self, draft: DocumentDraft) -> Document:
        source, earlier = draft.source, self._kept.get(draft.source.uri)
        number = len(earlier.revisions) + 1 if earlier else 1
        document = Document(
            id=earlier.document.id if earlier else len(self._kept) + 1,
            uri=source.uri,
            name=source.name,
            media_type=source.media_type,
            title=draft.reading.title,
            collection=draft.collection,
            corpus=draft.corpus,
            tags=tuple(sorted(set(draft.tags))),
            revision=number,
            sha256=source.sha256,
            size=source.size,
            pages=len(draft.reading.pages),
            chunks=sum(chunk.indexed for chunk in draft.chunks),
            outcome=draft.reading.outcome,
            created=MOMENT,
            updated=MOMENT,
        )
        revision = Revision(number, source.sha256, source.size, draft.reading, MOMENT, draft.reason)
        keyed = {self._next + place: chunk for place, chunk in enumerate(draft.chunks)}
        self._next += len(keyed)
        kept = earlier or _Kept(document, [], [])
        self._kept[source.uri] = replace(
            kept, document=document, revisions=[*kept.revisions, revision], chunks=[*kept.chunks, keyed]
        )
        if self._identity is not None:
            for chunk, vector in zip(draft.chunks, draft.vectors, strict=True):
                if vector is not None:
                    self._embeddings[text_digest(chunk.searchable)] = vector
        self._failures.pop(source.uri, None)
        return document

    def save_failure(self, failure: Failure) -> None:
        self._failures[failure.uri] = failure

    def save_run(self, report: IngestReport, started: str, ended: str) -> None:
        self._last_run = ended

    def vector_of(self, chunk: Chunk) -> bytes | None:
        return self._embeddings.get(text_digest(chunk.searchable))

    def identity_key(self) -> str:
        return self._identity.key if self._identity else ""


class _Lexical:
    """BM25 by the book (k1 1.2, b 0.75) over the terms of every live chunk."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def search(self, terms: Sequence[str], limit: int, where: Filter) -> list[tuple[int, float]]:
        everything = {key: _terms(chunk) for key, (_, chunk) in self._store.live(Filter()).items()}
        inside = self._store.live(where)
        average = sum(map(len, everything.values())) / max(1, len(everything))
        scores: dict[int, float] = {}
        for term in terms:
            holders = [key for key, held in everything.items() if term in held]
            rarity = math.log(1 + (len(everything) - len(holders) + 0.5) / (len(holders) + 0.5))
            for key in holders:
                if key in inside:
                    count, length = everything[key].count(term), len(everything[key])
                    weight = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / average))
                    scores[key] = scores.get(key, 0.0) + rarity * weight
        return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]

    def frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        held = [set(_terms(chunk)) for _, chunk in self._store.live(Filter()).values()]
        return {term: sum(term in terms_of for terms_of in held) for term in terms}

    def size(self) -> int:
        return len(self._store.live(Filter()))


class _Vectors:
    """Cosine against every live vector."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    def search(self, vector: bytes, limit: int, where: Filter) -> list[tuple[int, float]]:
        found = self.scores(vector, list(self._store.live(where)))
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]

    def scores(self, vector: bytes, keys: Sequence[int]) -> dict[int, float]:
        live, found = self._store.live(Filter()), {}
        for key in keys:
            row = self._store.vector_of(live[key][1]) if key in live else None
            if row is not None and len(row) != len(vector):
                raise IndexMismatch("The store's vectors and the query's differ in dimension.", "Use one embedder.")
            if row is not None:
                found[key] = _cosine(array("f", vector), array("f", row))
        return found

    def size(self) -> int:
        return sum(self._store.vector_of(chunk) is not None for _, chunk in self._store.live(Filter()).values())

    def identity(self) -> str:
        return self._store.identity_key()


def _terms(chunk: Chunk) -> list[str]:
    return index_terms("\n".join([*chunk.locator.headings, chunk.text]))


def _cosine(left: array[float], right: array[float]) -> float:
    norms = math.hypot(*left) * math.hypot(*right)
    return sum(a * b for a, b in zip(left, right, strict=True)) / norms if norms else 0.0


def _glob(uri: str, pattern: str) -> bool:
    """As SQLite's GLOB: a class of characters is turned round by ^, where fnmatch has !."""
    return fnmatch.fnmatchcase(uri, pattern.replace("[!", "[\\!").replace("[^", "[!"))


def _inside(document: Document, where: Filter) -> bool:
    return (
        (not where.documents or document.id in where.documents)
        and (not where.collection or document.collection == where.collection)
        and (where.corpus is None or document.corpus is where.corpus)
        and set(where.tags) <= set(document.tags)
        and (not where.glob or _glob(document.uri, where.glob))
    )
