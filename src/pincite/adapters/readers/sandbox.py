"""Reads files in processes of their own, under limits of time and memory. A file that hangs, crashes or eats
its parser costs that file and nothing else.

A few workers live on from file to file and are started when first needed. Pictures of text go through a second
pass in another worker, one at a time: a recogniser needs far more memory and time than a parser may have.
Nothing of the parsers is imported here.
"""

from __future__ import annotations

import json
import math
import queue
import signal
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, replace
from typing import Any

from pincite.adapters.media_types import ENCRYPTED_OFFICE
from pincite.adapters.readers import KINDS, TABLE
from pincite.adapters.readers.builder import refused
from pincite.adapters.readers.ocr_choice import OcrChoice
from pincite.adapters.readers.process import OnStep, WorkerProcess, word_for
from pincite.core.codec import reading_of
from pincite.core.documents import Outcome, OutcomeKind, Reading, Source

DEEPEST = 3
"""Levels of files inside files that are opened."""
_MAY_SEE_MORE = (OutcomeKind.NO_TEXT_LAYER, OutcomeKind.PARTIAL)
_PICTURES = frozenset({"no_text_layer", "no_unicode", "unreadable_pages", ""})


@dataclass(frozen=True)
class Limits:
    """What one file may cost."""

    seconds: float = 60.0
    """Wall time for a file, and as much again for every `bytes_per_allowance` of it."""
    bytes_per_allowance: int = 20_000_000
    memory_bytes: int = 1536 * 1024 * 1024
    file_bytes: int = 512 * 1024 * 1024
    files_per_worker: int = 500
    """After so many files the worker is replaced, so that a leak in a parser stays small."""
    page_seconds: float = 60.0
    """Wall time for each page that goes through a recogniser."""
    ocr_memory_bytes: int = 4096 * 1024 * 1024

    def deadline(self, size: int) -> float:
        return self.seconds * (1 + size / self.bytes_per_allowance)


class SandboxedReader:
    """Implements `pincite.core.ports.DocumentReader`. May be shared by threads."""

    def __init__(
        self,
        limits: Limits | None = None,
        table: Mapping[str, tuple[str, str]] = TABLE,
        *,
        workers: int = 1,
        ocr: OcrChoice | None = None,
    ) -> None:
        self._limits = limits or Limits()
        self._table = table
        self._ocr = ocr
        self._workers = workers
        plain = {"memory_bytes": self._limits.memory_bytes, "table": dict(table)}
        self._slots: queue.LifoQueue[_Slot] = queue.LifoQueue()
        self._all = [_Slot(plain, self._limits.files_per_worker) for _ in range(workers)]
        for slot in self._all:
            self._slots.put(slot)
        chosen = {"engine": ocr.engine, "languages": list(ocr.languages)} if ocr else None
        seeing = {**plain, "memory_bytes": self._limits.ocr_memory_bytes, "ocr": chosen}
        self._seeing = _Slot(seeing, self._limits.files_per_worker)
        self._one_at_a_time = threading.Lock()
        self._threads: ThreadPoolExecutor | None = None

    @property
    def ahead(self) -> int:
        return 4 * self._workers

    def version_for(self, media_type: str) -> str:
        return self._table[media_type][0] if media_type in self._table else "none/0"

    def is_settled(self, media_type: str, reader: str, outcome: Outcome) -> bool:
        """A reader that changed, or a recogniser where pages were not seen before, may give more."""
        base, _, engine = reader.partition("+")
        if base != self.version_for(media_type):
            return False
        return bool(engine) or self._ocr is None or not _may_see_more(outcome)

    def read(self, source: Source) -> Reading:
        return self._read(source, None)

    def start(self, source: Source) -> _Pending:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._workers, thread_name_prefix="pincite-reader")
        pending = _Pending()
        pending.future = self._threads.submit(self._read, source, pending.step)
        return pending

    def running(self) -> list[int]:
        """The ids of the processes that are up."""
        slots = [*self._all, self._seeing]
        return [slot.process for slot in slots if slot.process]

    def close(self) -> None:
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
            self._threads = None
        for slot in [*self._all, self._seeing]:
            slot.close()

    def _read(self, source: Source, on_step: OnStep | None) -> Reading:
        name = self.version_for(source.media_type)
        refusal = self._refusal(source, name)
        if refusal is not None:
            return refusal
        request = {
            "path": source.path,
            "name": source.name,
            "reader": name,
            "type": source.media_type,
            "inside": list(source.inside),
        }
        slot = self._slots.get()
        try:
            reading = self._ask(slot, request, self._limits.deadline(source.size), on_step)
        finally:
            self._slots.put(slot)
        if self._ocr is None or not _may_see_more(reading.outcome):
            return reading
        pages = max(1, len(reading.outcome.pages))
        seconds = self._limits.deadline(source.size) + pages * self._limits.page_seconds
        with self._one_at_a_time:
            seen = self._ask(self._seeing, {**request, "see": True}, seconds, on_step)
        return _better(reading, seen)

    def _refusal(self, source: Source, name: str) -> Reading | None:
        """What needs no worker to be told."""
        if source.media_type == ENCRYPTED_OFFICE:
            hint = "Save a copy without the password and ingest that."
            return refused(
                name, OutcomeKind.PASSWORD, "The Office file asks for a password.", code="encrypted", hint=hint
            )
        if source.size == 0:
            return refused(name, OutcomeKind.EMPTY, "The file has no bytes.", code="no_bytes")
        if source.media_type not in self._table:
            return _unsupported(name, source.media_type)
        if source.size > self._limits.file_bytes:
            most = self._limits.file_bytes // (1024 * 1024)
            return refused(name, OutcomeKind.TOO_BIG, f"The file is larger than {most} MiB.", code="file_size")
        if len(source.inside) > DEEPEST:
            message = f"The file lies more than {DEEPEST} files deep in another."
            return refused(name, OutcomeKind.TOO_BIG, message, code="nesting", hint="Take it out and ingest it.")
        return None

    def _ask(self, slot: _Slot, request: dict[str, Any], seconds: float, on_step: OnStep | None) -> Reading:
        name = str(request["reader"])
        # ASCII, so that a file name that is no UTF-8 travels as escapes and arrives as it was.
        line = json.dumps({**request, "cpu_seconds": math.ceil(seconds) * slot.processors})
        worker = slot.worker()
        answer = worker.ask(line, seconds, on_step)
        if answer is not None:
            return reading_of(answer)
        ended = worker.ended_with()
        slot.close()
        if ended is None:
            message = f"Reading took longer than {seconds:.0f} seconds and was stopped."
            return refused(name, OutcomeKind.FAILED, message, code="timeout", hint="Split the file or simplify it.")
        if ended == -getattr(signal, "SIGXCPU", 0):
            message = "Reading used too much processor time and was stopped."
            return refused(name, OutcomeKind.FAILED, message, code="timeout", hint="Split the file or simplify it.")
        return refused(name, OutcomeKind.FAILED, f"The reader's process ended with {word_for(ended)}.", code="crashed")


