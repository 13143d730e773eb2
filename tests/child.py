"""Programs that tests run in processes of their own: a module that counts what torch_xla does in one, a port."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.warm_python import with_torch_xla

ROOT = Path(__file__).parent.parent
ON_XLA = {**os.environ, "PJRT_DEVICE": "CPU", "CUDA_VISIBLE_DEVICES": ""}
"""The environment of what runs on XLA:CPU."""


def output_of(
    *arguments: str,
    environment: Mapping[str, str] = ON_XLA,
    python: str = "",
    cwd: Path = ROOT,
    given: str = "",
    timeout: float = 300,
) -> str:
    """What Python, by default one with torch_xla, prints with some arguments, which has to succeed."""
    process = subprocess.run(
        [python or with_torch_xla(), "-W", "ignore", *arguments],
        cwd=cwd,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert process.returncode == 0, process.stderr[-3000:]
    return process.stdout


def printed_by(*module: str, given: str = "") -> Any:
    """What a module prints on XLA:CPU, as JSON."""
    return json.loads(output_of("-m", *module, given=given, timeout=900))
