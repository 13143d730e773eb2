"""Python's search for garbage: parsed files are large and full of cycles, and looking as often as usual takes half of
the time.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator

_SELDOM = (100_000, 20, 4)
"""Thresholds of `gc`: after how many new objects it looks at the young ones, and how often at the others."""
_OFTEN = 16
"""After how many files what is kept of them is put aside."""
_MANY = 128
"""After how many files that were let go what is put aside is searched for them, which takes as long as all of it."""


@contextlib.contextmanager
def seldom_collected() -> Iterator[None]:
    """While files are looked at, garbage is looked for seldom; afterwards as before."""
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        if not frozen:  # what the program around has put aside stays there
            gc.unfreeze()
        gc.set_threshold(*before)


class Aside:
    """Puts what is kept of parsed files where no garbage is looked for, until many of them were let go."""

    def __init__(self, dropped: Callable[[], int]) -> None:
        """`dropped`: how many parsed files were let go so far, which have to be found then."""
        self._dropped = dropped
        self._before = dropped()
        self._done = 0

    def after_file(self) -> None:
        """To be called after each file."""
        self._done += 1
        if self._done % _OFTEN:
            return
        if self._dropped() - self._before >= _MANY:
            gc.unfreeze()
            self._before = self._dropped()
        gc.collect()  # of the files since the last time: what is garbage now would stay
        gc.freeze()


@contextlib.contextmanager
def left_behind() -> Iterator[None]:
    """For a process that ends with the work in it: what is left then is not taken apart before the system does it."""
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.freeze()
