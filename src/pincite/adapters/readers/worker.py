"""The reader's worker process: one request a line in, one answer a line out.

Started by `sandbox.py`. It limits itself before it loads any parser, keeps the protocol on a descriptor of
its own so that no library's chatter can break it, and ends when its standard input does.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from pincite.adapters.readers.builder import refused
from pincite.adapters.readers.content import Content
from pincite.core.codec import reading_text
from pincite.core.documents import OutcomeKind, Reading


def main() -> None:
    settings = json.loads(sys.argv[1])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _limit(settings)
    readers: dict[str, Any] = {}
    for line in sys.stdin:
        request = json.loads(line)
        _limit_time(int(request["cpu_seconds"]))
        answers.write(_answer(request, readers))
        answers.write("\n")
        answers.flush()


def _answer(request: dict[str, str], readers: dict[str, Any]) -> str:
    """The Reading of one file as a line. Whatever a parser throws at a hostile file is an outcome: this is
    the boundary where nothing may pass."""
    name, target = request["reader"], request["class"]
    try:
        if target not in readers:
            module, _, attribute = target.partition(":")
            readers[target] = getattr(import_module(module), attribute)()
        reading: Reading = readers[target].read(Content(Path(request["path"])))
        return reading_text(reading)
    except MemoryError:
        return reading_text(
            refused(name, OutcomeKind.TOO_BIG, "Reading the file needs too much memory.", code="memory")
        )
    except OSError as fault:
        why = fault.strerror or type(fault).__name__
        return reading_text(refused(name, OutcomeKind.FAILED, f"The file cannot be read: {why}.", code="unreadable"))
    except RecursionError:
        return reading_text(refused(name, OutcomeKind.CORRUPT, "The file nests too deeply.", code="too_deep"))
    except Exception as fault:  # noqa: BLE001 - see the docstring
        print(f"{request['path']}: {fault!r}", file=sys.stderr)  # noqa: T201 - for the person who debugs a reader
        message = f"The reader failed on this file: {type(fault).__name__}: {str(fault)[:200]}"
        return reading_text(refused(name, OutcomeKind.FAILED, message, code="reader_error"))


def _limit(settings: dict[str, int]) -> None:
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
