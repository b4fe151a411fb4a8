"""The port of the store, in three parts: what a reader may do, what an ingest does, and what a librarian does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from pincite.core.answers import Coverage, Passage
from pincite.core.documents import Chunk, Document, Failure, Revision
from pincite.core.drafts import DocumentDraft, FileStat, Filter, Known, Tallies
from pincite.core.history import Generation, PurgeReport, RevisionNote, Selection, StoreChange, TrashReason
from pincite.core.identity import EmbedderIdentity
from pincite.core.reports import IngestReport, StoreStatus


class LexicalIndex(Protocol):
    """Full text over the terms of `pincite.core.text.index_terms`; nothing in a term is syntax."""

    def search(self, terms: Sequence[str], limit: int, where: Filter) -> list[tuple[int, float]]:
        """(chunk key, BM25 score, higher is better) of chunks that hold at least one term, best first. A term
        that is given twice weighs double."""
        ...

    def tallies(self, terms: Sequence[str], where: Filter) -> Tallies:
        """The counts behind the scores, so that several stores can be scored as one."""
        ...

    def frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many indexed chunks each term stands; 0 for a term that stands in none."""
        ...

    def size(self) -> int:
        """Indexed chunks."""
        ...


class VectorIndex(Protocol):
    """Nearest neighbours by cosine among the vectors of the live generation."""

    def search(self, vector: bytes, limit: int, where: Filter) -> list[tuple[int, float]]:
        """(chunk key, cosine, higher is better), best first."""
        ...

    def scores(self, vector: bytes, keys: Sequence[int]) -> dict[int, float]:
        """The cosines of these chunks; those without a vector are absent."""
        ...

    def size(self) -> int:
        """Live chunks that have a vector."""
        ...

    def identity(self) -> str:
        """`EmbedderIdentity.key` of the live generation; empty when there is none."""
        ...


class Store(Protocol):
    """One file that holds documents, revisions, chunks and the indexes derived from them."""

    @property
    def name(self) -> str: ...

    @property
    def lexical(self) -> LexicalIndex: ...

    @property
    def vectors(self) -> VectorIndex: ...

    def status(self) -> StoreStatus: ...

    def coverage(self) -> Coverage: ...

    def documents(self, where: Filter) -> list[Document]:
        """Live documents, by uri."""
        ...

    def find(self, reference: str) -> Document:
        """By id, uri, or an unambiguous end of a uri. Raises UnknownName, naming near ones."""
        ...

    def revision(self, document: int, number: int | None = None) -> Revision:
        """The live revision, or the one of that number. Raises UnknownName."""
        ...

    def chunks(self, document: int, number: int | None = None) -> list[Chunk]: ...

    def passages(self, keys: Sequence[int]) -> list[Passage]:
        """In the order asked for; keys that are no longer live are left out."""
        ...

    def parents(self, keys: Sequence[int]) -> Mapping[int, Passage]:
        """The larger passages that are shown for these chunks, by chunk key; those without one are absent."""
        ...

    def failures(self) -> list[Failure]: ...

    def as_of(self, when: str) -> Store:
        """The store as it was: after the change of this number, or at this moment (ISO 8601; a day alone means
        its end; without an offset, local time). Raises UsageError for what is neither, UnknownName for a number
        that the store has not reached."""
        ...

    @property
    def moment(self) -> int:
        """The number of the last change; 0 for an empty store."""
        ...

    def history(self, document: int) -> tuple[list[RevisionNote], list[StoreChange]]:
        """All revisions and all changes of a document, live or in the trash, oldest first."""
        ...

    def changes(self, limit: int) -> list[StoreChange]:
        """The last changes of the store, newest first."""
        ...

    def trash(self, where: Filter) -> list[Document]:
        """Documents in the trash, by uri. `find` does not see them; `find_in_trash` does."""
        ...

    def find_in_trash(self, reference: str) -> Document:
        """As `find`, among the documents in the trash."""
        ...

    def stats(self, under: str) -> dict[str, FileStat]:
        """What is remembered of the files at or below this uri, by uri."""
        ...

    def generations(self) -> list[Generation]:
        """The embedders whose vectors are kept, the live one first."""
        ...

    def texts_without_vector(self, generation: int, limit: int) -> dict[str, str]:
        """Texts by digest that this generation still has no vector for, at most `limit` of them."""
        ...


class WritableStore(Store, Protocol):
    """The writer's verbs. Each is one transaction; none is open while anything is read or embedded."""

    def known(self, uri: str) -> Known | None: ...

    def use_embedder(self, identity: EmbedderIdentity) -> None:
        """Make this the identity of the store's vectors. Raises IndexMismatch if it is another."""
        ...

    def stored_vectors(self, digests: Sequence[str]) -> Mapping[str, bytes]:
        """Vectors that are there already, as float32 rows, by `text_digest` of what was embedded."""
        ...

    def save(self, draft: DocumentDraft) -> Document:
        """A new document, or a new live revision of the one with this uri. Clears its failure."""
        ...

    def save_failure(self, failure: Failure) -> None:
        """Record why a file gave no document; a live revision of it stays live."""
        ...

    def save_run(self, report: IngestReport, started: str, ended: str) -> None: ...

    def keep_stats(self, stats: Sequence[FileStat], gone: Sequence[str] = ()) -> None:
        """Remember what files looked like; forget those that are gone."""
        ...

    @property
    def keeper(self) -> Keeper: ...


class Keeper(Protocol):
    """What a librarian does with a store beside adding to it. Each verb is one transaction."""

    def rename(self, document: int, uri: str, name: str) -> Document:
        """The same document at another place, with what is inside it. Raises UsageError when a live document is
        there already."""
        ...

    def relabel(self, document: int, collection: str, tags: Sequence[str]) -> Document: ...

    def restore_revision(self, document: int, number: int, reason: str) -> Document:
        """Make a new revision with the content of an earlier one. Nothing is embedded. Raises UnknownName."""
        ...

    def trash(self, documents: Sequence[int], why: TrashReason, reason: str = "") -> None:
        """Take live documents out of every search. All or none. Raises UnknownName."""
        ...

    def untrash(self, documents: Sequence[int], reason: str = "") -> list[Document]:
        """Bring them back as they were. Nothing is embedded. Raises UnknownName, UsageError when a live document
        has taken the place of one."""
        ...

    def purge(self, chosen: Selection, token: str) -> PurgeReport:
        """Remove documents of the trash for good: text, words, vectors, every revision. Raises UsageError when the
        token is not the one of what is there now."""
        ...

    def drop_failures(self, uris: Sequence[str]) -> None:
        """Forget that these files could not be read."""
        ...

    def begin_generation(self, identity: EmbedderIdentity) -> Generation:
        """The generation of this embedder, made as `building` if there is none."""
        ...

    def add_vectors(self, generation: int, vectors: Mapping[str, bytes]) -> None:
        """Float32 rows by text digest."""
        ...

    def switch_generation(self, generation: int) -> bool:
        """Make it the live one and retire the other, in one transaction, if every text of the store has a vector
        in it; False if some have not."""
        ...

    def drop_generation(self, generation: int) -> None:
        """Remove a generation that is not live, with its vectors. Raises UsageError for the live one."""
        ...
