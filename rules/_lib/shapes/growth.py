"""Tensors that grow from step to step: joined with something new in every pass, and carried into the next."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import LoopNode
from xlaport.facts.names import Binding, How
from xlaport.facts.role import Role
from xlaport.facts.roles import dotted
from xlaport.facts.step_code import StepBody

_JOINING = frozenset(
    f"torch.{name}" for name in "cat concat concatenate hstack vstack dstack row_stack column_stack".split()
)
_STACKING = _JOINING | {"torch.stack"}
_PADDING = "torch.nn.functional.pad"
_KEEPING = frozenset("detach contiguous clone to long float int half bfloat16 type requires_grad_ cuda".split())
"""Methods that keep the size of a tensor."""
_LOOKING = frozenset("size dim numel shape ndim dtype device".split())
_MAX_DEPTH = 5


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
        name = context.resolve(node.func)
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
    parts = _parts(context, call)
    kept = [_kept(part) for part in parts]
    if len(parts) < 2 and context.resolve(call.func) != _PADDING:
        return None
    for index, part in enumerate(kept):
        others = [p for i, p in enumerate(parts) if i != index]
        found = None
        if isinstance(part, ast.Name):
            found = _grown_name(context, call, part, others)
        elif isinstance(part, ast.Attribute):
            found = _grown_attribute(context, call, part, others, body)
        found = found or _grown_elsewhere(context, call, part, others)
        if found is not None:
            return found
    return None


def _grown_elsewhere(context: Context, call: ast.Call, part: ast.expr, others: list[ast.expr]) -> Growth | None:
    """What a dict keeps, or a caller: ``store["keys"] = torch.cat((store["keys"], key))``."""
    is_kept = isinstance(part, ast.Subscript) or _is_parameter(context, part)
    change = context.changing.growth(part, call) if is_kept and context.roles.is_(part, Role.TENSOR) else None
    if change is None:
        return None
    own = change.node if isinstance(change.node, LoopNode) and change.facts is context.view.own else None
    return Growth(call, context.module.segment(part), others[0] if len(others) == 1 else None, own)


def _is_parameter(context: Context, part: ast.expr) -> bool:
    found = context.names.reaching(part) if isinstance(part, ast.Name) else ()
    return bool(found) and all(binding.how is How.PARAMETER for binding in found)


def _parts(context: Context, call: ast.Call) -> list[ast.expr]:
    """What is joined, or padded."""
    first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "tensors"), None)
    if context.resolve(call.func) == _PADDING:
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


def _grown_name(context: Context, call: ast.Call, part: ast.Name, others: list[ast.expr]) -> Growth | None:
    loop = context.step_code.counting_loop(call)
    if loop is None:
        return None
    found = context.names.reaching(part)
    inside = [b for b in found if context.step_code.is_inside(b.node, loop)]
    if not inside or len(inside) == len(found):
        return None
    if not all(_leads_to(context, binding, call, 0) for binding in inside):
        return None
    starts = [b.value for b in found if b not in inside and b.value is not None]
    if not _is_on_device(context, others or [part], starts, loop, part):
        return None
    added = others[0] if len(others) == 1 else None
    return Growth(call, part.id, added, loop, grown=part, feeds=_feeds(context, part, loop))


def _leads_to(context: Context, binding: Binding, call: ast.Call, depth: int) -> bool:
    """Whether a binding's value is the call, or a name for it."""
    if binding.how is not How.ASSIGN or binding.value is None or depth > _MAX_DEPTH:
        return False
    value = _kept(binding.value)
    if value is call:
        return True
    if isinstance(value, ast.IfExp):
        return call in (_kept(value.body), _kept(value.orelse))
    if isinstance(value, ast.Name):
        found = context.names.reaching(value)
        return bool(found) and all(_leads_to(context, b, call, depth + 1) for b in found)
    return False


def _is_on_device(
    context: Context, added: list[ast.expr], starts: list[ast.expr], loop: LoopNode, grown: ast.Name
) -> bool:
    """Whether what grows is on the device, by what is added, by what it starts with, or by the model that gets it."""
    roles = [context.roles.role(part) for part in added]
    if Role.HOST_TENSOR in roles:
        return False
    if Role.TENSOR in [*roles, *(context.roles.role(start) for start in starts)]:
        return True
    return any(
        isinstance(node, ast.Call)
        and context.roles.is_(node.func, Role.MODEL)
        and any(isinstance(a, ast.Name) and a.id == grown.id for a in node.args)
        for statement in loop.body
        for node in ast.walk(statement)
    )


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


# -- attributes ----------------------------------------------------------------------------------------


def _grown_attribute(
    context: Context, call: ast.Call, part: ast.Attribute, others: list[ast.expr], body: StepBody
) -> Growth | None:
    """``self.keys = torch.cat([self.keys, key])``, directly or through a name."""
    path = dotted(part)
    owner = context.roles.instance_class(part.value)
    if path is None or owner is None or Role.HOST_TENSOR in [context.roles.role(p) for p in others]:
        return None
    grows = False
    for node in context.step_code.attributes.get(part.attr, ()):
        if not isinstance(node.ctx, ast.Store):
            continue
        if context.roles.instance_class(node.value) is not owner:
            continue
        statement = context.module.statement(node)
        value = statement.value if isinstance(statement, ast.Assign) else None
        if value is not None and _is_call(context, value, call):
            grows = True
        elif context.step_code.in_step(node) and (value is None or _cuts(value, part.attr) or _is_plain(context, node)):
            return None
    if not grows or not any(context.roles.is_(p, Role.TENSOR) for p in [part, *others]):
        return None
    loop = body.loop.node if body.loop is not None else None
    return Growth(call, path, others[0] if len(others) == 1 else None, loop)


def _is_call(context: Context, value: ast.expr, call: ast.Call) -> bool:
    """Whether a value is, or may be, what the call gives."""
    value = _kept(value)
    if isinstance(value, ast.IfExp):
        return any(_is_call(context, side, call) for side in (value.body, value.orelse))
    if isinstance(value, ast.Name):
        found = context.names.reaching(value)
        return any(b.value is not None and _kept(b.value) is call for b in found)
    return value is call


def _cuts(value: ast.expr, attribute: str) -> bool:
    """``self.keys[-n:]``: it is cut to some length again."""
    return any(
        isinstance(n, ast.Subscript) and isinstance(n.value, ast.Attribute) and n.value.attr == attribute
        for n in ast.walk(value)
    )


def _is_plain(context: Context, node: ast.Attribute) -> bool:
    """Whether a store happens whenever its function runs."""
    return isinstance(context.module.parents[context.module.statement(node)], ast.FunctionDef | ast.AsyncFunctionDef)


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
