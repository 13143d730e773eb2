"""The places of a step where a changing number is baked into the graph, as the table of measured constructs says."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from xlaport.context import Context
from xlaport.facts.change import Change
from xlaport.facts.module import indices
from xlaport.facts.names import How
from xlaport.facts.role import Role
from xlaport.target import Trait

from .constructs import Construct, constructs
from .moved_later import is_moved_later

_MOVING = frozenset({"to", "cuda"})
_LISTS = (ast.Tuple, ast.List, ast.ListComp)


@dataclass(frozen=True)
class Place:
    """One changing number that is baked in."""

    node: ast.expr
    """What bakes it in: ``x[:i]``, ``torch.arange(i)``, ``x ** i``."""
    construct: Construct
    tensor: ast.expr | None
    """The operand, if it has one."""
    number: ast.expr
    change: Change
    also: ast.expr | None = None
    """The end of a slice whose start is `number`, if that changes, too."""
    axis: int | None = None
    """The dimension that an index or a slice is of, if it is plain to see."""

    def is_sure(self, context: Context) -> bool:
        """Whether what an index or a slice is of is known to be one tensor: a list of them takes numbers alone."""
        node = self.node
        return not isinstance(node, ast.Subscript) or context.singles.is_indexed_as_one(context.view.own, node) is True


class Numbers(Protocol):
    """What says which numbers are others in the next step."""

    def of(self, node: ast.expr) -> Change | None:
        """Why an expression is another number."""

    def bound(self, node: ast.expr) -> Change | None:
        """The same for the bound of a slice."""


PLACES = (ast.Subscript, ast.BinOp, ast.Call)
"""The nodes that may bake a number in."""


def places(context: Context, node: ast.AST, numbers: Numbers) -> Iterator[Place]:
    """The numbers that a node bakes in."""
    for place in _places(context, node, numbers):
        if not place.construct.computes or context.target.is_a(Trait.GRAPH_NUMBERS):
            yield place


def _places(context: Context, node: ast.AST, numbers: Numbers) -> Iterator[Place]:
    if isinstance(node, ast.Subscript):
        found = list(_subscript(context, node, numbers))
        if found and context.singles.is_indexed_as_one(context.view.own, node) is not False:
            yield from found
    elif isinstance(node, ast.BinOp):
        yield from _operator(context, node, numbers)
    elif isinstance(node, ast.Call):
        yield from _call(context, node, numbers)


_OR_TENSORS = frozenset({"self", "exponent"})
"""Parameters that take tensors, too: what is computed from a tensor is none of Python's numbers there."""


@cache
def _syntax(name: str, where: str) -> Construct | None:
    """The entry for a piece of syntax, if each value compiles there."""
    found = (c for c in constructs() if c.kind == "syntax" and c.name == name and c.place == where)
    return next((c for c in found if c.is_baked_in), None)


@cache
def _calls() -> dict[str, tuple[Construct, ...]]:
    """The entries for functions where each value compiles; methods stand under ``.name``, without their tensor."""
    found: dict[str, list[Construct]] = {}
    for construct in constructs():
        if construct.kind != "call" or not construct.is_baked_in:
            continue
        last = construct.name.rpartition(".")[2]
        if construct.name.startswith("torch.Tensor.") or construct.method:
            found.setdefault(f".{last}", []).append(construct)
        if not construct.name.startswith("torch.Tensor."):
            found.setdefault(construct.name, []).append(construct)
    return {name: tuple(several) for name, several in found.items()}


# -- subscripts ----------------------------------------------------------------------------------------


def _subscript(context: Context, node: ast.Subscript, numbers: Numbers) -> Iterator[Place]:
    elements = indices(node)
    if not context.roles.is_(node.value, Role.TENSOR):
        return
    stores = not isinstance(node.ctx, ast.Load)
    if is_moved_later(context, node):
        return
    axis: int | None = 0
    for element in elements:
        if isinstance(element, ast.Slice):
            yield from _slice(context, node, element, stores, axis, numbers)
        elif not _is_apart(element):
            change = numbers.of(element)
            construct = _syntax("x[i] = v" if stores else "x[i]", "index")
            if change is not None and change.sure and construct is not None:
                yield Place(node, construct, node.value, element, change, axis=axis)
        if isinstance(element, ast.Constant) and element.value is ...:
            axis = None
        elif axis is not None and not _is_apart(element):
            axis += 1


def _is_apart(element: ast.expr) -> bool:
    """``None`` and ``...`` in an index."""
    return isinstance(element, ast.Constant) and element.value in (None, ...)


