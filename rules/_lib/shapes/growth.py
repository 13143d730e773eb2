"""Tensors that grow from step to step: joined with something new in every pass, and carried into the next."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import LoopNode
from xlaport.facts.names import Binding, How
from xlaport.facts.role import Role
from xlaport.facts.step_nodes import StepBody

_JOINING = frozenset(
    f"torch.{name}" for name in "cat concat concatenate hstack vstack dstack row_stack column_stack".split()
)
_STACKING = _JOINING | {"torch.stack"}
_PADDING = "torch.nn.functional.pad"
_KEEPING = frozenset("detach contiguous clone to long float int half bfloat16 type requires_grad_ cuda".split())
"""Methods that keep the size of a tensor."""
_LOOKING = frozenset("size dim numel shape ndim dtype device".split())


@dataclass(frozen=True)
class Growth:
    """One place that makes a tensor, or a list whose tensors are joined, larger in every step."""

    call: ast.Call
    """What joins."""
    name: str
    """What grows: ``tokens``, ``self.keys``, a list ``outputs``."""
    added: ast.expr | None
    """What is new in each step, where it is one expression."""
    loop: LoopNode | None
    """The loop whose passes make it grow; None where it grows with the calls of a model."""
    is_list: bool = False
    grown: ast.Name | None = None
    """The name, where that is what grows."""
    feeds: bool = True
    """Whether the next step computes with it, in another way than by joining it again."""


def growths(context: Context, body: StepBody) -> Iterator[Growth]:
    """The places in the code of a step that make something grow."""
    for node in context.step_code.of_type(body, ast.Call):
        name = context.looked_up(node.func)
        if name in _STACKING and node.args and isinstance(node.args[0], ast.Name):
            found = _list(context, node, node.args[0])
        elif name in _JOINING or name == _PADDING:
            found = _tensor(context, node, body)
        else:
            found = None
        if found is not None:
            yield found


# -- tensors -------------------------------------------------------------------------------------------


def _tensor(context: Context, call: ast.Call, body: StepBody) -> Growth | None:
    """``tokens = torch.cat((tokens, token))``, and of what an object, a dict or a caller keeps."""
    parts = _parts(context, call)
    if len(parts) < 2 and context.looked_up(call.func) != _PADDING:
        return None
    for index, part in enumerate(map(_kept, parts)):
        others = [p for i, p in enumerate(parts) if i != index]
        change = context.changing.growth(part, call) if context.roles.is_(part, Role.TENSOR) else None
        if change is None or Role.HOST_TENSOR in [context.roles.role(other) for other in others]:
            continue
        own = change.node if isinstance(change.node, LoopNode) and change.facts is context.view.own else None
        added = others[0] if len(others) == 1 else None
        name = context.module.segment(part)
        if isinstance(part, ast.Attribute):
            return Growth(call, name, added, body.loop.node if body.loop is not None else None)
        if not isinstance(part, ast.Name) or own is None or not context.step_code.is_inside(call, own):
            return Growth(call, name, added, own)
        return Growth(call, name, added, own, grown=part, feeds=_feeds(context, part, own))
    return None


def _parts(context: Context, call: ast.Call) -> list[ast.expr]:
    """What is joined, or padded."""
    first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "tensors"), None)
    if context.looked_up(call.func) == _PADDING:
        pads = call.args[1] if len(call.args) > 1 else next((k.value for k in call.keywords if k.arg == "pad"), None)
        elements = pads.elts if isinstance(pads, ast.Tuple | ast.List) else []
        adds = any(isinstance(e, ast.Constant) and isinstance(e.value, int) and e.value > 0 for e in elements)
        takes = any(not isinstance(e, ast.Constant) for e in elements)
        return [first] if first is not None and adds and not takes else []
    return list(first.elts) if isinstance(first, ast.Tuple | ast.List) else []


def _kept(part: ast.expr) -> ast.expr:
    while isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _KEEPING:
        part = part.func.value
    return part


def _feeds(context: Context, grown: ast.Name, loop: LoopNode) -> bool:
    """Whether the loop uses what grows for more than joining it again, and looking at its size."""
    home = context.names.home(grown)
    for use in context.names.uses(home, grown.id) if home is not None else ():
        if use is grown or not context.step_code.is_inside(use, loop):
            continue
        parent = context.module.parents[use]
        if isinstance(parent, ast.Attribute) and parent.attr in _LOOKING:
            continue
        if isinstance(parent, ast.Call) and context.resolve(parent.func) in ("builtins.len", "builtins.print"):
            continue
        return True
    return False


# -- lists ---------------------------------------------------------------------------------------------


def _list(context: Context, call: ast.Call, name: ast.Name) -> Growth | None:
    """``torch.stack(outputs)`` in every pass of the loop that appends to the list."""
    loop = context.step_code.counting_loop(call)
    found = context.names.reaching(name)
    home = context.names.home(name)
    if loop is None or home is None or not found or not all(_is_empty_list(context, b) for b in found):
        return None
    if any(context.step_code.is_inside(b.node, loop) for b in context.names.bindings(name)):
        return None
    added: ast.expr | None = None
    for use in context.names.uses(home, name.id):
        parent = context.module.parents[use]
        if not isinstance(parent, ast.Attribute):
            continue
        method = context.module.parents[parent]
        if not isinstance(method, ast.Call) or method.func is not parent:
            continue
        if parent.attr in ("clear", "pop", "remove"):
            return None
        if parent.attr == "append" and method.args and context.step_code.counting_loop(use) is loop:
            added = method.args[0]
    if added is None or not context.roles.is_(added, Role.TENSOR):
        return None
    return Growth(call, name.id, added, loop, is_list=True)


def _is_empty_list(context: Context, binding: Binding) -> bool:
    value = binding.value
    return binding.how is How.ASSIGN and (
        isinstance(value, ast.List)
        or (isinstance(value, ast.Call) and context.resolve(value.func) == "builtins.list" and not value.args)
    )
