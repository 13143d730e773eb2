"""Tensors that a function joins, or that meet in an operation: all of them lie on one device."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.facts.listed import listed
from xlaport.facts.module import Module, indices
from xlaport.facts.names import Names
from xlaport.facts.role import Fact, Role, is_none

JOINING = frozenset(f"torch.{name}" for name in "cat concat concatenate stack hstack vstack".split())

FETCHED = ".cpu()"
TO_HOST = '.to("cpu")'
"""The evidence of what was moved to the host, to go on with it there."""


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


def holds_to_host(side: ast.expr, fact: Fact | None, other: Fact | None) -> bool:
    """Whether one side of an operator shows that it is computed on the host.

    A tensor of the host that has dimensions raises beside one of the device, and what a program moves there it goes on
    with there: what nothing is known of lies beside it.
    """
    if fact is None or fact.role is not Role.HOST_TENSOR:
        return False
    return has_dimensions(side) or (other is None and fact.because in (FETCHED, TO_HOST))


def has_dimensions(node: ast.expr) -> bool:
    """Whether the index of a tensor shows that there are some left: ``x[:, None]``."""
    if not isinstance(node, ast.Subscript):
        return False
    parts = indices(node)
    return any(isinstance(part, ast.Slice) or is_none(part) for part in parts)
