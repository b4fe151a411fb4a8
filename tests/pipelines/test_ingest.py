"""Ingest: every file gets an entry, nothing is embedded twice, one bad file harms no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.adapters.files import discover, source_of
from pincite.core.chunking import PROFILES
from pincite.core.documents import Outcome, OutcomeKind
from pincite.core.errors import BackendError, IndexMismatch
from pincite.core.history import TrashReason
from pincite.core.ports import Filter, Vectors
from pincite.core.reports import Change, IngestProgress, IngestReport
from pincite.pipelines.ingest import Ingester, ingest_files
from pincite.pipelines.saving import Labels
from pincite.testing import FakeEmbedder, FakeReader, MemoryStore

CORRUPT = Outcome(OutcomeKind.CORRUPT, "broken", "It is broken.", "Mend it.")


class Bench:
    """An ingester of fakes over a folder of real files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = MemoryStore()
        self.embedder: FakeEmbedder | None = FakeEmbedder()
        self.reader = FakeReader()
        self.steps: list[IngestProgress] = []

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / f"{name}.md").write_text(text)

    def run(self, *, retry: bool = False, force: bool = False, **labels: object) -> IngestReport:
        ingester = Ingester(
            store=self.store,
            reader=self.reader,
            identify=source_of,
            embedder=self.embedder,
            no_embedder="it is switched off",
            profile=PROFILES["sections"],
            now=lambda: "2026-01-01T00:00:00+00:00",
        )
        paths = list(discover([self.folder]))
        made = Labels(**labels)  # type: ignore[arg-type]
        return ingest_files(ingester, paths, made, self.steps.append, retry=retry, force=force)

    def changes(self, report: IngestReport) -> dict[str, str]:
        return {entry.name: entry.change.value for entry in report.entries}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_files_in_are_entries_out(bench: Bench) -> None:
    bench.write(a="Doors are wide.", b="Gates are open.", c="broken", d="")
    bench.reader.outcomes["c.md"] = CORRUPT
    report = bench.run()
    assert bench.changes(report) == {"a.md": "added", "b.md": "added", "c.md": "failed", "d.md": "failed"}
    assert report.reasons() == {"corrupt": 1, "empty": 1}
    assert [failure.name for failure in bench.store.failures()] == ["c.md", "d.md"]
    assert [step.done for step in bench.steps] == [1, 2, 3, 4]
    assert {step.total for step in bench.steps} == {4}


def test_a_second_run_embeds_nothing_and_reads_nothing(bench: Bench) -> None:
    bench.write(a="Doors are wide.", c="broken")
    bench.reader.outcomes["c.md"] = CORRUPT
    bench.run()
    read, asked = list(bench.reader.read_names), list(bench.embedder.asked if bench.embedder else [])
    report = bench.run()
    assert bench.changes(report) == {"a.md": "unchanged", "c.md": "failed"}
    assert report.embedded == report.reused == 0
    assert bench.reader.read_names == read
    assert bench.embedder is not None
    assert bench.embedder.asked == asked
    assert [entry.known for entry in report.entries] == [False, True]


def test_an_edited_file_is_a_new_revision_and_only_its_new_passages_are_embedded(bench: Bench) -> None:
    bench.write(a="# One\n\nDoors are wide.\n\n# Two\n\nGates are open.")
    bench.run()
    bench.write(a="# One\n\nDoors are wide.\n\n# Two\n\nGates are shut.")
    report = bench.run()
    assert bench.changes(report) == {"a.md": "updated"}
    assert (report.embedded, report.reused) == (1, 1)
    (document,) = bench.store.documents(Filter())
    assert document.revision == 2


def test_equal_passages_are_embedded_once(bench: Bench) -> None:
    bench.write(a="Doors are wide.", b="Doors are wide.", c="Doors are wide.")
    assert bench.run().embedded == 1
    assert bench.store.vectors.size() == 3


def test_a_failed_refresh_keeps_the_last_good_revision(bench: Bench) -> None:
    bench.write(a="Doors are wide.")
    bench.run()
    bench.write(a="Doors are now broken.")
    bench.reader.outcomes["a.md"] = CORRUPT
    (entry,) = bench.run().entries
    assert (entry.change, entry.kept_revision) == (Change.FAILED, 1)
    assert bench.store.revision(1).text == "Doors are wide."


