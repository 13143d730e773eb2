"""Several texts as one in a message."""

from __future__ import annotations

from collections.abc import Iterable


def series(texts: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last


def numbered(lines: Iterable[str]) -> str:
    """``line 3``, ``lines 3 and 4``: each once."""
    once = list(dict.fromkeys(lines))
    return f"{'line' if len(once) == 1 else 'lines'} {series(once)}"
