"""The store against a simple model in memory, over thousands of random steps: whatever is done, in whatever order,
both must show the same present, the same past and the same trash."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from builders import EMBEDDER, draft, failure
from pincite.adapters.sqlite import SqliteStore, open_for_reading, open_for_writing, rebuild_fulltext
from pincite.core.documents import Document
from pincite.core.errors import PinciteError
from pincite.core.history import Origin, TrashReason, selection
from pincite.core.ports import Filter, Store
from pincite.core.text import index_terms
from pincite.testing import FakeEmbedder, MemoryStore

ALL = Filter()
OTHER = FakeEmbedder("other", dimension=16)
PLACES = [f"/a/{name}" for name in ("one.md", "two.md", "two.md#1/note.md", "b/three.md", "é.md")]
SENTENCES = [
    "Doors shall be red.",
    "Gates shall be open.",
    "Elephants eat grass.",
    "京都の寺。",
    "Doors, doors and gates.",
]
texts = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map("\n\n# Part\n\n".join)
places = st.sampled_from(PLACES)
picks = st.integers(0, 10**6)


class Clock:
    def __init__(self) -> None:
        self.minute = 0

    def __call__(self) -> str:
        return f"2026-03-{1 + self.minute // 1440:02}T{self.minute // 60 % 24:02}:{self.minute % 60:02}:00+00:00"


def shown(store: Store, embedder: FakeEmbedder) -> object:
    """Everything that a reader can see of one moment. Scores are rounded: one side sums in another order."""
    keys = dict(store.lexical.search(index_terms("doors gates 京都"), 99, ALL))
    near = dict(store.vectors.search(embedder.embed_queries(["doors gates"]).row(0), 99, ALL))
    return (
        [with_no_time(document) for document in store.documents(ALL)],
        sorted((repr(p.document), repr(p.chunk), round(keys[p.key], 6)) for p in store.passages(list(keys))),
        sorted((repr(p.document), p.chunk.id, round(near[p.key], 2)) for p in store.passages(list(near))),
        store.coverage(),
        [store.revision(document.id).text for document in store.documents(ALL)],
    )


def with_no_time(document: Document) -> Document:
    return replace(document, created="", updated="", trashed="")


class StoreMachine(RuleBasedStateMachine):
    """Every rule does one thing to both; a refusal of the one must be a refusal of the other."""

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.clock = Clock()
        self.copies = 0
        self.embedder = EMBEDDER
        self.store: SqliteStore = open_for_writing(self.folder / "store.db", "store", now=self.clock)
        self.model = MemoryStore("store", self.clock)
        self.both(lambda store: store.use_embedder(EMBEDDER.identity))

    def both(self, act) -> None:  # type: ignore[no-untyped-def]
        """Do it twice. The outcome, or the kind of refusal, is the same."""
        self.clock.minute += 1
        results = []
        for store in (self.store, self.model):
            try:
                result = act(store)
            except PinciteError as fault:
                result = type(fault)
            results.append(with_no_time(result) if isinstance(result, Document) else result)
        assert results[0] == results[1]

    @rule(place=places, text=texts, tags=st.sets(st.sampled_from("xy")), edit=st.booleans(), expects=picks)
    def save(self, place: str, text: str, tags: set[str], edit: bool, expects: int) -> None:
        made = draft(place, text, embedder=self.embedder, tags=sorted(tags))
        if edit:
            made = replace(made, origin=Origin.EDIT, expects=expects % 4, reason="edited")
        self.both(lambda store: store.save(made))

    @rule(place=places)
    def fail(self, place: str) -> None:
        self.both(lambda store: store.save_failure(failure(place)))

    @rule(pick=picks, place=places)
    def rename(self, pick: int, place: str) -> None:
        if chosen := self.one_of(self.model.documents(ALL), pick):
            self.both(lambda store: store.keeper.rename(chosen.id, place, place.rsplit("/", 1)[-1]))

    @rule(pick=picks, collection=st.sampled_from(["", "codes"]))
    def relabel(self, pick: int, collection: str) -> None:
        if chosen := self.one_of(self.model.documents(ALL), pick):
            self.both(lambda store: store.keeper.relabel(chosen.id, collection, ["z"]))

    @rule(pick=picks, number=st.integers(1, 5))
    def restore_revision(self, pick: int, number: int) -> None:
        if chosen := self.one_of(self.model.documents(ALL), pick):
            self.both(lambda store: store.keeper.restore_revision(chosen.id, number, "back"))

    @rule(pick=picks, why=st.sampled_from(TrashReason))
    def trash(self, pick: int, why: TrashReason) -> None:
        if chosen := self.one_of(self.model.documents(ALL), pick):
            self.both(lambda store: store.keeper.trash([chosen.id], why))

    @rule(pick=picks)
    def untrash(self, pick: int) -> None:
        if chosen := self.one_of(self.model.trash(ALL), pick):
            self.both(lambda store: [with_no_time(d) for d in store.keeper.untrash([chosen.id])])

    @rule(pick=picks, honest=st.booleans())
    def purge(self, pick: int, honest: bool) -> None:
        if chosen := self.one_of(self.model.trash(ALL), pick):
            where = Filter(documents=(chosen.id,))

            def act(store: MemoryStore | SqliteStore) -> tuple[int, ...]:
                previewed = selection(store.trash(where))
                report = store.keeper.purge(previewed, previewed.token if honest else "0" * 12)
                assert report.remains == ()
                return report.documents, report.revisions, report.chunks, report.vectors

            self.both(act)

    @rule(text=texts)
    def reindex(self, text: str) -> None:
        """To the other embedder and on with it. What is saved between building and switching counts too."""
        fresh = OTHER if self.embedder is EMBEDDER else EMBEDDER
        made = draft("/a/one.md", text, embedder=self.embedder)

        def act(store: MemoryStore | SqliteStore) -> bool:
            number = store.keeper.begin_generation(fresh.identity).id
            if saved := store.texts_without_vector(number, 2):
                self.fill(store, number, saved, fresh)
            store.save(made)
            switched = False
            while not switched:
                missing = store.texts_without_vector(number, 3)
                self.fill(store, number, missing, fresh)
                switched = store.keeper.switch_generation(number)
            return switched

        self.both(act)
        self.embedder = fresh

    @rule()
    def drop_old_vectors(self) -> None:
        old = [(g.id, g.name) for g in self.model.generations() if g.state != "live"]
        names = {g.name: g.id for g in self.store.generations()}
        for number, name in old:
            self.model.keeper.drop_generation(number)
            self.store.keeper.drop_generation(names[name])

    @staticmethod
    def fill(store: MemoryStore | SqliteStore, number: int, missing: dict[str, str], fresh: FakeEmbedder) -> None:
        if missing:
            rows = fresh.embed_passages(list(missing.values()))
            store.keeper.add_vectors(number, {digest: rows.row(place) for place, digest in enumerate(missing)})

    @rule()
    def rebuild(self) -> None:
        rebuild_fulltext(self.store._database)

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = open_for_writing(self.folder / "store.db", "store", now=self.clock)

    @rule()
    def crash(self) -> None:
        """Go on with the bytes that a sudden death would leave: the file and its log, copied while it is open."""
        self.copies += 1
        there = self.folder / str(self.copies)
        there.mkdir()
        for name in ("store.db", "store.db-wal"):
            if (self.folder / name).exists():
                shutil.copy(self.folder / name, there / name)
        self.store.close()
        self.folder = there
        self.store = open_for_writing(there / "store.db", "store", now=self.clock)

    @precondition(lambda self: self.model.moment > 0)
    @rule(pick=picks, by_date=st.booleans())
    def look_back(self, pick: int, by_date: bool) -> None:
        number = pick % (self.model.moment + 1)
        when = self.model.log[number - 1].at if by_date and number else str(number)
        assert shown(self.store.as_of(when), self.embedder) == shown(self.model.as_of(when), self.embedder)

    @rule(pick=picks)
    def history(self, pick: int) -> None:
        everything = [*self.model.documents(ALL), *self.model.trash(ALL)]
        if chosen := self.one_of(everything, pick):
            assert self.store.history(chosen.id) == self.model.history(chosen.id)

    @invariant()
    def the_present_is_the_same(self) -> None:
        assert shown(self.store, self.embedder) == shown(self.model, self.embedder)
        assert self.store.moment == self.model.moment
        assert [d.id for d in self.store.trash(ALL)] == [d.id for d in self.model.trash(ALL)]
        assert [f.uri for f in self.store.failures()] == [f.uri for f in self.model.failures()]
        for place in PLACES:
            assert self.store.known(place) == self.model.known(place)

    @staticmethod
    def one_of(documents: list[Document], pick: int) -> Document | None:
        return documents[pick % len(documents)] if documents else None

    def teardown(self) -> None:
        if hasattr(self, "store"):
            assert self.store.integrity() == []
            self.store.close()
            reader = open_for_reading(self.folder / "store.db", "store")
            assert shown(reader, self.embedder) == shown(self.model, self.embedder)
            reader.close()


StoreMachine.TestCase.settings = settings(
    max_examples=80,
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    # Shrinking a run of fifty steps takes minutes; what is printed can be replayed as it is.
    report_multiple_bugs=False,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
TestStoreMachine = StoreMachine.TestCase