def test_a_new_reader_version_tries_again(bench: Bench) -> None:
    bench.write(c="broken")
    bench.reader.outcomes["c.md"] = CORRUPT
    bench.run()
    bench.reader.outcomes.clear()
    bench.reader.version = "fake/2"
    assert bench.changes(bench.run()) == {"c.md": "added"}
    assert bench.store.failures() == []


def test_without_an_embedder_the_words_go_in_and_it_is_said(bench: Bench) -> None:
    bench.embedder = None
    bench.write(a="Doors are wide.")
    report = bench.run()
    assert report.lexical_only == "it is switched off"
    assert bench.store.lexical.size() == 1
    assert bench.store.vectors.size() == 0


def test_a_file_that_cannot_be_opened_is_an_entry(bench: Bench) -> None:
    bench.write(a="Doors are wide.")
    (bench.folder / "b.md").symlink_to(bench.folder / "gone.md")
    report = bench.run()
    assert bench.changes(report) == {"a.md": "added", "b.md": "failed"}
    assert report.entries[1].outcome.code == "unreadable"


def test_labels_reach_the_documents(bench: Bench) -> None:
    bench.write(a="Doors are wide.")
    bench.run(collection="codes", tags=("fire", "doors"))
    (document,) = bench.store.documents(Filter(collection="codes"))
    assert document.tags == ("doors", "fire")


def test_another_embedder_stops_before_anything_is_read(bench: Bench) -> None:
    bench.write(a="Doors are wide.")
    bench.run()
    bench.embedder = FakeEmbedder("other")
    with pytest.raises(IndexMismatch):
        bench.run()


def test_a_long_document_shows_progress_while_it_is_embedded(bench: Bench) -> None:
    bench.write(a="\n\n".join(f"# Part {n}\n\nDoor number {n} is wide." for n in range(500)))
    bench.run()
    assert [(step.done, step.passages) for step in bench.steps] == [(0, 192), (0, 384), (1, 500)]


class BreaksLater(FakeEmbedder):
    """Works for the first passages and then not."""

    def embed_passages(self, texts: list[str]) -> Vectors:  # type: ignore[override]
        if len(self.asked) > 190:
            raise BackendError("The model stopped.", "Start it again.")
        return super().embed_passages(texts)


def test_what_was_saved_before_a_model_broke_stays(bench: Bench) -> None:
    bench.embedder = BreaksLater()
    for number in range(300):
        bench.write(**{f"n{number:03}": f"Door number {number} is wide."})
    with pytest.raises(BackendError):
        bench.run()
    assert bench.store.coverage().documents == 192
    bench.embedder = FakeEmbedder()
    report = bench.run()
    assert (report.count(Change.UNCHANGED), report.count(Change.ADDED)) == (192, 108)


def test_what_is_inside_a_file_becomes_documents_before_it(bench: Bench) -> None:
    bench.write(mail="A mail with two files.")
    bench.reader.attached["mail.md"] = {"one.md": "Doors are wide.", "two.md": "Gates are open."}
    bench.reader.attached["one.md"] = {"deep.md": "Hinges are oiled."}
    report = bench.run()
    assert bench.changes(report) == {"mail.md": "added", "one.md": "added", "deep.md": "added", "two.md": "added"}
    mail, one, deep, two = report.entries
    assert one.parent == two.parent == mail.uri
    assert deep.parent == one.uri
    assert deep.uri == f"{mail.uri}#one.md/one.md#deep.md/deep.md"
    # The file is saved last: a run that is cut short before leaves it to be read again.
    assert mail.document == max(entry.document or 0 for entry in report.entries)
    assert bench.steps[-1].done == bench.steps[-1].total == 4


def test_a_bad_attachment_costs_itself_alone_and_is_tried_again_on_demand(bench: Bench) -> None:
    bench.write(mail="A mail with two files.")
    bench.reader.attached["mail.md"] = {"one.md": "Doors are wide.", "two.md": "Gates are open."}
    bench.reader.outcomes["two.md"] = CORRUPT
    assert bench.changes(bench.run()) == {"mail.md": "added", "one.md": "added", "two.md": "failed"}
    bench.reader.outcomes.clear()
    assert bench.changes(bench.run()) == {"mail.md": "unchanged"}
    assert bench.changes(bench.run(retry=True)) == {"mail.md": "unchanged", "one.md": "unchanged", "two.md": "added"}
    assert bench.store.failures() == []


