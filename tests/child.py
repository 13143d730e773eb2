"""Modules that are run as programs of their own, since they count what torch_xla does in one process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent


def printed_by(*module: str) -> Any:
    """What a module prints on XLA:CPU, as JSON."""
    process = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", *module],
        cwd=ROOT,
        env={**os.environ, "PJRT_DEVICE": "CPU", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert process.returncode == 0, process.stderr[-3000:]
    return json.loads(process.stdout)
