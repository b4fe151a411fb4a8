"""Reads files in a separate process, under limits of time and memory. A file that hangs, crashes or eats its
parser costs that file and nothing else.

The worker lives on from file to file and is started when first needed. It is started anew with Popen, never
forked: this process may hold threads and locks. Nothing of the parsers is imported here.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO

from pincite.adapters.readers import KINDS, TABLE
from pincite.adapters.readers.builder import refused
from pincite.core.codec import reading_of
from pincite.core.documents import OutcomeKind, Reading, Source

ENCRYPTED_OFFICE = "application/x-encrypted-office"


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

    def deadline(self, size: int) -> float:
        return self.seconds * (1 + size / self.bytes_per_allowance)


class SandboxedReader:
    """Implements `pincite.core.ports.DocumentReader`. Not for sharing by threads."""

    def __init__(self, limits: Limits | None = None, table: Mapping[str, tuple[str, str]] = TABLE) -> None:
        self._limits = limits or Limits()
        self._table = table
        self._worker: _Worker | None = None

    def version_for(self, media_type: str) -> str:
        return self._table[media_type][0] if media_type in self._table else "none/0"

    def read(self, source: Source) -> Reading:
        name = self.version_for(source.media_type)
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
        return self._in_worker(source, name)

    def close(self) -> None:
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def _in_worker(self, source: Source, name: str) -> Reading:
        if self._worker is None or not self._worker.fit(self._limits.files_per_worker):
            self.close()
            self._worker = _Worker(self._limits)
        seconds = self._limits.deadline(source.size)
        request = {"path": source.path, "reader": name, "class": self._table[source.media_type][1]}
        request["cpu_seconds"] = str(math.ceil(seconds))
        # ASCII, so that a file name that is no UTF-8 travels as escapes and arrives as it was.
        answer = self._worker.ask(json.dumps(request), seconds)
        if answer is not None:
            return reading_of(answer)
        ended = self._worker.ended_with()
        self.close()
        if ended is None:
            message = f"Reading took longer than {seconds:.0f} seconds and was stopped."
            return refused(name, OutcomeKind.FAILED, message, code="timeout", hint="Split the file or simplify it.")
        if ended == -getattr(signal, "SIGXCPU", 0):
            message = "Reading used too much processor time and was stopped."
            return refused(name, OutcomeKind.FAILED, message, code="timeout", hint="Split the file or simplify it.")
        return refused(name, OutcomeKind.FAILED, f"The reader's process ended with {_word_for(ended)}.", code="crashed")


class _Worker:
    """The worker process and the thread that reads its answers, so that waiting for one can end."""

    def __init__(self, limits: Limits) -> None:
        settings = {"memory_bytes": limits.memory_bytes}
        # -I keeps the caller's folder and environment out of the worker's imports; the paths that this
        # process imports from are passed on so that an editable install works too.
        start = f"import sys; sys.path[:] = {sys.path!r}; from pincite.adapters.readers.worker import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", start, json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._files = 0
        self._answers: queue.Queue[str | None] = queue.Queue()
        assert self._process.stdout is not None
        self._thread = threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True)
        self._thread.start()

    def fit(self, most: int) -> bool:
        return self._process.poll() is None and self._files < most

    def ask(self, request: str, seconds: float) -> str | None:
        """The answer line, or None when the process ended or the time ran out."""
        self._files += 1
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(request.encode("ascii") + b"\n")
            stdin.flush()
            return self._answers.get(timeout=seconds)
        except (BrokenPipeError, queue.Empty):
            return None

    def ended_with(self) -> int | None:
        """The exit code, or None while the process still runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(timeout=0.5)
        return None

    def stop(self) -> None:
        """End the process and whatever it started."""
        if self._process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()
        if self.ended_with() is None:
            self._kill()
        self._process.wait()
        self._thread.join(timeout=5)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _kill(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _listen(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._answers.put(line.decode("utf-8"))
        self._answers.put(None)


def _unsupported(reader: str, media_type: str) -> Reading:
    what = KINDS.get(media_type, f"files of the type {media_type}")
    hint = "Save it as PDF, HTML, Markdown or plain text and ingest that."
    return refused(reader, OutcomeKind.UNSUPPORTED, f"pincite cannot read {what} yet.", code=media_type, hint=hint)


def _word_for(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return f"signal {signal.Signals(-code).name}"
    return f"signal {-code}"