def test_a_retry_reads_what_was_only_a_part_and_keeps_its_labels(bench: Bench) -> None:
    bench.write(a="Doors are wide.", b="Gates are open.")
    bench.reader.partial["a.md"] = Outcome(OutcomeKind.PARTIAL, "no_text_layer", "Half of it.", "", (2,))
    bench.run(collection="codes", tags=("fire",))
    report = bench.run(retry=True, keep=True)
    assert bench.changes(report) == {"a.md": "updated", "b.md": "unchanged"}
    (again,) = [document for document in bench.store.documents(Filter()) if document.name == "a.md"]
    assert (again.collection, again.tags) == ("codes", ("fire",))


def test_an_unchanged_file_that_was_read_in_part_still_says_so(bench: Bench) -> None:
    bench.write(a="Doors are wide.")
    bench.reader.partial["a.md"] = Outcome(OutcomeKind.PARTIAL, "no_text_layer", "Half of it.", "", (2,))
    assert bench.run().entries[0].outcome.kind is OutcomeKind.PARTIAL
    (entry,) = bench.run().entries
    assert (entry.change, entry.outcome.kind) == (Change.UNCHANGED, OutcomeKind.PARTIAL)
    assert bench.changes(bench.run(retry=True)) == {"a.md": "updated"}


def test_by_force_everything_is_read_and_only_what_differs_is_saved(bench: Bench) -> None:
    bench.write(a="Doors are wide.", b="Gates are open.")
    bench.run(collection="codes")
    report = bench.run(force=True, keep=True)
    assert bench.changes(report) == {"a.md": "unchanged", "b.md": "unchanged"}
    assert (report.embedded, bench.store.find("a.md").revision) == (0, 1)
    bench.reader = FakeReader(version="fake/2")
    report = bench.run(force=True, keep=True)
    assert bench.changes(report) == {"a.md": "updated", "b.md": "updated"}
    assert report.embedded == 0
    assert {(d.revision, d.collection) for d in bench.store.documents(Filter())} == {(2, "codes")}


def test_by_force_vectors_that_are_missing_are_made(bench: Bench) -> None:
    bench.write(a="Doors are wide.")
    embedder, bench.embedder = bench.embedder, None
    bench.run()
    bench.embedder = embedder
    assert bench.changes(bench.run(force=True)) == {"a.md": "updated"}
    assert bench.store.vectors.size() == 1


def test_by_force_a_file_that_fails_now_keeps_its_last_good_revision(bench: Bench) -> None:
    bench.write(a="Doors are wide.")
    bench.run()
    bench.reader = FakeReader({"a.md": CORRUPT})
    report = bench.run(force=True, keep=True)
    assert (report.entries[0].change, report.entries[0].kept_revision) == (Change.FAILED, 1)
    bench.reader = FakeReader()
    assert bench.changes(bench.run(force=True, keep=True)) == {"a.md": "updated"}
    assert bench.store.failures() == []


def test_by_force_what_a_person_did_stays(bench: Bench) -> None:
    """An earlier revision that was brought back, and an attachment that was forgotten."""
    bench.write(a="Doors are wide.", mail="See the file.")
    bench.reader.attached["mail.md"] = {"inner.txt": "Ramps are gentle."}
    bench.run()
    bench.write(a="Doors are red.")
    bench.run()
    document = bench.store.find("a.md").id
    bench.store.keeper.restore_revision(document, 1, "the old text was right")
    bench.store.keeper.trash([bench.store.find("inner.txt").id], TrashReason.FORGOTTEN)
    bench.reader.version = "fake/2"
    report = bench.run(force=True, keep=True)
    assert bench.changes(report) == {"a.md": "unchanged", "inner.txt": "unchanged", "mail.md": "updated"}
    assert bench.store.revision(document).text == "Doors are wide."
    assert {found.name for found in bench.store.documents(Filter())} == {"a.md", "mail.md"}
