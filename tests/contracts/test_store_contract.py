"""What every store must do; run on the real one and on the shipped fake."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from builders import EMBEDDER, draft, failure
from pincite.adapters.sqlite import open_for_writing
from pincite.core.errors import IndexMismatch, UnknownName
from pincite.core.ports import Filter, WritableStore
from pincite.core.reports import IngestReport
from pincite.core.text import index_terms
from pincite.testing import FakeEmbedder, MemoryStore

ALL = Filter()


@pytest.fixture(params=["sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WritableStore]:
    if request.param == "memory":
        made: WritableStore = MemoryStore("test")
        made.use_embedder(EMBEDDER.identity)
        yield made
        return
    opened = open_for_writing(tmp_path / "test.db", "test")
    opened.use_embedder(EMBEDDER.identity)
    yield opened
    opened.close()


def words(store: WritableStore, query: str, where: Filter = ALL) -> list[str]:
    """The texts that the lexical lane finds, best first."""
    keys = [key for key, _ in store.lexical.search(index_terms(query), 20, where)]
    return [passage.chunk.text for passage in store.passages(keys)]


def near(store: WritableStore, query: str, where: Filter = ALL) -> list[str]:
    row = EMBEDDER.embed_queries([query]).row(0)
    return [p.chunk.text for p in store.passages([key for key, _ in store.vectors.search(row, 20, where)])]


def test_what_is_saved_can_be_read(store: WritableStore) -> None:
    made = draft("/a/code.md", "# Doors\n\nDoors shall be wide.\n\n# Gates\n\nGates shall be open.", tags=["b", "a"])
    saved = store.save(made)
    assert store.find("code.md") == store.find(str(saved.id)) == store.find("/a/code.md") == saved
    assert (saved.revision, saved.tags, saved.chunks) == (1, ("a", "b"), 2)
    assert store.revision(saved.id).reading == made.reading
    assert tuple(store.chunks(saved.id)) == made.chunks
    assert store.coverage().documents == 1


def test_both_lanes_find_it(store: WritableStore) -> None:
    store.save(draft("/a/code.md", "Doors shall be wide."))
    store.save(draft("/a/zoo.md", "Elephants eat grass."))
    assert words(store, "wide doors") == ["Doors shall be wide."]
    assert near(store, "wide doors")[0] == "Doors shall be wide."
    assert store.lexical.size() == store.vectors.size() == 2


def test_old_and_new_are_never_both_live(store: WritableStore) -> None:
    store.save(draft("/a/code.md", "Doors shall be red."))
    saved = store.save(draft("/a/code.md", "Doors shall be green."))
    assert saved.revision == 2
    assert words(store, "doors") == near(store, "doors") == ["Doors shall be green."]
    assert words(store, "red") == []
    assert store.revision(saved.id, 1).text == "Doors shall be red."
    assert store.chunks(saved.id, 1)[0].text == "Doors shall be red."
    assert store.lexical.size() == 1


def test_a_failed_refresh_leaves_the_last_good_revision_live(store: WritableStore) -> None:
    store.save(draft("/a/code.md", "Doors shall be red."))
    store.save_failure(failure("/a/code.md"))
    assert words(store, "red") == ["Doors shall be red."]
    known = store.known("/a/code.md")
    assert known is not None
    assert (known.revision, known.failure) == (1, failure("/a/code.md"))
    store.save(draft("/a/code.md", "Doors shall be green."))
    assert store.failures() == []


def test_failures_are_kept_with_their_reason(store: WritableStore) -> None:
    store.save_failure(failure("/a/b.pdf"))
    store.save_failure(failure("/a/a.pdf"))
    assert [item.uri for item in store.failures()] == ["/a/a.pdf", "/a/b.pdf"]
    assert store.failures()[0] == failure("/a/a.pdf")
    assert store.coverage().failed == 2
    assert store.known("/a/nothing.pdf") is None


def test_filters_come_before_the_limit(store: WritableStore) -> None:
    for number in range(30):
        store.save(draft(f"/many/{number}.md", f"Gate number {number} gate gate.", collection="many"))
    wanted = store.save(draft("/one/gate.md", "A gate.", collection="one", tags=["t"]))
    for where in (
        Filter(collection="one"),
        Filter(documents=(wanted.id,)),
        Filter(tags=("t",)),
        Filter(glob="/one/*"),
    ):
        keys = [key for key, _ in store.lexical.search(["gate"], 3, where)]
        assert [passage.document.id for passage in store.passages(keys)] == [wanted.id]
        row = EMBEDDER.embed_queries(["gate"]).row(0)
        keys = [key for key, _ in store.vectors.search(row, 3, where)]
        assert [passage.document.id for passage in store.passages(keys)] == [wanted.id]
        assert [document.id for document in store.documents(where)] == [wanted.id]


def test_the_same_words_in_two_documents_are_two_passages(store: WritableStore) -> None:
    store.save(draft("/a/one.md", "Key boxes shall be installed."))
    store.save(draft("/b/one.md", "Key boxes shall be installed."))
    assert len(words(store, "key boxes")) == 2
    assert len(store.stored_vectors([])) == 0
    with pytest.raises(UnknownName):
        store.find("one.md")


def test_vectors_are_kept_by_what_was_embedded(store: WritableStore) -> None:
    from pincite.core.documents import text_digest

    made = draft("/a/code.md", "Doors shall be wide.")
    store.save(made)
    digest = text_digest(made.chunks[0].searchable)
    found = store.stored_vectors([digest, "0" * 64])
    assert list(found) == [digest]
    cosine = store.vectors.scores(found[digest], [store.lexical.search(["door"], 1, ALL)[0][0], 10**9])
    assert list(cosine.values()) == [pytest.approx(1.0, abs=1e-3)]


def test_another_embedder_is_refused(store: WritableStore) -> None:
    store.use_embedder(EMBEDDER.identity)
    with pytest.raises(IndexMismatch):
        store.use_embedder(FakeEmbedder("other").identity)
    assert store.vectors.identity() == EMBEDDER.identity.key


def test_without_vectors_the_words_still_answer(store: WritableStore) -> None:
    store.save(draft("/a/code.md", "Doors shall be wide.", embedder=None))
    assert words(store, "doors")
    assert store.vectors.size() == 0
    assert near(store, "doors") == []


def test_a_child_shows_its_parent(store: WritableStore) -> None:
    text = "# Doors\n\n" + " ".join(
        f"Sentence number {n} speaks of doors and their width in detail." for n in range(12)
    )
    store.save(draft("/a/code.md", text, profile="children"))
    key = store.lexical.search(["width"], 1, ALL)[0][0]
    child, parent = store.passages([key])[0].chunk, store.parents([key])[key].chunk
    assert parent.start <= child.start < child.end <= parent.end
    assert len(parent.text) > len(child.text)
    assert not parent.indexed


def test_a_term_asked_twice_weighs_double(store: WritableStore) -> None:
    store.save(draft("/a/code.md", "Doors shall be wide."))
    once = store.lexical.search(["door"], 1, ALL)[0][1]
    assert store.lexical.search(["door", "door"], 1, ALL)[0][1] == pytest.approx(2 * once)


def test_equal_passages_come_in_order_of_their_keys_also_at_the_cut(store: WritableStore) -> None:
    for number in range(12):
        store.save(draft(f"/a/{number:02}.md", "Doors shall be wide."))
    row = EMBEDDER.embed_queries(["doors"]).row(0)
    everything = [key for key, _ in store.vectors.search(row, 20, ALL)]
    assert everything == sorted(everything)
    assert len(everything) == 12
    for limit in (1, 5, 11):
        assert [key for key, _ in store.vectors.search(row, limit, ALL)] == everything[:limit]
        assert [key for key, _ in store.lexical.search(["door"], limit, ALL)] == everything[:limit]


def test_a_query_of_another_dimension_is_refused(store: WritableStore) -> None:
    store.save(draft("/a/code.md", "Doors shall be wide."))
    key = store.lexical.search(["door"], 1, ALL)[0][0]
    short = EMBEDDER.embed_queries(["doors"]).row(0)[:-8]
    with pytest.raises(IndexMismatch):
        store.vectors.search(short, 5, ALL)
    with pytest.raises(IndexMismatch):
        store.vectors.scores(short, [key])


@pytest.mark.parametrize("reference", ["cod.md", "9" * 30, "9" * 5000, "cod\udcff.md", "", "0", "-1", "１"])
def test_a_document_that_is_not_there_is_said_so(store: WritableStore, reference: str) -> None:
    saved = store.save(draft("/a/code.md", "Doors shall be wide."))
    with pytest.raises(UnknownName) as caught:
        store.find(reference)
    assert caught.value.hint
    assert "code.md" in caught.value.hint or not reference.endswith(".md")
    for call in (store.revision, store.chunks):
        with pytest.raises(UnknownName):
            call(saved.id + 1)
        with pytest.raises(UnknownName):
            call(saved.id, 2)


def test_globs_are_those_of_sqlite(store: WritableStore) -> None:
    for name in ("a1", "a2", "b1", "!1"):
        store.save(draft(f"/x/{name}.md", "Doors shall be wide."))
    found = {
        glob: [document.name for document in store.documents(Filter(glob=glob))]
        for glob in ("/x/a*", "/x/[^a]1.md", "/x/[!a]1.md", "*/?2.md", "/X/*")
    }
    assert found == {
        "/x/a*": ["a1.md", "a2.md"],
        "/x/[^a]1.md": ["!1.md", "b1.md"],
        "/x/[!a]1.md": ["!1.md", "a1.md"],
        "*/?2.md": ["a2.md"],
        "/X/*": [],
    }


def test_frequencies_count_passages(store: WritableStore) -> None:
    store.save(draft("/a/a.md", "Door door door."))
    store.save(draft("/a/b.md", "Door gate."))
    assert store.lexical.frequencies(["door", "gate", "lion"]) == {"door": 2, "gate": 1, "lion": 0}


@given(st.lists(st.text(max_size=12), max_size=6))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_nothing_in_a_term_is_syntax(store: WritableStore, terms: list[str]) -> None:
    store.save(draft("/a/code.md", "Doors shall be wide."))
    store.lexical.search(terms, 5, ALL)
    assert words(store, "door") == ["Doors shall be wide."]
    assert len(store.lexical.search([*terms, "door"], 5, ALL)) == 1
    assert set(store.lexical.frequencies(terms)) == set(terms)


MARKS = st.sampled_from(list("abzABZ019 .-_'/:,&@+#\"()*^{}~$%!?|<>=;\\é第条東京กา\x00\x7f\n"))


@given(st.text(MARKS, max_size=60))
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_every_term_of_a_text_finds_it(store: WritableStore, text: str) -> None:
    """The index keeps each term of the one tokeniser whole, whatever marks it holds."""
    saved = store.save(draft("/a/code.md", f"Sign {text}"))
    chunks = store.chunks(saved.id)
    for term in {term for chunk in chunks for term in index_terms(chunk.text)}:
        holders = [chunk.text for chunk in chunks if term in index_terms(chunk.text)]
        keys = [key for key, _ in store.lexical.search([term], 50, ALL)]
        assert sorted(p.chunk.text for p in store.passages(keys)) == sorted(holders)
        assert store.lexical.frequencies([term]) == {term: len(holders)}


@pytest.mark.parametrize("text", ["D103.4", "C++", "C#", "X-200", "foo_bar", "第61條", "KubePodCrashLooping", "1.0.21"])
def test_identifiers_are_found_whole(store: WritableStore, text: str) -> None:
    store.save(draft("/a/a.md", f"It is written in {text} here."))
    store.save(draft("/a/b.md", "It is written in C, D103, X, foo, bar and 1.0 here."))
    assert words(store, text)[0] == f"It is written in {text} here."


def test_status_tells_what_is_there(store: WritableStore) -> None:
    store.save(draft("/a/code.md", "Doors shall be wide.", collection="codes"))
    store.save_run(IngestReport((), 0, 0), "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:09+00:00")
    status = store.status()
    assert (status.name, status.vectors, status.embedder) == ("test", 1, "fake")
    assert status.collections == {"codes": 1}
    assert status.last_run == "2026-01-01T00:00:09+00:00"
