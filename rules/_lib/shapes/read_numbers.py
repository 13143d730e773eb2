"""The numbers that a step reads from the device, and gives back in places where they are baked into the graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.change import Cause, Change
from xlaport.facts.device_numbers import DeviceNumbers
from xlaport.facts.step_nodes import StepBody
from xlaport.facts.tensors import Tensors

from .baked import baked
from .in_steps import in_steps
from .kept_dimension import keeps_dimension
from .looked_up import is_looked_up
from .places import Place
from .where_placed import if_placed

_OPERANDS = frozenset({"input", "tensor", "self", "A", "x", "x1"})


def read_numbers(context: Context) -> list[list[Place]]:
    """The places of each number of a statement that XP422 speaks of."""
    key = ("read numbers", context.loops.runtime, context.codes)
    return context.view.own.once(key, lambda: list(in_steps(context, _in_body)))


def is_baked(context: Context, read: ast.AST) -> bool:
    """Whether XP422 speaks of what is read: its place in the graph asks for it in every step."""
    if "XP422" not in context.codes:
        return False
    inside = {node for node in ast.walk(read) if isinstance(node, ast.expr)}  # all trees share one `ast.Load()`
    return any(
        group[0].change.cause is Cause.READ and any(node in inside for node in ast.walk(group[0].change.node))
        for group in read_numbers(context)
    )


def _in_body(context: Context, body: StepBody) -> Iterator[list[Place]]:
    structure = context.flow.structure
    numbers = DeviceNumbers(context.view.own, structure, Tensors(structure))
    for group in baked(context, body, numbers):
        if not all(_is_read(context, place) for place in group) or _is_lookup(context, group[0]):
            continue
        if "XP424" in context.codes and all(
            isinstance(p.node, ast.Subscript) and keeps_dimension(context, p.node) for p in group
        ):
            continue
        yield group


def _is_read(context: Context, place: Place) -> bool:
    """Whether a place takes a number: not the tensor itself, as most functions do, and not what XP401 speaks of."""
    change = context.changing.of(place.number)
    if change is not None and (change.cause is not Cause.DRAWN or _may_be_of_host(context, place)):
        return False
    takes_tensors = isinstance(place.node, ast.BinOp) or (
        isinstance(place.node, ast.Call) and place.construct.parameters[0] in _OPERANDS
    )
    return not takes_tensors or place.change.node is not place.number or _reads(place.number)


def _may_be_of_host(context: Context, place: Place) -> bool:
    """Whether what is drawn may stay on the host: then reading it waits for nothing."""
    return place.change.facts is not context.view.own or bool(assumed(context, place.change))


def assumed(context: Context, change: Change) -> str:
    """`` (if `lengths` is on the TPU)``, if nothing says that it is."""
    if change.facts is not context.view.own or not isinstance(change.node, ast.Call | ast.Name):
        return ""
    read: ast.expr | None = change.node
    if isinstance(read, ast.Call):
        read = read.func.value if isinstance(read.func, ast.Attribute) else next(iter(read.args), None)
    return if_placed(context, read) if read is not None else ""


def _reads(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and (
        isinstance(node.func, ast.Name)
        or (isinstance(node.func, ast.Attribute) and node.func.attr in ("item", "tolist"))
    )


def _is_lookup(context: Context, place: Place) -> bool:
    """Whether XP407 speaks of it."""
    change = place.change
    return "XP407" in context.codes and change.facts is context.view.own and is_looked_up(context, change.node)
