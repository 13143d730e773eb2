"""What a script prints: passed on as it comes, and its end kept, with the traceback that it ends in."""

from __future__ import annotations

import codecs
import os
import sys
from collections import deque
from typing import IO

from xlaport.verify.marks import unmarked

_KEPT = 65536
"""Bytes that are kept of the end, and of the last traceback."""
_HEAD = b"Traceback (most recent call last):"


class Printed:
    """Reads a stream to its end, and writes it to our standard error. Ask `end` afterwards."""

    def __init__(self) -> None:
        self._last: deque[bytes] = deque()
        self._size = 0
        self._traceback = b""
        self._seam = b""

    def read(self, stream: IO[bytes]) -> None:
        """Pass on all of a stream."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")  # a chunk may end inside of a character
        while chunk := os.read(stream.fileno(), _KEPT):
            self.add(chunk)
            try:
                sys.stderr.write(unmarked(decoder.decode(chunk)))
                sys.stderr.flush()
            except (OSError, ValueError):  # nobody listens any more; the script must not block on that
                continue

    def add(self, chunk: bytes) -> None:
        """Keep what was printed."""
        joined = self._seam + chunk
        at, self._seam = joined.rfind(_HEAD), joined[1 - len(_HEAD) :]
        if at >= 0:
            self._traceback = joined[at:]
        elif self._traceback and len(self._traceback) < _KEPT:
            self._traceback += chunk
        self._last.append(chunk)
        self._size += len(chunk)
        while self._size - len(self._last[0]) >= _KEPT:
            self._size -= len(self._last.popleft())

    @property
    def end(self) -> str:
        """The last 64 KB; before them the begin of the last traceback, where its exception says more than that."""
        end = b"".join(self._last)[-_KEPT:]
        if self._traceback and _HEAD not in end:
            end = self._traceback[:_KEPT] + b"\n" + end
        return unmarked(end.decode("utf-8", "replace"))
