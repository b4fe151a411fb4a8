"""A reader that does what hostile files make parsers do; for the sandbox's tests."""

from __future__ import annotations

import ctypes
import os
import sys
import time

from pincite.adapters.readers.content import Content
from pincite.core.documents import Reading
from pincite.testing import reading_of


class HostileReader:
    name = "hostile/1"

    def read(self, content: Content) -> Reading:
        path = content.path
        deed = path.read_text().removeprefix("<html>")
        if deed == "write":
            path.with_suffix(".out").write_text("x" * 10_000)
        elif deed == "steps":
            content.step(1, 7)
            time.sleep(0.3)
        else:
            getattr(self, f"_{deed}")()
        return reading_of(f"{os.getpid()}" if deed in ("pid", "steps") else "It was read.", self.name)

    def _hang(self) -> None:
        time.sleep(60)

    def _crash(self) -> None:
        ctypes.string_at(0)

    def _exit(self) -> None:
        os._exit(3)

    def _eat(self) -> None:
        bytearray(4 << 30)

    def _raise(self) -> None:
        raise KeyError("a parser's own fault")

    def _recurse(self) -> None:
        self._recurse()

    def _chatter(self) -> None:
        sys.stdout.write("a banner of a library\n")
        os.write(1, b"more of it, from C\n")
        sys.stderr.write("and a warning\n")

    def _pid(self) -> None:
        pass
