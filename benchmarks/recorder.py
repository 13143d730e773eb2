"""Run a script and note when its steps end: ``python recorder.py RECORDING SCRIPT ARGUMENT...``.

The script stays as it is. Two things are watched from outside: the steps of its optimizers, and the barriers that ran a
graph, `torch_xla.sync()` or those of a loader, with the function of the script that they are in. The recording is one
JSON object, written when the script has ended.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
import time
from types import FrameType
from typing import Any

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.debug.metrics as metrics
from torch.optim.optimizer import register_optimizer_step_post_hook


class Recorder:
    """What happened: the time of the clock, the time of this process on all cores, both in seconds, and a name."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.events: list[tuple[float, float, str]] = []
        self.optimizers: list[torch.optim.Optimizer] = []
        self._marker = torch_xla._XLAC._xla_step_marker

    def install(self) -> None:
        """Watch the optimizers and the barriers."""
        register_optimizer_step_post_hook(self._stepped)
        torch_xla._XLAC._xla_step_marker = self._barrier

    # What torch and torch_xla call here they call with arguments of any type.
    def _stepped(self, optimizer: torch.optim.Optimizer, args: Any, kwargs: Any) -> None:
        if optimizer not in self.optimizers:
            self.optimizers.append(optimizer)
        self._note(f"optimizer {self.optimizers.index(optimizer)}")

    def _barrier(self, *args: Any, **kwargs: Any) -> Any:
        before = graphs()
        result = self._marker(*args, **kwargs)
        if graphs() > before:
            self._note(f"barrier {self._function()}")
        return result

    def _note(self, name: str) -> None:
        self.events.append((time.perf_counter(), time.process_time(), name))

    def _function(self) -> str:
        """The innermost function of the script that is running."""
        frame: FrameType | None = sys._getframe()
        while frame is not None and not frame.f_code.co_filename.startswith(self.folder):
            frame = frame.f_back
        return frame.f_code.co_name if frame is not None else "?"

    def counts(self) -> dict[str, int]:
        """What torch_xla counted in the whole run."""
        xm.wait_device_ops()
        transfers = metrics.metric_data("TransferFromDeviceTime")
        return {
            "graphs": graphs(),
            "compiles": metrics.counter_value("UncachedCompile") or 0,
            "transfers": transfers[0] if transfers else 0,
        }


def graphs() -> int:
    """How many graphs have been run."""
    return sum(metrics.counter_value(name) or 0 for name in ("CachedCompile", "UncachedCompile"))


def main() -> None:
    """Run the script in this process, as ``python SCRIPT`` would."""
    recording, script = sys.argv[1:3]
    folder = os.path.dirname(os.path.abspath(script))
    sys.argv, sys.path[0] = sys.argv[2:], folder
    recorder = Recorder(folder)
    recorder.install()
    runpy.run_path(script, run_name="__main__")
    with open(recording, "w", encoding="utf-8") as file:
        json.dump({"events": recorder.events, **recorder.counts()}, file)


if __name__ == "__main__":
    main()
