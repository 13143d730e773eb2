"""How far a long run is, in one line of the terminal that is gone when it ends."""

from __future__ import annotations

import os
import shutil
import sys
import time
from types import TracebackType
from typing import TextIO

_WAIT = 1.0
"""Seconds that pass before anything is shown: a short run needs no bar."""
_PAUSE = 0.1
"""Seconds between two states of the line."""
_WIDTH = 30
"""Characters of a bar."""


class Progress:
    """Shows how many files are done, on a terminal only; anywhere else it does nothing.

    Used as a context manager; called with the number of files that are done, and of all. There is no thread in it: the
    line moves when it is called.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream if stream is not None else sys.stderr
        self._wanted = self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._next = time.monotonic() + _WAIT
        self._shown = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            self._stream.write(_CLEAR)
            self._stream.flush()

    def __call__(self, done: int, total: int) -> None:
        """So many files are done."""
        now = time.monotonic()
        if not self._wanted or now < self._next:
            return
        self._next = now + _PAUSE
        self._shown = True
        filled = _WIDTH * done // max(total, 1)
        line = f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {done} of {total} files"
        # A line that is too long would wrap, and its first part would stay.
        self._stream.write(_CLEAR + line[: shutil.get_terminal_size().columns - 1])
        self._stream.flush()


_CLEAR = "\r\033[K"
