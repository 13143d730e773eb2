"""What to write where a store takes its place from a changing number, in the user's own names.

A store by a tensor of places, unlike one by a number, does not convert what it writes, and keeps the dimension.
"""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.module import indices
from xlaport.facts.role import TENSORS, Role
from xlaport.facts.roles import dotted

from .places import Place
from .saying import say
from .selection import is_mask, is_number

_LONGEST = 50
_NUMBERS = {"zero_": "0", "fill_": ""}
"""Methods that write one number, and which; empty: their argument."""


def stored(context: Context, place: Place, written: str) -> str:
    """A store to ``written``, the subscript with places by a tensor."""
    node, statement = place.node, context.module.statement(place.node)
    if isinstance(statement, ast.AugAssign):
        added = _dimension(context, place) if not _is_one(context, statement.value) else 0
        return _said(written, f".unsqueeze({added})" if added else "")
    value = _given(statement, node)
    needs = _needs(context, place, value)
    if value is None or not needs or context.roles.role(value) not in TENSORS:
        return _said(written, needs)
    return _said(f"{written} = {_text(context, place, value)}{needs}")


def _said(written: str, needs: str = "") -> str:
    if needs:
        return say.phrase("stored_and_needs", written=written, needs=needs)
    return say.phrase("stored", written=written)


def changed(context: Context, place: Place, written: str) -> str:
    """What to do where a part is changed in place: by a tensor of places it is a copy, and the change would be lost."""
    method = context.module.parents[place.node]
    call = context.module.parents[method]
    if isinstance(method, ast.Attribute) and isinstance(call, ast.Call) and call.func is method:
        argument = call.args[0] if call.args else None
        if method.attr == "copy_" and argument is not None:
            needs = _needs(context, place, argument, is_tensor=True)
            value = f"{_text(context, place, argument)}{needs}" if needs else context.module.segment(argument)
            return say.phrase("assigned", written=f"{written} = {value}")
        if method.attr in _NUMBERS and (argument is not None or _NUMBERS[method.attr]):
            number = _NUMBERS[method.attr] or context.module.segment(argument or call)
            return say.phrase("assigned", written=f"{written} = {number}")
    return say.phrase("written_back", written=written)


def _needs(context: Context, place: Place, value: ast.expr | None, is_tensor: bool = False) -> str:
    """What a tensor that is written needs: ``.unsqueeze(1).to(x.dtype)``; nothing for a number."""
    name = dotted(place.tensor) if place.tensor is not None else None
    dtype = f"{name}.dtype" if name is not None else "dtype"
    added = _dimension(context, place)
    if value is not None and is_number(context, value) and not is_tensor:
        return ""
    cast = f".to({dtype})"
    if value is not None and (is_tensor or context.roles.role(value) in TENSORS):
        if context.tensors.held(context.view.own, value).rank == 0:
            added = 0
        if _has_dtype(context, place, value):
            cast = ""
    return (f".unsqueeze({added})" if added else "") + cast


def _dimension(context: Context, place: Place) -> int:
    """The dimension of one element that a tensor leaves, in the place of a number, behind others; 0: it needs none."""
    if place.construct.place != "index" or not isinstance(place.node, ast.Subscript):
        return 0
    elements = [e for e in indices(place.node) if e is place.number or not _is_index(context, e)]
    here = elements.index(place.number)
    others = [*elements[:here], *elements[here + 1 :]]
    if any(not isinstance(e, ast.Slice | ast.Constant) for e in others):
        return 0  # other tensors are combined with it
    if any(isinstance(e, ast.Constant) and e.value is ... for e in elements[:here]):
        return here - len(elements)
    return here


def _is_index(context: Context, element: ast.expr) -> bool:
    """Whether an element of a subscript is one number, whose dimension goes."""
    return integer(element) is not None or context.roles.is_(element, Role.NUMBER)


def _has_dtype(context: Context, place: Place, value: ast.expr) -> bool:
    """Whether what is written is known to have the dtype of what it is written to."""
    assert place.tensor is not None
    of = ast.dump(place.tensor)
    if isinstance(value, ast.Subscript) and ast.dump(value.value) == of:
        return True
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in ("to", "type_as"):
        given = [a.value if isinstance(a, ast.Attribute) and a.attr == "dtype" else a for a in value.args]
        return any(ast.dump(a) == of for a in given)
    return is_mask(context, place.tensor) and is_mask(context, value)


def _is_one(context: Context, value: ast.expr) -> bool:
    return is_number(context, value) or context.tensors.held(context.view.own, value).rank == 0


def _given(statement: ast.stmt, node: ast.expr) -> ast.expr | None:
    """What an assignment writes to one of its targets, where that is one expression of its own."""
    if not isinstance(statement, ast.Assign):
        return None
    for target in statement.targets:
        if target is node:
            return statement.value
        if isinstance(target, ast.Tuple | ast.List) and isinstance(statement.value, ast.Tuple | ast.List):
            values = statement.value.elts
            if len(values) == len(target.elts) and not any(isinstance(e, ast.Starred) for e in [*values, *target.elts]):
                found = next((v for t, v in zip(target.elts, values, strict=True) if t is node), None)
                if found is not None:
                    return found
    return None


def _text(context: Context, place: Place, value: ast.expr) -> str:
    """A short value as it stands; a long one, or one with another of the places, by three dots."""
    text = context.module.segment(value)
    again = any(ast.dump(n) == ast.dump(place.number) for n in ast.walk(value))
    if again or len(text) > _LONGEST or "\n" in text:
        return "(…)"
    return _operand(value, text)


def _operand(node: ast.expr, text: str | None = None) -> str:
    text = ast.unparse(node) if text is None else text
    return text if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Constant | ast.Subscript) else f"({text})"
