"""The samples, and how they are run."""

from __future__ import annotations

import os
from pathlib import Path

SAMPLES = Path(__file__).parent.parent / "samples"
NAMES = sorted(path.parent.name for path in SAMPLES.glob("*/README.md"))
ENVIRONMENT = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
"""One thread: with more, torch's own wait for each other wherever something else runs."""


def files(name: str) -> list[Path]:
    """The Python files of a sample."""
    return sorted((SAMPLES / name).glob("*.py"))


def entry(name: str) -> str:
    """The file of a sample that is run."""
    (found,) = (path.name for path in files(name) if "__main__" in path.read_text(encoding="utf-8"))
    return found
