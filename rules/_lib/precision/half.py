"""The dtypes that a call asks for: float16, which a TPU has no units for, and those that are known to be others."""

from __future__ import annotations

import ast

from xlaport.analysis.events import Given
from xlaport.analysis.value import UNKNOWN
from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.role import Role
from xlaport.facts.vocabulary import HALF

from .arrays import arrays_under

_OTHERS = frozenset({"torch.bfloat16", "torch.float32", "torch.float", "torch.float64", "torch.double"})
_AUTOCAST = frozenset({"torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast"})
_ELSEWHERE = frozenset({"cpu", "mps", "xpu", "hpu"})
AUTOCAST_OF_CUDA = frozenset({"torch.cuda.amp.autocast", "torch.cuda.amp.autocast_mode.autocast"})


def is_half(context: Context, dtype: ast.expr) -> bool:
    """Whether an expression is float16 and nothing else."""
    return context.resolve(dtype) in HALF


def is_told(context: Context, dtype: ast.expr) -> bool:
    """Whether it is plain which dtype an expression is: no choice by a flag or a table."""
    return context.resolve(dtype) in HALF | _OTHERS


def is_autocast(context: Context, call: ast.Call) -> bool:
    """Whether a call is torch's own autocast, for CUDA, for XLA or for a device that a name tells."""
    if context.resolve(call.func) not in _AUTOCAST:
        return False
    device = next((k.value for k in call.keywords if k.arg == "device_type"), call.args[0] if call.args else None)
    return not (isinstance(device, ast.Constant) and device.value in _ELSEWHERE)


def is_handed_autocast(handed: tuple[str, Given]) -> bool:
    """Whether what a partial hands arguments to is an autocast for CUDA, or of float16."""
    name, given = handed
    device = given.keywords.get("device_type", given.arguments[0] if given.arguments else UNKNOWN)
    is_half = any(one.refers in HALF for one in (*given.arguments, *given.keywords.values()))
    is_meant = device.constant == "cuda" or (is_half and device.constant not in _ELSEWHERE)
    return name in AUTOCAST_OF_CUDA or (name in _AUTOCAST and is_meant)


def dtype_of(context: Context, call: ast.Call) -> ast.expr | None:
    """The dtype that an autocast is given."""
    dtype = next((k.value for k in call.keywords if k.arg == "dtype"), None)
    if dtype is None and len(call.args) > 1 and not any(isinstance(a, ast.Starred) for a in call.args[:2]):
        return call.args[1]
    return dtype


def may_stay_half(context: Context) -> bool:
    """Whether something of the file may compute in float16 after the conversion: a model, or an autocast whose dtype
    is chosen elsewhere.
    """
    for call in context.module.calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr == "half" and context.roles.is_(call, Role.MODEL):
            return True
    return autocast_left(context) or any(
        isinstance(call.func, ast.Attribute)
        and call.func.attr == "to"
        and context.roles.is_(call.func.value, Role.MODEL)
        and any(is_half(context, value) for value in [*call.args, *(k.value for k in call.keywords)])
        for call in context.module.calls
    )


def autocast_left(context: Context) -> bool:
    """Whether an autocast of the file may compute in float16 after a conversion without --unsafe: its dtype is told
    elsewhere, it is handed on, ``partial(torch.autocast, dtype=dtype)``, or NumPy takes what it computes.
    """
    for call in context.module.calls:
        if context.resolve(call.func) in AUTOCAST_OF_CUDA or is_autocast(context, call):
            dtype = dtype_of(context, call)
            hidden = any(k.arg is None for k in call.keywords) or any(isinstance(a, ast.Starred) for a in call.args)
            if hidden or (dtype is not None and not is_half(context, dtype) and not is_never_half(context, dtype)):
                return True
            if dtype is not None and is_autocast(context, call) and any(arrays_under(context, call)):
                return True
        elif any(context.resolve(argument) in _AUTOCAST for argument in call.args):
            handed = next((k.value for k in call.keywords if k.arg == "dtype"), None)
            if handed is not None and not is_never_half(context, handed):
                return True
    return False


def is_for_autocast(context: Context, value: ast.expr) -> bool:
    """Whether a dtype goes to autocasts and nowhere else: ``kind = {"fp16": torch.float16, …}[args.dtype]``."""
    module = context.module
    while True:
        parent = module.parents[value]
        is_side = isinstance(parent, ast.IfExp) and value is not parent.test
        is_entry = isinstance(parent, ast.Dict) and value in parent.values
        if is_side or is_entry or (isinstance(parent, ast.Subscript) and value is parent.value):
            assert isinstance(parent, ast.expr)
            value = parent
        else:
            break
    if _is_for_autocast(context, value):
        return True
    target = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
    home = context.names.home(target) if isinstance(target, ast.Name) else None
    if home is None or not isinstance(target, ast.Name) or isinstance(value, ast.Dict):
        return False
    program, own = context.view.program, context.view.own
    if home is context.names.root and not context.view.is_alone and program.used_elsewhere(own.file, [target.id]):
        return False
    uses = context.names.uses(home, target.id)
    return bool(uses) and all(_is_for_autocast(context, use) for use in uses)


def _is_for_autocast(context: Context, use: ast.expr) -> bool:
    parent = context.module.parents[use]
    call = context.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    if not isinstance(call, ast.Call) or dtype_of(context, call) is not use:
        return False
    return context.resolve(call.func) in AUTOCAST_OF_CUDA or is_autocast(context, call)


def is_never_half(context: Context, dtype: ast.expr) -> bool:
    """Whether a dtype is known, or chosen among known ones, none of which is float16."""
    if isinstance(dtype, ast.IfExp):
        return is_never_half(context, dtype.body) and is_never_half(context, dtype.orelse)
    if isinstance(dtype, ast.Subscript) and isinstance(dtype.value, ast.Dict):
        return all(is_never_half(context, value) for value in dtype.value.values)
    if isinstance(dtype, ast.Constant) and dtype.value is None:
        return True  # that of the device
    if is_told(context, dtype):
        return not is_half(context, dtype)
    found = context.names.reaching(dtype) if isinstance(dtype, ast.Name) else []
    return bool(found) and all(
        b.how is How.ASSIGN and b.value is not None and is_never_half(context, b.value) for b in found
    )
