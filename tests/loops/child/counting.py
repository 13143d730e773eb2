"""Compilations, executions and transfers between barriers, from torch_xla's own metrics.

`xlaport verify` counts, too, by hooks of its own; this shares no code with it, so that each can show the other to be
wrong. A step ends with a barrier that ran something. What follows a barrier, a read of the step's loss for one, belongs
to the next interval.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass
class Interval:
    """What happened from one barrier to the next, that one included."""

    compiles: int
    executions: int
    transfers: int
    """From the device to the host."""
    logged: bool
    """The program wrote something meanwhile."""


class Counting:
    """Watches the barriers of this process. Torch_xla must have been imported."""

    def __init__(self) -> None:
        self.intervals: list[Interval] = []
        self.idle_barriers = 0
        self.wrote = False
        self._before = self._totals()
        self._install()

    def _install(self) -> None:
        import _XLAC
        import torch_xla.core.xla_model as xm

        logs = xm.xc.AsyncClosureHandler.run

        def run_whole(handler: Any, closure: Callable[[], None]) -> None:
            """A log beside the next step ends before that begins, so that each run counts and prints the same."""
            logs(handler, closure)
            while handler._closure_event_loop.is_alive() and handler._closure_queue.unfinished_tasks:
                time.sleep(0.001)

        xm.xc.AsyncClosureHandler.run = run_whole
        original = _XLAC._xla_step_marker

        @functools.wraps(original)
        def barrier(*args: Any, **kwargs: Any) -> Any:
            executions = self._totals()[1]
            result = original(*args, **kwargs)
            if self._totals()[1] > executions:
                self.intervals.append(self._interval())
            else:
                self.idle_barriers += 1
            return result

        _XLAC._xla_step_marker = barrier

    def finish(self) -> dict[str, Any]:
        """The counts of the whole run, and whether work was left that no barrier has run."""
        import torch_xla

        intervals, after = [asdict(interval) for interval in self.intervals], asdict(self._interval())
        torch_xla.sync()
        left_over = len(self.intervals) > len(intervals)
        return {"intervals": intervals, "after": after, "left_over": left_over, "fallbacks": self._fallbacks()}

    def _interval(self) -> Interval:
        now = self._totals()
        compiles, executions, transfers = (a - b for a, b in zip(now, self._before, strict=True))
        logged, self.wrote, self._before = self.wrote, False, now
        return Interval(compiles, executions, transfers, logged)

    def _totals(self) -> tuple[int, int, int]:
        import torch_xla.core.xla_model as xm
        import torch_xla.debug.metrics as met

        xm.wait_device_ops()  # executions are counted when they are done
        found = (met.metric_data(name) for name in ("CompileTime", "ExecuteTime", "TransferFromDeviceTime"))
        compiles, executions, transfers = (data[0] if data else 0 for data in found)
        return compiles, executions, transfers

    def _fallbacks(self) -> dict[str, int]:
        import torch_xla.debug.metrics as met

        names = (name for name in met.counter_names() if name.startswith("aten::"))
        return {name: met.counter_value(name) for name in sorted(names) if name != "aten::_local_scalar_dense"}
