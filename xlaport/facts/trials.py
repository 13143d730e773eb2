"""Files that try a program out, and are no part of it."""

from __future__ import annotations

from pathlib import PurePath


def is_test_file(file: str) -> bool:
    """Whether a file is one of tests by its name, as pytest and unittest find them, or lies in a folder ``tests``."""
    path = PurePath(file)
    stem = path.stem
    return path.parent.name == "tests" or stem.startswith("test_") or stem.endswith("_test") or stem == "conftest"
