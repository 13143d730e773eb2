"""What a run for parity prints: each line with its numbers, and the line of the source that has printed it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from ..events import LineSeen, Site
from . import frames
from .session import current, guarded

_MOST = 5000
"""Lines that are recorded of a stream."""
_WIDTH = 4000
"""Characters of a line that are recorded."""
_DEPTH = 12
"""So many frames above a write are looked at for the module that prints warnings."""


def install(step: Callable[[], int]) -> None:
    """Watch standard output and error; `step` tells how many optimizer steps have been made."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            guarded(_Watched(stream, step).install)


class _Watched:
    """One stream: what is written passes through, and is kept until its line is complete."""

    def __init__(self, stream: Any, step: Callable[[], int]) -> None:
        self.stream, self.step = stream, step
        self.pending = ""
        self.site: Site | None = None
        self.seen = 0

    def install(self) -> None:
        """Stand before the stream's own `write`, which `print` and loggers call."""
        write = self.stream.write

        @functools.wraps(write)
        def seen(text: Any) -> Any:
            written = write(text)
            if isinstance(text, str) and self.seen < _MOST:
                guarded(self.add, text)
            return written

        self.stream.write = seen
        current().at_end.append(self.finish)

    def add(self, text: str) -> None:
        """Keep what was written, and record the lines that it completes."""
        if not self.pending.strip() and text.strip():
            self.site = None if _is_warning() else frames.site()
        *lines, rest = (self.pending + text).split("\n")
        for line in lines:
            self._emit(line)
        # On a terminal, only what follows the last return is seen.
        self.pending = rest.rpartition("\r")[2][-_WIDTH:] if not rest.endswith("\r") else rest[-_WIDTH:]

    def _emit(self, line: str) -> None:
        seen = line.rstrip("\r").rpartition("\r")[2]
        if seen.strip() and self.site is not None:
            self.seen += 1
            current().emit(LineSeen(seen[:_WIDTH], self.step(), self.site))

    def finish(self) -> None:
        """Record a last line without an end."""
        self._emit(self.pending)
        self.pending = ""


def _is_warning() -> bool:
    """Whether this is written by the module `warnings`: such lines depend on libraries and their versions."""
    frame = sys._getframe()
    for _ in range(_DEPTH):
        if frame.f_code.co_filename.endswith("warnings.py"):
            return True
        if frame.f_back is None:
            return False
        frame = frame.f_back
    return False
