"""Assignments to what a mask selects, `y[mask] = value`, as they are written without an index of truth values."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.elementwise import is_of_same_rank
from xlaport.facts.role import Role
from xlaport.facts.roles import dotted
from xlaport.rule import Import

from ..host_reads.device_values import spelled, torch_name
from .ends import end
from .selection import is_mask, selection
from .spread import has_comment
from .spreading import Spreading

Written = tuple[str, tuple[Import, ...]]
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def is_masked_write(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement writes to a tensor on the device, through one of truth values."""
    target = _target(statement)
    if target is None or isinstance(target.slice, ast.Slice | ast.Tuple | ast.Constant):
        return False
    on_device = context.roles.is_(target.value, Role.TENSOR) and context.roles.is_(target.slice, Role.TENSOR)
    return on_device and is_mask(context, target.slice)


def is_written(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement writes through a mask, and can be written as `masked_write` does."""
    return is_masked_write(context, statement) and masked_write(context, statement) is not None


def masked_write(context: Context, statement: ast.stmt) -> Written | None:
    """The statement without its index; None where it is not known to do the same."""
    target = _target(statement)
    if target is None or has_comment(context, statement):
        return None
    if isinstance(statement, ast.AugAssign):
        return _changed(context, statement, target)
    assert isinstance(statement, ast.Assign)
    value = statement.value
    if is_number(context, value) or _is_one_value(context, value):
        return _filled(context, target, value)
    return _chosen(context, target, value)


def assigned(context: Context, target: ast.Subscript, value: str) -> Written | None:
    """``y[mask] = value`` for a value of all places; None where the mask may have fewer dimensions than y."""
    mask = _fitting(context, target)
    if mask is None:
        return None
    where, imports = torch_name(context, "where", target)
    tensor = context.module.segment(target.value)
    return f"{spelled(context, target.value)}.copy_({where}({mask}, {value}, {tensor}))", imports


def is_number(context: Context, node: ast.expr) -> bool:
    """Whether an expression is one of Python's numbers."""
    return context.roles.is_(node, Role.NUMBER) or (
        isinstance(node, ast.Constant) and type(node.value) in (bool, int, float)
    )


def _target(statement: ast.stmt) -> ast.Subscript | None:
    if isinstance(statement, ast.AugAssign):
        return statement.target if isinstance(statement.target, ast.Subscript) else None
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    return statement.targets[0] if isinstance(statement.targets[0], ast.Subscript) else None


def _missing(context: Context, target: ast.Subscript) -> int | None:
    """How many dimensions the tensor has more than the mask; None: not known."""
    own = context.view.own
    if is_of_same_rank(own, target.slice, target.value):
        return 0
    tensor, mask = context.tensors.held(own, target.value).rank, context.tensors.held(own, target.slice).rank
    return tensor - mask if tensor is not None and mask is not None and 0 < mask <= tensor else None


def _is_one_value(context: Context, node: ast.expr) -> bool:
    """A tensor on the device without dimensions."""
    held = context.tensors.held(context.view.own, node)
    return held.is_scalar and context.roles.is_(node, Role.TENSOR)


def _filled(context: Context, target: ast.Subscript, value: ast.expr) -> Written | None:
    mask = _fitting(context, target)
    if mask is None:
        return None
    return f"{spelled(context, target.value)}.masked_fill_({mask}, {context.module.segment(value)})", ()


def _fitting(context: Context, target: ast.Subscript) -> str | None:
    """The mask with as many dimensions as the tensor: an index has the leading ones, `masked_fill_` the trailing."""
    missing = _missing(context, target)
    mask = context.module.segment(target.slice)
    if missing == 0:
        return mask
    if missing is not None:
        return spelled(context, target.slice) + ".unsqueeze(-1)" * missing
    tensor = dotted(target.value)
    if dotted(target.slice) is None or tensor is None:
        return None
    return f"{mask}.view(*{mask}.shape, *[1] * ({tensor}.dim() - {mask}.dim()))"


def _chosen(context: Context, target: ast.Subscript, value: ast.expr) -> Written | None:
    """``y[mask] = x[mask] * 2``."""
    spreading = Spreading(context, target.slice, end, 0)
    found = spreading.of(value)
    if found is None or found.rest is None or found.rows != 0 or spreading.bindings:
        return None
    written = assigned(context, target, found.text)
    return (written[0], tuple(dict.fromkeys((*spreading.imports, *written[1])))) if written is not None else None


def _changed(context: Context, statement: ast.AugAssign, target: ast.Subscript) -> Written | None:
    """``y[mask] *= 2`` and ``y[mask] += x[mask]``."""
    sign = _SIGNS.get(type(statement.op))
    if sign is None:
        return None
    value = statement.value
    imports: tuple[Import, ...] = ()
    literal = value.operand if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else value
    is_literal = isinstance(literal, ast.Constant) and type(literal.value) in (int, float) and literal.value != 0
    if is_literal or (sign in "+-" and (is_number(context, value) or _is_one_value(context, value))):
        text = context.module.segment(value) if is_literal else spelled(context, value)
    elif sign in "+-" and any(selection(context, node) is not None for node in ast.walk(value)):
        spreading = Spreading(context, target.slice, end, 0)
        found = spreading.of(value)
        if found is None or found.rest is None or found.rows != 0 or spreading.bindings:
            return None
        text, imports = found.operand, spreading.imports
    else:
        return None
    written = assigned(context, target, f"{context.module.segment(target.value)} {sign} {text}")
    return (written[0], tuple(dict.fromkeys((*imports, *written[1])))) if written is not None else None
