"""Statements of a step loop that put a number, or a tensor, where the program keeps it."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from xlaport.facts.loops import StepLoop
from xlaport.facts.reads import HostRead

from .addends import Addend


class Form(enum.Enum):
    """What a step loop fills with what it reads, or gives that."""

    SUM = enum.auto()
    LIST = enum.auto()
    EXTENDED = enum.auto()
    """A list that gets several elements at a time."""
    ARRAY = enum.auto()
    """A tensor or an array on the host, made before the loop, of which each pass sets an element."""
    MEAN = enum.auto()
    """An array of which each pass sets the next element, and nothing is asked but the mean: a sum will do."""
    SUMS = enum.auto()
    """A dict of sums."""
    LISTS = enum.auto()
    """Lists in a dict, each under a key that is written."""
    METER = enum.auto()
    """An object of a class of the project that has a method for it."""
    NAME = enum.auto()
    """A name, which hands it on."""
    RESULT = enum.auto()
    """What a function returns."""


@dataclass(frozen=True)
class Filling:
    """``total += loss.item()``, ``losses.append(loss.item())`` on every pass. `before` is the use of what was there."""

    statement: ast.stmt
    loop: StepLoop
    before: ast.Name
    addend: Addend
    reads: tuple[HostRead, ...]


def filled(statement: ast.stmt) -> tuple[ast.Name, ast.expr, Form] | None:
    """What a statement adds to, as it stands there, what it adds, and to what."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        return _augmented(statement.target, statement.value)
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        return _assigned(statement.targets[0], statement.value)
    call = statement.value if isinstance(statement, ast.Expr) else None
    func = call.func if isinstance(call, ast.Call) else None
    if isinstance(call, ast.Call) and isinstance(func, ast.Attribute) and func.attr in ("append", "extend"):
        if len(call.args) != 1 or call.keywords:
            return None
        if isinstance(func.value, ast.Name):
            return func.value, call.args[0], Form.LIST if func.attr == "append" else Form.EXTENDED
        if func.attr == "append" and isinstance(func.value, ast.Subscript) and isinstance(func.value.value, ast.Name):
            is_key = isinstance(func.value.slice, ast.Constant) and isinstance(func.value.slice.value, str)
            return (func.value.value, call.args[0], Form.LISTS) if is_key else None
    return None


def _augmented(target: ast.expr, value: ast.expr) -> tuple[ast.Name, ast.expr, Form] | None:
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        return target.value, value, Form.SUMS
    if not isinstance(target, ast.Name):
        return None
    if isinstance(value, ast.List):
        return (target, value.elts[0], Form.LIST) if len(value.elts) == 1 else None
    return target, value, Form.SUM


def _assigned(target: ast.expr, value: ast.expr) -> tuple[ast.Name, ast.expr, Form] | None:
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        is_element = not isinstance(target.slice, ast.Slice | ast.Tuple | ast.Constant)
        return (target.value, value, Form.ARRAY) if is_element else None
    if isinstance(target, ast.Name) and isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        for before, added in ((value.left, value.right), (value.right, value.left)):
            if isinstance(before, ast.Name) and before.id == target.id and not _mentions(added, target.id):
                return before, added, Form.SUM
    return None


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))
