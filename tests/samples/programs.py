"""The samples, and how they are run."""

from __future__ import annotations

import os
import socket
from pathlib import Path

SAMPLES = Path(__file__).parents[2] / "samples"
NAMES = sorted(path.parent.name for path in SAMPLES.glob("*/README.md"))


def free_port() -> int:
    """A port of this machine that nothing listens at."""
    with socket.socket() as open_one:
        open_one.bind(("127.0.0.1", 0))
        port: int = open_one.getsockname()[1]
        return port


ENVIRONMENT = {
    **os.environ,
    "CUDA_VISIBLE_DEVICES": "",
    "PYTHONDONTWRITEBYTECODE": "1",
    "MASTER_PORT": str(free_port()),
}
"""A port of its own for what meets other processes: tests run side by side."""


def files(name: str) -> list[Path]:
    """The Python files of a sample."""
    return sorted((SAMPLES / name).glob("*.py"))


def entry(name: str) -> str:
    """The file of a sample that is run."""
    (found,) = (path.name for path in files(name) if "__main__" in path.read_text(encoding="utf-8"))
    return found
