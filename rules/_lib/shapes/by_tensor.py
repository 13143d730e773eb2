"""Indices and slices by a number, as they are written with a tensor of places, which is an input of the graph."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.module import indices
from xlaport.facts.role import TENSORS
from xlaport.facts.roles import dotted
from xlaport.rule import Edit, Import, Replace

from ..comments import has_comment
from ..host_reads.device_values import torch_name
from .advice import length
from .in_place import is_changed_in_place
from .one_length import changes_length
from .places import Place

_BINDING = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
"""What needs no parentheses in front of a method."""
_SEVERAL = (ast.Slice, ast.Tuple)
"""Indices that are no one number."""


def by_tensor(context: Context, group: Sequence[Place]) -> tuple[list[Edit], tuple[Import, ...]] | None:
    """The edits that take a number out of the graph at all of these places; None where one of them has to stay."""
    edits: list[Edit] = []
    imports: tuple[Import, ...] = ()
    nodes = [place.node for place in group]
    for place in group:
        if any(inner in nodes for inner in ast.walk(place.node) if inner is not place.node):
            return None
        found = _of(context, place) or _stored(context, place, nodes)
        if found is None:
            return None
        edits += found[0]
        imports += found[1]
    return edits, tuple(dict.fromkeys(imports))


def _of(context: Context, place: Place) -> tuple[list[Edit], tuple[Import, ...]] | None:
    node = place.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load) or place.axis is None:
        return None
    if not context.editable(node) or place.change.is_tensor or is_changed_in_place(context, node):
        return None
    if not place.is_sure(context) or _is_written_by_number(context, node):
        return None
    elements = indices(node)
    (element,) = (e for e in elements if place.number in ast.walk(e))
    if not all(other is element or _is_fixed(other) for other in elements):
        return None
    if isinstance(element, ast.Slice):
        return _slice(context, place, element)
    if element is not place.number:
        return None
    tensor, imports = torch_name(context, "tensor", node)
    number = context.module.segment(place.number)
    taken = sum(isinstance(e, ast.Constant) and isinstance(e.value, int) for e in elements[: elements.index(element)])
    whole = context.span(node)
    text = context.module.text
    part = context.span(place.number)
    written = f"{text[whole.start : part.start]}{tensor}([{number}]){text[part.end : whole.end]}"
    return [Replace(whole, f"{written}.squeeze({place.axis - taken})")], imports


def _stored(context: Context, place: Place, others: Sequence[ast.AST]) -> tuple[list[Edit], tuple[Import, ...]] | None:
    """``x[i] = y`` and ``x[i].copy_(y)``, alone in their statement."""
    node, statement = place.node, context.module.statement(place.node)
    if not isinstance(node, ast.Subscript) or node.slice is not place.number or dotted(node.value) is None:
        return None
    if place.change.is_tensor or not place.is_sure(context) or not context.editable(statement):
        return None
    given = _given(node, statement)
    if given is None or has_comment(context, statement) or any(part in others for part in ast.walk(given)):
        return None
    whole, text = context.module.segment(node.value), context.module.segment(given)
    if isinstance(statement, ast.Expr) or context.roles.is_(given, *TENSORS):  # copy_() takes tensors alone
        text = f"{text if isinstance(given, _BINDING) else f'({text})'}.to({whole})"
    elif not isinstance(given, ast.Constant):
        return None
    tensor, imports = torch_name(context, "tensor", node)
    written = f"{whole}[{tensor}([{context.module.segment(place.number)}])] = {text}"
    return [Replace(context.span(statement), written)], imports


def _given(node: ast.Subscript, statement: ast.stmt) -> ast.expr | None:
    """What a statement stores at a place, and does nothing else."""
    if isinstance(statement, ast.Assign):
        return statement.value if statement.targets == [node] else None
    call = statement.value if isinstance(statement, ast.Expr) else None
    is_copy = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "copy_"
    if not is_copy or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return None
    return call.args[0] if call.func.value is node and len(call.args) == 1 and not call.keywords else None


def _is_written_by_number(context: Context, node: ast.Subscript) -> bool:
    """Whether the object whose buffer is read writes to it by a number that stays in the graph: what a statement
    stores alone is written by a tensor, too, perhaps in the file that is converted next.
    """
    base, structure = node.value, context.flow.structure
    owner = structure.instance_of(context.view.own, base.value) if isinstance(base, ast.Attribute) else None
    if owner is None or not isinstance(base, ast.Attribute):
        return False
    for facts in structure.files_with(owner, base.attr):
        for load in facts.loads.get(base.attr, []):
            part = facts.module.parents[load]
            method = facts.module.parents[part]
            if not isinstance(part, ast.Subscript) or part.value is not load or isinstance(part.slice, ast.Constant):
                continue
            if isinstance(part.slice, ast.Call) and facts.names.resolve(part.slice.func) == "torch.tensor":
                continue  # by a tensor of places
            is_stored = not isinstance(part.ctx, ast.Load) or (
                isinstance(method, ast.Attribute) and method.attr == "copy_"
            )
            if is_stored and (isinstance(part.slice, _SEVERAL) or _given(part, facts.module.statement(part)) is None):
                return True
    return False


def _slice(context: Context, place: Place, part: ast.Slice) -> tuple[list[Edit], tuple[Import, ...]] | None:
    assert isinstance(place.node, ast.Subscript)
    tensor = dotted(place.node.value)
    if tensor is None or place.also is None or part.step is not None:
        return None
    size = length(place.number, place.also)
    if size is None or changes_length(context, [place.number, place.also], size):
        return None  # each length is another graph anyway
    arange, imports = torch_name(context, "arange", place.node)
    span = context.span(part)
    text = context.module.text[span.start : span.end]
    return [Replace(span, f"{arange}({tensor}.size({place.axis}))[{text}]")], imports


def _is_fixed(element: ast.expr) -> bool:
    """``:`` and ``0``, which leave a tensor of places in its dimension."""
    if isinstance(element, ast.Slice):
        return all(
            integer(bound) is not None for bound in (element.lower, element.upper, element.step) if bound is not None
        )
    return integer(element) is not None
