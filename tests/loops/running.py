"""Starts the process that runs the programs, and collects what it saw."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.warm_python import with_torch, with_torch_xla

ROOT = Path(__file__).parent.parent.parent
STAND_INS = Path(__file__).parent / "child" / "stand_ins"
"""Packages that programs import and this project does not require; they come before installed ones."""


@dataclass
class Batch:
    """Programs that are being run, one after the other, in a process in the background."""

    process: subprocess.Popen[str]
    outs: dict[str, Path] = field(default_factory=dict)

    def observations(self) -> dict[str, dict[str, Any]]:
        """What each program did, once all have ended. One that failed has an `error`."""
        _, errors = self.process.communicate(timeout=1200)
        assert self.process.returncode == 0, errors[-3000:]
        return {name: json.loads(out.read_text(encoding="utf-8")) for name, out in self.outs.items()}


def start(mode: str, programs: Mapping[str, Path], into: Path) -> Batch:
    """Run programs, by name and folder, on the ``host`` or on ``xla``."""
    into.mkdir(parents=True)
    outs = {name: into / f"{name}.json" for name in programs}
    jobs = [{"folder": str(folder), "out": str(outs[name])} for name, folder in programs.items()]
    (into / "jobs").write_text(json.dumps(jobs), encoding="utf-8")
    chosen = {"PJRT_DEVICE": "CPU", "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": str(STAND_INS)}
    environment = {**os.environ, **chosen}
    python = with_torch() if mode == "host" else with_torch_xla()
    command = [python, "-m", "tests.loops.child", mode, str(into / "jobs")]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    return Batch(process, outs)
