"""Where a program takes the time: the differences of two looks at a clock, wherever these were."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.role import OF_CLOCK
from xlaport.facts.structure import CallSite, Structure


@dataclass(frozen=True)
class Difference:
    """The time between two looks at a clock."""

    node: ast.BinOp
    end: CallSite
    """The second look."""
    starts: tuple[CallSite, ...]
    """The looks one of which was the first."""
    is_of_one: bool
    """Whether one call of its function looks each time."""


def differences(structure: Structure, facts: Facts) -> Mapping[FunctionNode | None, tuple[Difference, ...]]:
    """The times that the functions of a file take, and its own body."""

    def found() -> dict[FunctionNode | None, tuple[Difference, ...]]:
        taken: dict[FunctionNode | None, tuple[Difference, ...]] = {}
        for node in facts.module.of_type(ast.BinOp):
            if (difference := _difference(structure, facts, node)) is not None:
                function = facts.module.function(node)
                taken[function] = (*taken.get(function, ()), difference)
        return taken

    return facts.once("differences of clocks", found)


def _difference(structure: Structure, facts: Facts, node: ast.BinOp) -> Difference | None:
    """What two looks make, where it is no limit of time."""
    if not isinstance(node.op, ast.Sub) or isinstance(facts.module.parents[node], ast.Compare):
        return None
    ends, starts = _looks(structure, facts, node.left), _looks(structure, facts, node.right)
    if len(ends) != 1 or not starts or not _is_here(facts, node, ends[0]):
        return None
    return Difference(node, ends[0], tuple(starts), all(_is_here(facts, node, start) for start in starts))


def _is_here(facts: Facts, node: ast.AST, look: CallSite) -> bool:
    """Whether a look belongs to the function that a node does."""
    return look.facts is facts and facts.module.function(look.node) is facts.module.function(node)


def _looks(structure: Structure, facts: Facts, node: ast.expr) -> list[CallSite]:
    """The looks at a clock one of which gave a value; none where it may be something else."""
    value = structure.value(facts, node)
    made = [structure.made_there(facts, site) for site in sorted(value.objects)] if value is not None else []
    found = [site for site in made if site is not None and _is_look(structure, site)]
    return found if len(found) == len(made) else []


def _is_look(structure: Structure, site: CallSite) -> bool:
    value = structure.value(site.facts, site.node)
    return value is not None and value.because == OF_CLOCK
