"""The marks by which a run is to tell of expressions: nobody is to see them in what the script prints.

A marked expression goes through a builtin function, ``_xlaport_seen_(12, x, *())``, which gives it back.
"""

from __future__ import annotations

import re

NAME = "_xlaport_seen_"
"""The builtin function that takes the number of an expression, and what it gave."""
CLOSED = ", *())"
"""What stands behind a marked expression, and nowhere else."""
DEFINED = f'__import__("builtins").__dict__.setdefault("{NAME}", lambda number, value: value); '
"""What stands before the first statement of a marked file: Pythons that the script starts may not have our builtin."""
MOST_SIZES = 8
"""Sizes of a tensor that are told; of one that had more, one more is, and no rule takes them for all."""
_OPENED = re.compile(rf"{NAME}\(\d+, ")
_UNDERLINED = re.compile(r"^\s*[~^]+\s*$\n?", re.MULTILINE)


def opened(number: int) -> str:
    """What stands before a marked expression."""
    return f"{NAME}({number}, "


def unmarked(text: str) -> str:
    """A text without marks. What underlines a marked line in a traceback goes with them: it fits no more."""
    if NAME not in text:
        return text
    return _UNDERLINED.sub("", _OPENED.sub("", text.replace(DEFINED, "")).replace(CLOSED, ""))
