"""Whether a slice is as long each time: whether what its length is computed from may be another number."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.structure import Class

_MAX_DEPTH = 4
_MAKING = frozenset({"__init__", "__post_init__", "__new__"})


def is_one_length(context: Context, bounds: list[ast.expr], length: str) -> bool:
    """Whether nothing shows that a length, the difference of two bounds, is another one from step to step.

    Where it is, `torch.arange()` of it is another graph each time, and a tensor of places is of no use.
    """
    return not any(_may_vary(context, part, 0) for part in parts(context, bounds, length))


def changes_length(context: Context, bounds: list[ast.expr], length: str) -> bool:
    """Whether a length, the difference of two bounds, is made of a number that is another one in each step."""
    return any(context.changing.of(part) is not None for part in parts(context, bounds, length))


def parts(context: Context, bounds: list[ast.expr], length: str) -> Iterator[ast.Name | ast.Attribute]:
    """The names and attributes in some bounds of which a length is made."""
    wanted = {ast.dump(n) for n in ast.walk(ast.parse(length, mode="eval")) if isinstance(n, ast.Name | ast.Attribute)}
    for bound in _spelled_out(context, bounds):
        for part in ast.walk(bound):
            if isinstance(part, ast.Name | ast.Attribute) and ast.dump(part) in wanted:
                yield part


def _spelled_out(context: Context, bounds: list[ast.expr]) -> list[ast.expr]:
    """The bounds, and what those that are names are assigned."""
    values = [
        b.value
        for bound in bounds
        if isinstance(bound, ast.Name)
        for b in context.names.reaching(bound)
        if b.how is How.ASSIGN and b.value is not None
    ]
    return [*bounds, *values]


def _may_vary(context: Context, node: ast.Name | ast.Attribute, depth: int) -> bool:
    if context.changing.of(node) is not None:
        return True
    if isinstance(node, ast.Attribute):
        return _is_set_later(context, node)
    if depth > _MAX_DEPTH:
        return False
    values = (b.value for b in context.names.reaching(node) if b.how is How.ASSIGN and b.value is not None)
    return any(
        isinstance(part, ast.Name | ast.Attribute) and _may_vary(context, part, depth + 1)
        for value in values
        for part in ast.walk(value)
    )


def _is_set_later(context: Context, node: ast.Attribute) -> bool:
    """Whether a method other than the making of an object sets a number of it, also in a class derived from its own."""
    structure = context.flow.structure
    owner = structure.instance_of(context.view.own, node.value)
    if owner is None:
        return False
    return any(_sets(other, node.attr) for other in dict.fromkeys([*structure.bases(owner), *structure.derived(owner)]))


def _sets(owner: Class, name: str) -> bool:
    module, names = owner.facts.module, owner.facts.names
    for part in ast.walk(owner.node):
        if not isinstance(part, ast.Attribute) or isinstance(part.ctx, ast.Load) or part.attr != name:
            continue
        function = module.function(part)
        makes = function is None or getattr(function, "name", "") in _MAKING
        if not makes and isinstance(part.value, ast.Name) and names.self_class(part.value) is owner.node:
            return True
    return False
