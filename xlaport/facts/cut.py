"""A place for a barrier."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass


class Side(enum.Enum):
    """Where a barrier stands, seen from a statement."""

    BEFORE = enum.auto()
    AFTER = enum.auto()
    ELSE = enum.auto()
    """In an ``else`` of its own, behind an ``if`` that has none."""
    ELSEWHERE = enum.auto()
    """In a function of another file that the statement calls."""


@dataclass(frozen=True)
class Cut:
    """One place for a barrier."""

    statement: ast.stmt
    side: Side
