"""Assignments to what a mask selects, `y[mask] = value`, as they are written without an index of truth values."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.facts.literals import number
from xlaport.facts.role import Role
from xlaport.facts.roles import dotted
from xlaport.rule import Import

from ..comments import has_comment
from ..host_reads.device_values import spelled, torch_name
from ..one_line import one_line
from .lying_apart import may_lie_apart
from .selection import is_mask, is_number, mask_of, rows_behind, selection
from .spreading import Spread, Spreading
from .standing import is_repeatable

_NAMES = ("mask", "mask_", "places")
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


@dataclass(frozen=True)
class Written:
    """A write as it is written now. `before` is a statement that has to stand before it, if any."""

    text: str
    imports: tuple[Import, ...] = ()
    before: str = ""


def is_masked_write(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement writes to a tensor on the device, through one of truth values."""
    target = _target(statement)
    if target is None or isinstance(mask_of(target), ast.Slice | ast.Tuple | ast.Constant):
        return False
    on_device = context.roles.is_(target.value, Role.TENSOR) and context.roles.is_(mask_of(target), Role.TENSOR)
    return on_device and is_mask(context, mask_of(target))


def is_written(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement writes through a mask, and can be written as `masked_write` does."""
    return is_masked_write(context, statement) and masked_write(context, statement) is not None


def masked_write(context: Context, statement: ast.stmt) -> Written | None:
    """The statement without its index; None where it is not known to do the same."""
    target = _target(statement)
    if target is None or has_comment(context, statement) or may_lie_apart(context, mask_of(target), target.value):
        return None
    if isinstance(statement, ast.AugAssign):
        return _changed(context, statement, target)
    assert isinstance(statement, ast.Assign)
    value = statement.value
    if is_number(context, value) or _is_one_value(context, value):
        return _filled(context, target, value)
    return _chosen(context, target, value)


def _assigned(context: Context, target: ast.Subscript, value: str) -> Written | None:
    """``y[mask] = value`` for a value of all places; None where the mask may have fewer dimensions than y."""
    mask = _fitting(context, target)
    if mask is None or not is_repeatable(context, target.value):
        return None
    where, imports = torch_name(context, "where", target)
    tensor = context.module.segment(target.value)
    text = f"{spelled(context, target.value)}.copy_({where}({mask[0]}, {value}, {tensor}))"
    return Written(text, imports, mask[1])


def _target(statement: ast.stmt) -> ast.Subscript | None:
    if isinstance(statement, ast.AugAssign):
        return statement.target if isinstance(statement.target, ast.Subscript) else None
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    return statement.targets[0] if isinstance(statement.targets[0], ast.Subscript) else None


def _is_one_value(context: Context, node: ast.expr) -> bool:
    """A tensor on the device without dimensions."""
    held = context.tensors.held(context.view.own, node)
    return held.is_scalar and context.roles.is_(node, Role.TENSOR)


def _filled(context: Context, target: ast.Subscript, value: ast.expr) -> Written | None:
    mask = _fitting(context, target)
    if mask is None:
        return None
    text = f"{spelled(context, target.value)}.masked_fill_({mask[0]}, {context.module.segment(value)})"
    return Written(text, before=mask[1])


def _fitting(context: Context, target: ast.Subscript) -> tuple[str, str] | None:
    """The mask with as many dimensions as the tensor, and the statement that it needs before.

    An index has the leading dimensions, `masked_fill_` the trailing ones.
    """
    missing = rows_behind(context, target.value, mask_of(target))
    mask = one_line(context, mask_of(target))
    if missing == 0:
        return mask, ""
    if missing is not None:
        return spelled(context, mask_of(target)) + ".unsqueeze(-1)" * missing, ""
    tensor, before = dotted(target.value), ""
    if dotted(mask_of(target)) is None:
        name = _name_for(context, target)
        if name is None:
            return None
        mask, before = name, f"{name} = {mask}"
    return (f"{mask}[(...,) + (None,) * ({tensor}.dim() - {mask}.dim())]", before) if tensor else None


def _name_for(context: Context, target: ast.expr) -> str | None:
    """A new name for what has to be mentioned more than once, a mask; None where there is no line for it."""
    statement = context.module.statement(target)
    start = context.span(statement).start
    line = context.module.text[:start].rpartition("\n")[2]
    if line.strip():
        return None
    return next((name for name in _NAMES if context.names.is_free(name, target)), None)


def _chosen(context: Context, target: ast.Subscript, value: ast.expr) -> Written | None:
    """``y[mask] = x[mask] * 2``."""
    found = _over_all(context, target, value)
    return _with_imports(_assigned(context, target, found[0].text), found[1]) if found is not None else None


def _over_all(context: Context, target: ast.Subscript, value: ast.expr) -> tuple[Spread, tuple[Import, ...]] | None:
    """A value of what the mask selects, as it is written over all places, and the imports that it needs."""
    spreading = Spreading(context, mask_of(target))
    found = spreading.of(value)
    if found is None or spreading.named:
        return None
    if spreading.fills and not found.is_proven and rows_behind(context, target.value, mask_of(target)) != 0:
        return None  # the mask may have fewer dimensions there, too
    return found, spreading.imports


def _changed(context: Context, statement: ast.AugAssign, target: ast.Subscript) -> Written | None:
    """``y[mask] *= 2`` and ``y[mask] += x[mask]``."""
    sign = _SIGNS.get(type(statement.op))
    if sign is None:
        return None
    value = statement.value
    imports: tuple[Import, ...] = ()
    is_literal = number(value) not in (None, 0)
    if is_literal or (sign in "+-" and (is_number(context, value) or _is_one_value(context, value))):
        text = context.module.segment(value) if is_literal else spelled(context, value)
    elif sign in "+-" and any(selection(context, node) is not None for node in ast.walk(value)):
        found = _over_all(context, target, value)
        if found is None:
            return None
        text, imports = found[0].operand, found[1]
    else:
        return None
    written = _assigned(context, target, f"{context.module.segment(target.value)} {sign} {text}")
    return _with_imports(written, imports)


def _with_imports(written: Written | None, imports: tuple[Import, ...]) -> Written | None:
    return replace(written, imports=tuple(dict.fromkeys((*imports, *written.imports)))) if written else None
