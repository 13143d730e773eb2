"""Several texts as one in a message."""

from __future__ import annotations

from collections.abc import Iterable


def series(texts: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last
