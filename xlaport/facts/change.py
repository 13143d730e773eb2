"""A number that changes from step to step, and why."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from xlaport.facts.program import Facts

A_FEW = 4
"""As many values are no matter: each is met soon, and never again for the first time."""


class Cause(enum.Enum):
    """Why a number is another one in the next step."""

    COUNTS = "counts the passes of the loop"
    ADVANCES = "is counted up"
    DRAWN = "is drawn anew"
    READ = "is read from the device"


@dataclass(frozen=True)
class Change:
    """A number that changes from step to step."""

    name: str
    """The source, as the code spells it: ``i``, ``self.step``, ``random.random()``."""
    cause: Cause
    facts: Facts
    """The file where it changes."""
    node: ast.AST
    """Where it changes: the loop that it counts, the statement that counts it up, the call that draws it."""
    sure: bool = True
    """Whether everything that it is computed from is known to be a number."""
    is_tensor: bool = False
    """Whether it is read from a tensor of that name."""