def _slice(
    context: Context, node: ast.Subscript, part: ast.Slice, stores: bool, axis: int | None, numbers: Numbers
) -> Iterator[Place]:
    written = "x[a:b] = v" if stores else "x[a:b]"
    bounds = {"start": part.lower, "stop": part.upper}
    changes = {
        where: (bound, change)
        for where, bound in bounds.items()
        if bound is not None and (change := numbers.bound(bound)) is not None
    }
    where = "both" if len(changes) == 2 else next(iter(changes), "")
    construct = _syntax(written, where)
    if construct is not None:
        number, change = changes.get("start") or changes["stop"]
        yield Place(node, construct, node.value, number, change, part.upper if where == "both" else None, axis)
    elif part.step is not None and (change := numbers.of(part.step)) is not None:
        construct = _syntax("x[a:b:c]", "step")
        if construct is not None:
            yield Place(node, construct, node.value, part.step, change, axis=axis)


# -- operators -----------------------------------------------------------------------------------------


def _operator(context: Context, node: ast.BinOp, numbers: Numbers) -> Iterator[Place]:
    name = {ast.Pow: "x ** i", ast.LShift: "x << i", ast.RShift: "x << i"}.get(type(node.op))
    if name is None:
        return
    for where, number, tensor in (("right", node.right, node.left), ("left", node.left, node.right)):
        construct = _syntax(name, where)
        if construct is None or not context.roles.is_(tensor, Role.TENSOR) or numbers.of(tensor) is not None:
            continue
        change = numbers.of(number)
        if change is not None:
            yield Place(node, construct, tensor, number, change)


# -- calls ---------------------------------------------------------------------------------------------


def _call(context: Context, node: ast.Call, numbers: Numbers) -> Iterator[Place]:
    name = context.resolve(node.func)
    found = _calls().get(name or "", ())
    tensor = node.args[0] if node.args else None
    bound = False
    if not found and isinstance(node.func, ast.Attribute) and (name is None or not name.startswith("torch.")):
        method = node.func.attr
        found = _calls().get(f".{method}", ()) or _calls().get(f".{method.removesuffix('_')}", ())
        tensor, bound = node.func.value, True
    given = [(construct, list(_arguments(node, construct, bound))) for construct in found]
    if not given or (bound and tensor is not None and not context.roles.is_(tensor, Role.TENSOR)):
        return
    for construct, arguments in given:
        if not bound and not _is_on_device(context, node, construct):
            continue
        for argument in arguments:
            for number, part in _parts(context, argument):
                change = numbers.of(part)
                if change is not None and not (construct.place in _OR_TENSORS and context.roles.is_(part, Role.TENSOR)):
                    has_tensor = bound or construct.parameters[0] in ("input", "tensor", "self", "A", "x", "x1")
                    operand = tensor if has_tensor and tensor is not number else None
                    yield Place(node, construct, operand, number, change)


def _parts(context: Context, argument: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The numbers of an argument, ``n``, ``(n, m)`` or a name for a list of them, each with what it is computed by."""
    if isinstance(argument, ast.Tuple | ast.List):
        yield from ((number, number) for number in argument.elts)
        return
    found = context.names.reaching(argument) if isinstance(argument, ast.Name) else ()
    listed = [b.value for b in found if b.how is How.ASSIGN and isinstance(b.value, _LISTS)]
    if not listed or len(listed) != len(found):
        yield argument, argument
        return
    for value in listed:
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else [value.elt]
        yield from ((argument, part) for part in parts)


def _is_on_device(context: Context, node: ast.Call, construct: Construct) -> bool:
    """Whether a function works on the device, or makes what is moved there as it is."""
    if context.roles.is_(node, Role.TENSOR):
        return True
    parent = context.module.parents[node]
    moved = isinstance(parent, ast.Attribute) and parent.attr in _MOVING
    sizes = construct.place == "size"
    outer = context.module.parents[parent] if moved else None
    return sizes and isinstance(outer, ast.Call) and context.roles.is_(outer, Role.TENSOR)


def _arguments(node: ast.Call, construct: Construct, bound: bool) -> Iterable[ast.expr]:
    """What a call passes for the place of a construct."""
    parameters = list(construct.parameters)
    if bound and not construct.name.startswith("torch.Tensor."):
        parameters = parameters[1:]
    for index, argument in enumerate(node.args):
        rest = next((p for p in parameters[: index + 1] if p.startswith("*")), None)
        parameter = rest or (parameters[index] if index < len(parameters) else "")
        if parameter.lstrip("*") == construct.place:
            yield argument
    for keyword in node.keywords:
        if keyword.arg == construct.place:
            yield keyword.value