class _Slot:
    """Room for one worker, which is started when it is needed and replaced when it is worn."""

    def __init__(self, settings: Mapping[str, Any], most_files: int) -> None:
        self._settings = settings
        self._most_files = most_files
        self._worker: WorkerProcess | None = None
        self.processors = 8 if settings.get("ocr") else 1
        """A recogniser computes on several at once, and processor time counts them all."""

    @property
    def process(self) -> int:
        return self._worker.pid if self._worker is not None else 0

    def worker(self) -> WorkerProcess:
        if self._worker is None or not self._worker.fit(self._most_files):
            self.close()
            self._worker = WorkerProcess(self._settings)
        return self._worker

    def close(self) -> None:
        if self._worker is not None:
            self._worker.stop()
            self._worker = None


class _Pending:
    """Implements `pincite.core.ports.PendingReading`."""

    def __init__(self) -> None:
        self.pages = (0, 0)
        self.future: Future[Reading] = Future()

    def step(self, done: int, total: int) -> None:
        self.pages = (done, total)

    def wait(self, seconds: float) -> Reading | None:
        try:
            return self.future.result(timeout=seconds)
        except NotYet:
            return None


def _may_see_more(outcome: Outcome) -> bool:
    return outcome.kind in _MAY_SEE_MORE and outcome.code in _PICTURES


def _better(reading: Reading, seen: Reading) -> Reading:
    """The second reading, unless it failed where the first did not."""
    if seen.outcome.usable or seen.outcome.kind in (OutcomeKind.EMPTY, OutcomeKind.NO_TEXT_LAYER):
        return seen
    message = f"{reading.outcome.message} Recognition failed: {seen.outcome.message}"
    return replace(reading, outcome=replace(reading.outcome, message=message, hint=seen.outcome.hint))


def _unsupported(reader: str, media_type: str) -> Reading:
    what = KINDS.get(media_type, f"files of the type {media_type}")
    hint = "Save it as PDF, HTML, Markdown or plain text and ingest that."
    return refused(reader, OutcomeKind.UNSUPPORTED, f"pincite cannot read {what}.", code=media_type, hint=hint)
