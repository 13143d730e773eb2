"""A clock that runs fast, in the run of the original that shows what a rounding does: what is told by a clock is
another number there, even where it is a small one that two runs print alike."""

from __future__ import annotations

import sys
import time
import timeit
from collections.abc import Callable
from typing import Any

_TIMES = 4
_CLOCKS = ("time", "time_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns")
"""Without `monotonic`, by which threads and queues wait."""


def install() -> None:
    """Let the clocks of `time` that scripts ask go so many times as fast from now on."""
    plain = {getattr(time, name): _fast(getattr(time, name)) for name in _CLOCKS}
    for name in _CLOCKS:
        setattr(time, name, plain[getattr(time, name)])
    timeit.default_timer = time.perf_counter
    # The script itself may have been loaded by then, with `from time import time` in it.
    for name, value in list(vars(sys.modules["__main__"]).items()):
        if callable(value) and not isinstance(value, type) and value in plain:
            setattr(sys.modules["__main__"], name, plain[value])


def _fast(clock: Callable[[], Any]) -> Callable[[], Any]:
    start = clock()
    return lambda: start + (clock() - start) * _TIMES
