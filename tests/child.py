"""Programs that tests run in processes of their own: a module that counts what torch_xla does in one, a port."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
QUICK = "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true"
"""XLA_FLAGS for small graphs, of whose time most is compiling. What trains for long is slower with it."""


def output_of(*arguments: str, environment: Mapping[str, str], cwd: Path = ROOT, timeout: float = 300) -> str:
    """What Python prints with some arguments, which has to succeed."""
    process = subprocess.run(
        [sys.executable, "-W", "ignore", *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert process.returncode == 0, process.stderr[-3000:]
    return process.stdout


def printed_by(*module: str) -> Any:
    """What a module prints on XLA:CPU, as JSON."""
    environment = {**os.environ, "PJRT_DEVICE": "CPU", "CUDA_VISIBLE_DEVICES": "", "XLA_FLAGS": QUICK}
    return json.loads(output_of("-m", *module, environment=environment, timeout=600))
