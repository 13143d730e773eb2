"""A place in a program."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.facts.program import Facts


@dataclass(frozen=True)
class Spot:
    """An expression, and the file that it is in."""

    facts: Facts
    node: ast.expr
