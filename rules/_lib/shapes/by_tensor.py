"""Indices and slices by a number, as they are written with a tensor of places, which is an input of the graph."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.module import indices
from xlaport.facts.roles import dotted
from xlaport.rule import Edit, Import, Replace

from ..host_reads.device_values import torch_name
from .advice import length
from .in_place import is_changed_in_place
from .one_length import changes_length
from .places import Place


def by_tensor(context: Context, group: Sequence[Place]) -> tuple[list[Edit], tuple[Import, ...]] | None:
    """The edits that take a number out of the graph at all of these places; None where one of them has to stay."""
    edits: list[Edit] = []
    imports: tuple[Import, ...] = ()
    nodes = [place.node for place in group]
    for place in group:
        if any(inner in nodes for inner in ast.walk(place.node) if inner is not place.node):
            return None
        found = _of(context, place)
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


def _is_written_by_number(context: Context, node: ast.Subscript) -> bool:
    """Whether the object whose buffer is read writes to it by a number itself, which would stay in the graph."""
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
            if not isinstance(part.ctx, ast.Load) or (isinstance(method, ast.Attribute) and method.attr == "copy_"):
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
