"""What is loaded and belongs on the device, as the code around it tells: it is used with what lies there."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts import known
from xlaport.facts.names import How
from xlaport.facts.roles import Role

from ..step.moves import destination, goes_to_accelerator, is_move
from . import own_files

_NO_USES = frozenset(
    "copy_ get pop keys items values update append extend insert add setdefault load_state_dict step".split()
)
"""Methods that take a tensor of any device, or do not compute with it."""
_OF_ANYTHING = frozenset(f"torch.{name}" for name in "save is_tensor tensor as_tensor stack cat concat".split())


def takes_tensors_place(context: Context, node: ast.expr) -> bool:
    """Whether what was loaded stands where the program elsewhere puts a tensor that it brings to the device."""
    values: list[ast.expr | None] = []
    if isinstance(node, ast.Name):
        values = [b.value for b in context.names.reaching(node) if b.how is How.ASSIGN]
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = context.names.self_class(node.value)
        values = context.roles.classes.attribute_values(owner, node.attr) if owner is not None else []
    return any(value is not None and is_put_on_device(context, value) for value in values)


def is_put_on_device(context: Context, value: ast.expr) -> bool:
    """``torch.zeros(16, 4).cuda()``, ``torch.zeros(16, 4, device=device)``."""
    if not isinstance(value, ast.Call) or not _is_on_device(context, value):
        return False
    if is_move(context, value):
        return goes_to_accelerator(context, value)
    makes = known.makes_tensor(context.resolve(value.func) or "")
    return makes and destination(value) is not None and any(k.arg == "device" for k in value.keywords)


def takes_tensor_of_device(context: Context, node: ast.expr) -> bool:
    """Whether what was loaded is computed with a tensor of the device, by a function that takes tensors alone."""
    call = context.module.parents[node]
    if not isinstance(call, ast.Call) or call.args[:1] != [node] or len(call.args) < 2:
        return False
    name = context.resolve(call.func) or ""
    takes = name not in _OF_ANYTHING and name.startswith("torch.") and known.computes_tensor(name)
    return takes and any(_is_on_device(context, argument) for argument in call.args[1:])


def is_asked_with_tensor_of_device(context: Context, node: ast.expr) -> bool:
    """Whether a method of what was loaded gets a tensor of the device: ``policy.act(x.cuda())``."""
    method = context.module.parents[node]
    call = context.module.parents[method]
    if not isinstance(method, ast.Attribute) or not isinstance(call, ast.Call) or call.func is not method:
        return False
    return method.attr not in _NO_USES and any(_is_on_device(context, argument) for argument in call.args)


def is_saved_module(context: Context, load: ast.Call) -> bool:
    """Whether all that a file holds which a call loads is one module, as the program itself has saved it."""
    found = own_files.of_file(context, load)
    return bool(found) and all(
        len(one.contents.modules) == 1 and one.contents.modules[0][1] is one.value for one in found
    )


def _is_on_device(context: Context, node: ast.expr) -> bool:
    fact = context.roles.of(node)
    return fact is not None and fact.role is Role.TENSOR and not fact.assumed
