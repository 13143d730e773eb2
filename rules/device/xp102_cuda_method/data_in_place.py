"""Tensors that get the data of another device in their place: ``x.data = x.data.cuda()``."""

from __future__ import annotations

import ast

from xlaport.context import Context

from ..._lib.step import moves


def in_place(context: Context, call: ast.Call) -> ast.expr | None:
    """The tensor that gets its own data from the device by a move; None where a move is no such."""
    statement = context.module.parents[call]
    if not isinstance(statement, ast.Assign) or statement.value is not call or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Attribute) or target.attr != "data":
        return None
    wanted, part = ast.dump(target.value), call.func
    while isinstance(part, ast.Attribute | ast.Call):
        part = part.func if isinstance(part, ast.Call) else part.value
        if isinstance(part, ast.expr) and ast.dump(part) == wanted:
            return target.value
    return None


def by_to(context: Context) -> list[tuple[ast.Call, ast.expr]]:
    """``x.data = x.data.to(device)`` of a file, with a device that is the accelerator, and the tensor of each."""
    found = []
    for target in context.module.attributes.get("data", []):
        statement = context.module.parents[target]
        call = statement.value if isinstance(statement, ast.Assign) and statement.targets == [target] else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "to":
            continue
        tensor = in_place(context, call)
        if tensor is not None and moves.is_move(context, call) and moves.goes_to_accelerator(context, call):
            found.append((call, tensor))
    return found
