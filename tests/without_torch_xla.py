"""Programs that run where torch_xla cannot be imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

_ENVIRONMENT = {
    "CUDA_VISIBLE_DEVICES": "",
    "OMP_NUM_THREADS": "1",
    "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",  # torch imports it by itself
}
_HIDING = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch_xla":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Hidden())
"""


def output_without(program: str, *arguments: str) -> str:
    """What the text of a program prints where torch_xla is not installed."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _HIDING + program, *arguments],
        env={**os.environ, **_ENVIRONMENT},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def printed_without(program: str, *arguments: str) -> Any:
    """The same, of a program that prints JSON."""
    return json.loads(output_without(program, *arguments))
