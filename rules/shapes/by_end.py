"""Slices whose end or length matters: what counts from there is not the same where all places are kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.module import FunctionNode, indices
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.role import Role
from xlaport.facts.structure import Function

_MAX_DEPTH = 3
_MAX_FOUND = 20
_BY_LENGTH = frozenset({"size", "flip", "roll", "mean", "numel"})
_KEEPING = frozenset({"to", "clone", "detach", "contiguous", "float", "long", "bool", "int", "cuda"})


@dataclass(frozen=True)
class ByEnd:
    """What goes by the end or the length of a part of a tensor."""

    facts: Facts
    node: ast.AST
    is_sure: bool
    """Whether it counts from the end; else it asks for the length, maybe to count from the begin."""

    def where(self, context: Context) -> str:
        """Its line, for a message."""
        return f"line {context.line_of(self.facts, self.node)}"


def by_end(context: Context, part: ast.Subscript, axis: int | None) -> ByEnd | None:
    """What goes by the end or the length of a slice, also in a function that gets it; what is sure comes first."""
    found = list(islice(_of(context, context.view.own, part, _cut(context, part, axis), 0), _MAX_FOUND))
    return next((f for f in found if f.is_sure), found[0] if found else None)


def _cut(context: Context, part: ast.Subscript, axis: int | None) -> _Part:
    """The part, by its own dimensions: a number in the index takes one away, None adds one."""
    elements = indices(part)
    given = [_dimensions(context, element) for element in elements]
    indexing = [i for i, e in enumerate(elements) if not (isinstance(e, ast.Constant) and e.value is None)]
    before = given[: indexing[axis]] if axis is not None and axis < len(indexing) else [None]
    own = None if None in before else sum(n for n in before if n is not None)
    return _Part(own, sum(n for n in given if n is not None))


def _dimensions(context: Context, element: ast.expr) -> int | None:
    """How many dimensions of the result an element of an index gives; None where that is not plain to see."""
    if isinstance(element, ast.Slice) or (isinstance(element, ast.Constant) and element.value is None):
        return 1
    is_number = integer(element) is not None or context.roles.is_(element, Role.NUMBER)
    return 0 if is_number else None


@dataclass(frozen=True)
class _Part:
    """What is known of the dimensions of a part."""

    axis: int | None
    least: int
    """How many dimensions it has at least."""

    def may_be(self, dimension: ast.expr | None) -> bool:
        """Whether a dimension, as it is written, may be the one that is cut."""
        number = integer(dimension) if dimension is not None else None
        if number is None or self.axis is None:
            return True
        return number == self.axis if number >= 0 else -number >= self.least - self.axis


def _of(context: Context, facts: Facts, node: ast.expr, part: _Part, depth: int) -> Iterator[ByEnd]:
    parents = facts.module.parents
    parent = parents[node]
    if depth > _MAX_DEPTH:
        return
    if isinstance(parent, ast.Assign) and parent.value is node:
        for use in facts.names.uses_of(parent.targets[0]):
            yield from _of(context, facts, use, part, depth)
    elif isinstance(parent, ast.Subscript) and parent.value is node:
        elements = indices(parent)
        for index, element in enumerate(elements):
            bounds = [element.lower, element.upper] if isinstance(element, ast.Slice) else [element]
            before = elements[:index]
            known = part.axis is not None and all(not isinstance(e, ast.Constant) or e.value is not ... for e in before)
            if any(_is_negative(b) for b in bounds) and (not known or index == part.axis):
                yield ByEnd(facts, parent, isinstance(element, ast.Slice) and not _is_last(element))
    elif isinstance(parent, ast.Attribute):
        outer = parents[parent]
        called = outer if isinstance(outer, ast.Call) and outer.func is parent else None
        if parent.attr == "shape":
            yield from [ByEnd(facts, parent, False)] if part.may_be(_index(outer, parent)) else []
        elif called is not None and parent.attr in _BY_LENGTH:
            dimension = next((k.value for k in called.keywords if k.arg in ("dim", "dims")), None)
            dimension = dimension or (called.args[-1] if called.args else None)
            if part.may_be(dimension):
                yield ByEnd(facts, called, parent.attr in ("flip", "roll"))
        elif called is not None and parent.attr in _KEEPING:
            yield from _of(context, facts, called, part, depth)
    elif isinstance(parent, ast.Call | ast.keyword):
        yield from _passed(context, facts, node, part, depth)


def _index(node: ast.AST, shape: ast.expr) -> ast.expr | None:
    """``1`` of ``x.shape[1]``."""
    return node.slice if isinstance(node, ast.Subscript) and node.value is shape else None


def _is_negative(node: ast.expr | None) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def _is_last(part: ast.Slice) -> bool:
    """``-1:``"""
    return part.upper is None and part.lower is not None and integer(part.lower) == -1


def _passed(context: Context, facts: Facts, node: ast.expr, part: _Part, depth: int) -> Iterator[ByEnd]:
    """What a function of the project does with a part that it gets."""
    parent = facts.module.parents[node]
    call = facts.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    if not isinstance(call, ast.Call):
        return
    if facts.names.resolve(call.func) == "builtins.len":
        if part.may_be(ast.Constant(0)):
            yield ByEnd(facts, call, False)
        return
    structure = context.flow.structure
    function = structure.run_by(facts, call)
    name = structure.parameter_of(call, function, node) if function is not None else None
    if function is None or name is None or function.node.name == "forward":
        return
    for use in _uses(function, name):
        yield from _of(context, function.facts, use, part, depth + 1)
    if not _gives_several(function):
        # What it makes of the part is as long, as far as is known.
        yield from _of(context, facts, call, part, depth + 1)


def _gives_several(function: Function) -> bool:
    """Whether a function hands back several values, whose number is no length."""
    returned = (node.value for node in function.facts.module.returns(function.node))
    return any(isinstance(value, ast.Tuple | ast.List | ast.Dict) for value in returned)


def _uses(function: Function, name: str) -> Iterator[ast.Name]:
    """Where a function takes its parameter as it was given."""
    assert isinstance(function.node, FunctionNode)
    for node in ast.walk(function.node):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            if any(b.how is How.PARAMETER for b in function.facts.names.reaching(node)):
                yield node
