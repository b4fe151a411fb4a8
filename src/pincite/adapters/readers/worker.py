"""The reader's worker process: one request a line in, one answer a line out.

Started by `sandbox.py`. It limits itself before it loads any parser, keeps the protocol on a descriptor of
its own so that no library's chatter can break it, and ends when its standard input does.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from pincite.adapters.readers.builder import Refused, refused
from pincite.adapters.readers.content import Content
from pincite.adapters.readers.process import STEP
from pincite.core.codec import reading_text
from pincite.core.documents import OutcomeKind, Reading

if TYPE_CHECKING:
    from pincite.adapters.readers.recognise import Recogniser


MOST_TEXT = 100_000_000
"""Characters of one file: some two hundred novels of the longest sort."""
_STEP_SECONDS = 0.2


def main() -> None:
    settings = json.loads(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _limit(settings)
    worker = _Worker(settings, answers)
    for line in sys.stdin:
        request = json.loads(line)
        _limit_time(int(request["cpu_seconds"]))
        answers.write(worker.answer(request))
        answers.write("\n")
        answers.flush()


class _Worker:
    def __init__(self, settings: dict[str, Any], answers: TextIO) -> None:
        self._table: dict[str, tuple[str, str]] = settings["table"]
        self._ocr: dict[str, Any] = settings.get("ocr") or {}
        self._answers = answers
        self._readers: dict[str, Any] = {}
        self._recogniser: Recogniser | None = None
        self._told = 0.0

    def answer(self, request: dict[str, Any]) -> str:
        """The Reading of one file as a line. Whatever a parser throws at a hostile file is an outcome: this is
        the boundary where nothing may pass."""
        name = str(request["reader"])
        try:
            reading = self._read(request)
            if len(reading.text) > MOST_TEXT:
                message = f"The file holds more than {MOST_TEXT:,} characters."
                reading = refused(name, OutcomeKind.TOO_BIG, message, code="text", hint="Split it.")
            return reading_text(reading)
        except Refused as fault:
            return reading_text(refused(name, fault.kind, fault.message, code=fault.code, hint=fault.hint))
        except MemoryError:
            message = "Reading the file needs too much memory."
            return reading_text(refused(name, OutcomeKind.TOO_BIG, message, code="memory"))
        except OSError as fault:
            why = fault.strerror or type(fault).__name__
            message = f"The file cannot be read: {why}."
            return reading_text(refused(name, OutcomeKind.FAILED, message, code="unreadable"))
        except RecursionError:
            return reading_text(refused(name, OutcomeKind.CORRUPT, "The file nests too deeply.", code="too_deep"))
        except Exception as fault:  # noqa: BLE001 - see the docstring
            print(f"{request['path']}: {fault!r}", file=sys.stderr)  # noqa: T201 - for the person who debugs a reader
            message = f"The reader failed on this file: {type(fault).__name__}: {str(fault)[:200]}"
            return reading_text(refused(name, OutcomeKind.FAILED, message, code="reader_error"))

    def _read(self, request: dict[str, Any]) -> Reading:
        path = Path(request["path"])
        data: bytes | None = None
        for media_type, key in request["inside"]:
            data = self._reader(media_type).attachment(Content(path, data), key)
            if data is None:
                raise Refused(OutcomeKind.FAILED, "The attachment is no longer in its file.", "attachment_gone")
        recogniser = self._seeing() if request.get("see") else None
        content = Content(path, data, str(request["name"]), self._step, recogniser)
        reading: Reading = self._reader(request["type"]).read(content)
        return reading

    def _reader(self, media_type: str) -> Any:
        if media_type not in self._readers:
            module, _, attribute = self._table[media_type][1].partition(":")
            self._readers[media_type] = getattr(import_module(module), attribute)()
        return self._readers[media_type]

    def _seeing(self) -> Recogniser:
        if self._recogniser is None:
            from pincite.adapters.readers.ocr_choice import OcrChoice
            from pincite.adapters.readers.recognise import recogniser

            self._recogniser = recogniser(OcrChoice(self._ocr["engine"], tuple(self._ocr["languages"])))
        return self._recogniser

    def _step(self, done: int, total: int) -> None:
        """Tell the parent how far this file has got, now and then."""
        now = time.monotonic()
        if now - self._told >= _STEP_SECONDS:
            self._told = now
            self._answers.write(f"{STEP}{done} {total}\n")
            self._answers.flush()


def _limit(settings: dict[str, Any]) -> None:
    """Limits on memory, files and core dumps, where the platform has them."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    _, most_files = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = 128 if most_files == resource.RLIM_INFINITY else min(128, most_files)
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, few))
    if sys.platform.startswith("linux"):
        memory = settings["memory_bytes"]
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def _limit_time(seconds: int) -> None:
    """Processor time for the next file, on top of what has been used."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(used.ru_utime + used.ru_stime)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (spent + seconds + 1, hard))


if __name__ == "__main__":
    main()
