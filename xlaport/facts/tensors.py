"""What a tensor holds, as far as the code tells: floats, integers or truth values, and in how many dimensions."""

from __future__ import annotations

import ast

from xlaport.analysis.value import UNKNOWN
from xlaport.facts.held import SCALAR, Held, Kind
from xlaport.facts.program import Facts
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import Structure

__all__ = ["Held", "Kind", "Tensors"]


class Tensors:
    """Answers `held` for expressions of the project's files."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure

    def held(self, facts: Facts, node: ast.expr) -> Held:
        """What the value of an expression holds; an empty answer where nothing is known."""
        value = self.structure.value(facts, node) or UNKNOWN
        if value.type is None and roles_of(facts).is_loss(node):
            return SCALAR
        return value.holds._replace(may_be_row=False)
