"""What every store must remember, and how it lets go; run on the real one and on the shipped fake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from builders import EMBEDDER, draft, failure
from pincite.adapters.sqlite import SqliteStore, open_for_writing
from pincite.core.documents import OutcomeKind, text_digest
from pincite.core.errors import EditConflict, UnknownName, UsageError
from pincite.core.history import Origin, TrashReason, Verb, selection
from pincite.core.ports import FileStat, Filter, Store, WritableStore
from pincite.core.text import index_terms
from pincite.testing import FakeEmbedder, MemoryStore

ALL = Filter()


class Days:
    """A clock that shows the day it is told."""

    def __init__(self) -> None:
        self.day = 1

    def __call__(self) -> str:
        return f"2026-03-{self.day:02}T12:00:00+00:00"


@pytest.fixture
def days() -> Days:
    return Days()


@pytest.fixture(params=["sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path, days: Days) -> Iterator[WritableStore]:
    if request.param == "memory":
        made: WritableStore = MemoryStore("test", days)
        made.use_embedder(EMBEDDER.identity)
        yield made
        return
    opened = open_for_writing(tmp_path / "test.db", "test", now=days)
    opened.use_embedder(EMBEDDER.identity)
    yield opened
    assert opened.integrity() == []
    opened.close()


def found(store: Store, query: str, where: Filter = ALL) -> list[tuple[str, str, float]]:
    """Address, text and score of what the full-text lane finds, best first."""
    scores = dict(store.lexical.search(index_terms(query), 50, where))
    return [(p.document.uri, p.chunk.text, round(scores[p.key], 9)) for p in store.passages(list(scores))]


def near(store: Store, query: str) -> list[tuple[str, str, float]]:
    row = EMBEDDER.embed_queries([query]).row(0)
    scores = dict(store.vectors.search(row, 50, ALL))
    return [(p.document.uri, p.chunk.text, round(scores[p.key], 4)) for p in store.passages(list(scores))]


def test_a_moment_of_the_past_reads_like_the_present_did(store: WritableStore, days: Days) -> None:
    seen = []
    texts = ["Doors shall be red.", "Doors shall be green, and gates open.", "Doors shall be blue. " * 3]
    for number, text in enumerate(texts, start=1):
        days.day = number
        store.save(draft("/a/code.md", text))
        store.save(draft(f"/a/other{number}.md", f"Gates and doors of house {number}."))
        seen.append((store.moment, found(store, "doors gates"), near(store, "doors gates"), store.coverage()))
    for number, (moment, words, meaning, coverage) in enumerate(seen, start=1):
        for when in (str(moment), f"2026-03-{number:02}", f"2026-03-{number:02}T23:00:00+00:00"):
            past = store.as_of(when)
            assert (found(past, "doors gates"), near(past, "doors gates"), past.coverage()) == (
                words,
                meaning,
                coverage,
            )
            assert past.lexical.size() == past.vectors.size() == coverage.chunks
    assert store.as_of("2026-02-01").documents(ALL) == []
    assert store.as_of("0").moment == 0
    assert [d.revision for d in store.as_of("2").documents(ALL)] == [1, 1]
    assert found(store.as_of("1"), "green") == []


def test_frequencies_of_the_past(store: WritableStore) -> None:
    store.save(draft("/a/code.md", "Doors shall be red."))
    store.save(draft("/a/code.md", "Gates shall be red."))
    assert store.as_of("1").lexical.frequencies(["door", "gate", "red"]) == {"door": 1, "gate": 0, "red": 1}
    assert store.lexical.frequencies(["door", "gate", "red"]) == {"door": 0, "gate": 1, "red": 1}


@pytest.mark.parametrize("when", ["yesterday", "", "2026-13-01", "-1", "1.5", "2026-03-01T25:00", "２"])
def test_a_moment_that_means_nothing_is_refused(store: WritableStore, when: str) -> None:
    with pytest.raises(UsageError):
        store.as_of(when)


def test_a_change_that_has_not_come_is_refused(store: WritableStore) -> None:
    with pytest.raises(UnknownName):
        store.as_of("1")


def test_the_tallies_give_the_scores(store: WritableStore) -> None:
    from pincite.core.bm25 import bm25_scores

    for number in range(12):
        store.save(draft(f"/a/{number}.md", f"# Door {number % 3}\n\nGates and doors, door {number}. " * (number + 1)))
    terms = index_terms("door gates door nothing 3")
    tallies = store.lexical.tallies(terms, ALL)
    scored = bm25_scores(terms, list(dict.fromkeys(terms)), tallies)
    asked = store.lexical.search(terms, 50, ALL)
    assert [key for key, _ in scored] == [key for key, _ in asked]
    assert [score for _, score in scored] == pytest.approx([score for _, score in asked])
    inside = store.lexical.tallies(terms, Filter(glob="/a/1*.md"))
    assert inside.frequencies == tallies.frequencies
    assert 0 < len(inside.rows) < len(tallies.rows)


@pytest.mark.parametrize("term", ['"', "(", "a\x00b", "\udcff", "", " ", "*", "NEAR", "c++", "東京", ")", "—"])
def test_odd_terms_have_tallies(store: WritableStore, term: str) -> None:
    store.save(draft("/a/code.md", "Doors shall be red. c++"))
    counted = store.lexical.tallies(["door", term, "red"], ALL)
    assert [counts[0] for _, _, counts in counted.rows] == [1]
    assert [counts[-1] for _, _, counts in counted.rows] == [1]


def test_history_tells_every_revision_and_change(store: WritableStore, days: Days) -> None:
    saved = store.save(draft("/a/code.md", "Doors shall be red."))
    days.day = 2
    store.save(replace(draft("/a/code.md", "Doors shall be green."), reason="second edition"))
    store.keeper.rename(saved.id, "/b/law.md", "law.md")
    store.keeper.relabel(saved.id, "codes", ["x"])
    revisions, changes = store.history(saved.id)
    assert [(r.number, r.live, r.reason, r.created[:10]) for r in revisions] == [
        (1, False, "", "2026-03-01"),
        (2, True, "second edition", "2026-03-02"),
    ]
    assert [(c.number, c.verb, c.uri) for c in changes] == [
        (1, Verb.ADDED, "/a/code.md"),
        (2, Verb.UPDATED, "/a/code.md"),
        (3, Verb.RENAMED, "/b/law.md"),
        (4, Verb.RELABELLED, "/b/law.md"),
    ]
    assert [change.number for change in store.changes(2)] == [4, 3]
    with pytest.raises(UnknownName):
        store.history(99)


def test_a_document_keeps_its_history_when_it_moves(store: WritableStore) -> None:
    saved = store.save(draft("/a/code.md", "Doors shall be red.", tags=["t"]))
    store.save(draft("/a/code.md#1/note.md", "A note inside."))
    store.save(draft("/a/code.md.bak", "Another file."))
    moved = store.keeper.rename(saved.id, "/b/law.md", "law.md")
    assert (moved.id, moved.uri, moved.name, moved.tags) == (saved.id, "/b/law.md", "law.md", ("t",))
    uris = [document.uri for document in store.documents(ALL)]
    assert uris == ["/a/code.md.bak", "/b/law.md", "/b/law.md#1/note.md"]
    assert found(store, "doors")[0][0] == "/b/law.md"
    assert found(store.as_of("1"), "doors")[0][0] == "/a/code.md"
    assert store.known("/a/code.md") is None
    with pytest.raises(UsageError):
        store.keeper.rename(saved.id, "/a/code.md.bak", "code.md.bak")


def test_an_earlier_revision_comes_back_as_a_new_one(store: WritableStore) -> None:
    saved = store.save(draft("/a/code.md", "Doors shall be red.", tags=["t"]))
    store.save(draft("/a/code.md", "Doors shall be green.", tags=["t"]))
    store.keeper.rename(saved.id, "/b/code.md", "code.md")
    back = store.keeper.restore_revision(saved.id, 1, "green was wrong")
    assert (back.revision, back.uri, back.tags) == (3, "/b/code.md", ("t",))
    assert store.revision(saved.id).text == "Doors shall be red."
    assert [text for _, text, _ in found(store, "doors")] == ["Doors shall be red."]
    assert [text for _, text, _ in near(store, "doors")] == ["Doors shall be red."]
    assert [r.origin for r in store.history(saved.id)[0]] == [Origin.FILE, Origin.FILE, Origin.RESTORED]
    known = store.known("/b/code.md")
    assert known is not None
    assert known.sha256 == draft("/a/code.md", "Doors shall be green.").source.sha256
    with pytest.raises(UnknownName):
        store.keeper.restore_revision(saved.id, 9, "")


def test_an_edit_needs_the_revision_that_it_was_made_for(store: WritableStore) -> None:
    saved = store.save(draft("/a/code.md", "Doors shall be red."))
    edit = replace(draft("/a/code.md", "Doors shall be green."), origin=Origin.EDIT, expects=1, reason="typing error")
    assert store.save(edit).revision == 2
    with pytest.raises(EditConflict):
        store.save(edit)
    assert store.revision(saved.id).number == 2
    known = store.known("/a/code.md")
    assert known is not None
    assert known.sha256 == draft("/a/code.md", "Doors shall be red.").source.sha256
    assert store.changes(1)[0].verb is Verb.EDITED


def test_what_is_forgotten_is_found_no_more_and_comes_back_whole(store: WritableStore) -> None:
    saved = store.save(draft("/a/code.md", "Doors shall be red.", tags=["t"]))
    store.save(draft("/a/zoo.md", "Elephants eat doors."))
    before = (found(store, "doors"), near(store, "doors"), store.documents(ALL))
    store.keeper.trash([saved.id], TrashReason.FORGOTTEN, "no longer in force")
    assert [uri for uri, _, _ in found(store, "doors")] == ["/a/zoo.md"]
    assert [uri for uri, _, _ in near(store, "doors")] == ["/a/zoo.md"]
    assert [(d.id, bool(d.trashed)) for d in store.trash(ALL)] == [(saved.id, True)]
    assert store.find_in_trash("code.md").id == saved.id
    assert (store.status().trashed, store.coverage().documents) == (1, 1)
    with pytest.raises(UnknownName):
        store.find("code.md")
    known = store.known("/a/code.md")
    assert known is not None
    assert (known.document, known.trashed, known.why_trashed) == (None, saved.id, TrashReason.FORGOTTEN)
    assert [(d.uri, d.tags) for d in store.keeper.untrash([saved.id])] == [("/a/code.md", ("t",))]
    assert (found(store, "doors"), near(store, "doors"), store.documents(ALL)) == before
    assert store.trash(ALL) == []
    assert found(store.as_of("3"), "red") == []
    with pytest.raises(UnknownName):
        store.keeper.untrash([saved.id])
    with pytest.raises(UnknownName):
        store.keeper.trash([99], TrashReason.FORGOTTEN)


def test_a_place_that_is_taken_is_not_given_back(store: WritableStore) -> None:
    first = store.save(draft("/a/code.md", "Doors shall be red."))
    second = store.save(draft("/a/new.md", "Doors shall be green."))
    store.keeper.trash([first.id], TrashReason.VANISHED)
    store.keeper.rename(second.id, "/a/code.md", "code.md")
    with pytest.raises(UsageError):
        store.keeper.untrash([first.id])
    assert store.find("/a/code.md").id == second.id


def test_a_file_that_is_read_again_takes_its_document_out_of_the_trash(store: WritableStore) -> None:
    saved = store.save(draft("/a/code.md", "Doors shall be red."))
    store.keeper.trash([saved.id], TrashReason.VANISHED)
    again = store.save(draft("/a/code.md", "Doors shall be green."))
    assert (again.id, again.revision) == (saved.id, 2)
    assert store.trash(ALL) == []


def test_a_purge_takes_exactly_what_was_previewed(store: WritableStore) -> None:
    first = store.save(draft("/a/code.md", "Doors shall be red, said the architect long ago."))
    second = store.save(draft("/a/zoo.md", "Elephants eat grass and other soft things."))
    store.save(draft("/a/kept.md", "Gates stay open for everybody at all times."))
    store.keeper.trash([first.id], TrashReason.FORGOTTEN)
    chosen = selection(store.trash(ALL))
    store.keeper.trash([second.id], TrashReason.FORGOTTEN)
    with pytest.raises(UsageError):
        store.keeper.purge(selection(store.trash(ALL)), chosen.token)
    with pytest.raises(UsageError):
        store.keeper.purge(selection([]), selection([]).token)
    with pytest.raises(UsageError):
        store.keeper.purge(selection(store.documents(ALL)), selection(store.documents(ALL)).token)
    report = store.keeper.purge(chosen, chosen.token)
    assert (report.documents, report.revisions, report.chunks, report.vectors, report.remains) == (1, 1, 1, 1, ())
    assert [document.id for document in store.trash(ALL)] == [second.id]
    assert [uri for uri, _, _ in found(store.as_of("2"), "doors elephants")] == ["/a/zoo.md"]
    digest = text_digest("Doors shall be red, said the architect long ago.")
    assert store.stored_vectors([digest]) == {}
    with pytest.raises(UnknownName):
        store.history(first.id)
    assert store.save(draft("/a/code.md", "Doors shall be blue.")).id not in (first.id, second.id)
    assert [change.uri for change in store.changes(50) if change.document == first.id] == ["", "", ""]


def test_new_filters(store: WritableStore, days: Days) -> None:
    made = draft("/a/b/code.md", "Doors one.")
    partial = replace(made.reading.outcome, kind=OutcomeKind.PARTIAL)
    store.save(replace(made, reading=replace(made.reading, outcome=partial)))
    store.save(draft("/a/b/code.md#1/x.md", "Doors two."))
    days.day = 5
    store.save(draft("/a/bc.md", "Doors three."))
    for where, names in (
        (Filter(under="/a/b"), ["code.md", "x.md"]),
        (Filter(under="/a/b/"), ["code.md", "x.md"]),
        (Filter(under="/a/b/code.md"), ["code.md", "x.md"]),
        (Filter(under="/"), ["code.md", "x.md", "bc.md"]),
        (Filter(outcomes=(OutcomeKind.PARTIAL,)), ["code.md"]),
        (Filter(updated_before="2026-03-05T00:00:00+00:00"), ["code.md", "x.md"]),
    ):
        assert [document.name for document in store.documents(where)] == names
        assert len(found(store, "doors", where)) == len(names)


def test_what_files_looked_like(store: WritableStore) -> None:
    one, two = FileStat("/a/x.md", 1, 2, 3, "f", 4), FileStat("/ab.md", 1, 2, 3, "f", 4)
    store.keep_stats([one, two])
    assert store.stats("/a") == {"/a/x.md": one}
    store.keep_stats([replace(one, size=9)], gone=["/ab.md"])
    assert store.stats("/") == {"/a/x.md": replace(one, size=9)}


def test_failures_can_be_forgotten(store: WritableStore) -> None:
    store.save_failure(failure("/a/a.pdf"))
    store.save_failure(failure("/a/b.pdf"))
    store.keeper.drop_failures(["/a/a.pdf", "/nothing"])
    assert [item.uri for item in store.failures()] == ["/a/b.pdf"]


def test_another_embedder_is_built_beside_and_switched_at_once(store: WritableStore) -> None:
    store.save(draft("/a/code.md", "Doors shall be red."))
    store.save(draft("/a/code.md", "Doors shall be green."))
    other = FakeEmbedder("other", dimension=32)
    built = store.keeper.begin_generation(other.identity)
    assert (built.state, built.missing) == ("building", 2)
    assert store.keeper.begin_generation(other.identity).id == built.id
    texts = store.texts_without_vector(built.id, 1)
    assert len(texts) == 1
    assert not store.keeper.switch_generation(built.id)
    assert store.vectors.identity() == EMBEDDER.identity.key
    texts = store.texts_without_vector(built.id, 9)
    rows = other.embed_passages(list(texts.values()))
    vectors = {digest: rows.row(index) for index, digest in enumerate(texts)}
    store.keeper.add_vectors(built.id, {**vectors, "0" * 64: rows.row(0)})
    assert store.keeper.switch_generation(built.id)
    assert [(g.name, g.state, g.vectors, g.missing) for g in store.generations()] == [
        ("other", "live", 2, 0),
        ("fake", "retired", 2, 0),
    ]
    assert store.vectors.identity() == other.identity.key
    assert store.vectors.search(other.embed_queries(["green doors"]).row(0), 5, ALL)
    assert store.as_of("1").vectors.size() == 1
    old = store.generations()[1].id
    with pytest.raises(UsageError):
        store.keeper.drop_generation(built.id)
    store.keeper.drop_generation(old)
    assert len(store.generations()) == 1
    with pytest.raises(UnknownName):
        store.keeper.drop_generation(old)


def test_a_clock_that_is_set_back_does_not_reorder_history(store: WritableStore, days: Days) -> None:
    days.day = 9
    store.save(draft("/a/code.md", "Doors shall be red."))
    days.day = 3
    store.save(draft("/a/code.md", "Doors shall be green."))
    assert [change.at[:10] for change in store.changes(2)] == ["2026-03-09", "2026-03-09"]
    assert found(store.as_of("2026-03-09"), "green")


def test_the_past_cannot_be_written(store: WritableStore) -> None:
    if isinstance(store, SqliteStore):
        assert not isinstance(store.as_of("0"), SqliteStore)
