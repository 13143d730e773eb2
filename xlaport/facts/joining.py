"""Tensors that a function joins, or that meet in an operation: all of them lie on one device."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from xlaport.facts.listed import listed
from xlaport.facts.module import Module, indices
from xlaport.facts.names import Names
from xlaport.facts.role import Fact, Role, combined, is_none

JOINING = frozenset(f"torch.{name}" for name in "cat concat concatenate stack hstack vstack".split())

FETCHED = ".cpu()"
TO_HOST = '.to("cpu")'
"""The evidence of what was moved to the host, to go on with it there."""
_OF_THE_HOST = (Role.HOST_TENSOR, Role.NUMBER)


def joined_to(module: Module, names: Names, node: ast.Name) -> Iterator[ast.expr]:
    """What the tensor of a name is joined to, wherever that is: ``y`` of ``torch.cat([x, y])`` for ``x``."""
    bindings, home = set(names.reaching(node)), names.home(node)
    for use in names.uses(home, node.id) if home is not None and bindings else ():
        display = module.parents[use]
        call = module.parents[display] if isinstance(display, ast.List | ast.Tuple) else None
        if not isinstance(call, ast.Call) or display is not next(iter(call.args), None):
            continue
        if names.resolve(call.func) not in JOINING or bindings.isdisjoint(names.reaching(use)):
            continue
        assert isinstance(display, ast.List | ast.Tuple)
        for element in display.elts:
            if isinstance(element, ast.Starred) and isinstance(element.value, ast.Name):
                yield from listed(module, names, element.value) or []
            elif element is not use:
                yield element


def met(sides: Sequence[ast.expr], facts: Sequence[Fact | None], node: ast.expr) -> Fact | None:
    """What an operator or a comparison gives of its sides.

    A tensor of the host that has dimensions raises beside one of the device, and what a program moves there it goes on
    with there: what nothing is known of, or may lie anywhere, lies beside it.
    """
    for side, fact in zip(sides, facts, strict=True):
        if fact is None or fact.role is not Role.HOST_TENSOR:
            continue
        open_ = all(other is None or other is fact or other.assumed or other.role in _OF_THE_HOST for other in facts)
        if has_dimensions(side) or (open_ and fact.because.endswith((FETCHED, TO_HOST))):
            return fact
    return combined(list(facts), node)


def has_dimensions(node: ast.expr) -> bool:
    """Whether the index of a tensor shows that there are some left: ``x[:, None]``."""
    if not isinstance(node, ast.Subscript):
        return False
    parts = indices(node)
    return any(isinstance(part, ast.Slice) or is_none(part) for part in parts)
