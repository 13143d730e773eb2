"""Python's search for garbage: parsed files are large and full of cycles, and looking as often as usual takes half of
the time.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

_SELDOM = (100_000, 20, 4)


@contextlib.contextmanager
def seldom_collected() -> Iterator[None]:
    """While files are looked at, garbage is looked for seldom."""
    before = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextlib.contextmanager
def left_behind() -> Iterator[None]:
    """The same in a program that ends soon: what is left of the files is not taken apart before the system does it."""
    gc.set_threshold(*_SELDOM)
    yield
    gc.freeze()
