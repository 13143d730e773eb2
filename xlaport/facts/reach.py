"""What following a value finds."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from xlaport.facts.sinks import Sink
from xlaport.facts.spot import Spot

Step = tuple[str, str]
Path = tuple[Step, ...]
"""Which part of an object a value is: ``(("item", "model"), ("attr", "device"))`` for ``x["model"].device``.

``("element", "0")`` is the first of several returned values.
"""


@dataclass
class Reach:
    """Everything that a value reaches."""

    sinks: list[Sink] = field(default_factory=list)
    comparisons: list[Spot] = field(default_factory=list)
    """String constants that the value is compared with, or tested against by ``startswith`` and ``in``."""
    lists: list[Spot] = field(default_factory=list)
    """``choices`` of the command-line option that the value is the default of."""
    everywhere: bool = False
    """Whether it gets a name that too many files use to follow it into them."""
    unknown: list[Spot] = field(default_factory=list)
    """Uses that leave the project or the analysis."""


def constant(node: ast.expr) -> str | None:
    """The value of a string constant."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def is_text(node: ast.expr) -> bool:
    """Whether an expression is a string constant."""
    return constant(node) is not None
