"""A reader's worker process as its parent sees it: asked one thing at a time, watched, and ended."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from typing import IO, Any

STEP = "step "
"""How a line of progress begins; an answer begins with a brace or bracket."""
OnStep = Callable[[int, int], None]


class WorkerProcess:
    """The process and the thread that reads its answers, so that waiting for one can end. It is started anew
    with Popen, never forked: this process may hold threads and locks."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
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
        self._on_step: OnStep | None = None
        self._answers: queue.Queue[str | None] = queue.Queue()
        assert self._process.stdout is not None
        self._thread = threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def fit(self, most: int) -> bool:
        return self._process.poll() is None and self._files < most

    def ask(self, request: str, seconds: float, on_step: OnStep | None = None) -> str | None:
        """The answer line, or None when the process ended or the time ran out."""
        self._files += 1
        self._on_step = on_step
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
        for raw in stream:
            line = raw.decode("utf-8")
            if not line.startswith(STEP):
                self._answers.put(line)
            elif self._on_step is not None:
                done, total = map(int, line.split()[1:])
                self._on_step(done, total)
        self._answers.put(None)


def word_for(code: int) -> str:
    """An exit code as people know it."""
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return f"signal {signal.Signals(-code).name}"
    return f"signal {-code}"
