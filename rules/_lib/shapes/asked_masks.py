"""Questions whether a mask is true anywhere, and branches that do nothing where it is not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.facts.literals import number
from xlaport.facts.module import indices

from .selection import is_mask

_COUNTING = frozenset({"sum", "count_nonzero"})
_OF_NOTHING = frozenset("max min amax amin argmax argmin median mode aminmax item view reshape mean".split())
"""What raises for a tensor without elements, or does where no dimension is named."""


@dataclass(frozen=True)
class Question:
    """``mask.any()``, ``mask.sum() > 0``, ``x.max() > 1``: is a mask true anywhere?"""

    mask: ast.expr | None
    """None where it is not plain to see."""
    negated: bool
    """Whether it is asked if it is true nowhere: ``mask.sum() == 0``."""
    counted: bool = True
    """Whether it is asked by a number, and not by ``any()``."""


def question(context: Context, test: ast.expr) -> Question | None:
    """What a condition asks of a mask, beside questions that the host answers; None where it asks something else."""
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    last = parts[-1]
    if isinstance(last, ast.UnaryOp) and isinstance(last.op, ast.Not):
        inner = question(context, last.operand)
        return replace(inner, negated=not inner.negated) if inner is not None else None
    found = _compared(context, last)
    if found is not None:
        return found
    if any(isinstance(n, ast.Attribute) and n.attr == "any" for n in ast.walk(last)):
        return Question(operand(context, last, frozenset({"any"})), negated=False, counted=False)
    return None


def _compared(context: Context, test: ast.expr) -> Question | None:
    """``mask.sum() > 0`` and ``x.max() > limit``."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    limit, operator = test.comparators[0], test.ops[0]
    mask = operand(context, test.left, _COUNTING)
    if mask is not None and is_mask(context, mask):
        asked = operator, number(limit)
        if any(isinstance(asked[0], op) and asked[1] == n for op, n in ((ast.Gt, 0), (ast.GtE, 1), (ast.NotEq, 0))):
            return Question(mask, negated=False)
        if any(isinstance(asked[0], op) and asked[1] == n for op, n in ((ast.Eq, 0), (ast.Lt, 1), (ast.LtE, 0))):
            return Question(mask, negated=True)
        return None
    largest = operand(context, test.left, frozenset({"max", "amax"}))
    if largest is not None and isinstance(operator, ast.Gt | ast.GtE) and isinstance(limit, ast.Constant):
        return Question(ast.Compare(largest, test.ops, test.comparators), negated=False)
    return None


def operand(context: Context, node: ast.expr, names: frozenset[str]) -> ast.expr | None:
    """``x`` of ``x.sum()``, ``torch.sum(x)``, ``x.sum().item()`` and ``bool(x.any())``."""
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    name = context.resolve(node.func)
    if name in ("builtins.bool", "builtins.int") and len(node.args) == 1:
        return operand(context, node.args[0], names)
    if name is not None:
        is_it = name.startswith("torch.") and name.removeprefix("torch.") in names and len(node.args) == 1
        return node.args[0] if is_it else None
    if not isinstance(node.func, ast.Attribute) or node.args:
        return None
    if node.func.attr == "item":
        return operand(context, node.func.value, names)
    return node.func.value if node.func.attr in names else None


def goes_by(context: Context, branch: ast.If, asked: Question) -> bool:
    """Whether a branch has to do with the places where a mask is true, or is for that there are none."""
    if asked.mask is None or asked.negated or not asked.counted:
        return True
    mask = asked.mask
    return any(
        isinstance(n, ast.expr) and _is_mask(context, n, mask) for statement in branch.body for n in ast.walk(statement)
    )


def writes_through(context: Context, branch: ast.If, mask: ast.expr) -> bool:
    """Whether all that a branch leaves behind are writes to what a mask chooses: none, where it is true nowhere."""
    return not branch.orelse and all(_leaves_nothing(context, branch, statement, mask) for statement in branch.body)


def _leaves_nothing(context: Context, branch: ast.If, statement: ast.stmt, mask: ast.expr) -> bool:
    if not isinstance(statement, ast.Assign | ast.AugAssign) or _may_raise(context, statement.value):
        return False
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    for target in targets:
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        for part in parts:
            if isinstance(part, ast.Subscript):
                if not any(_is_mask(context, index, mask) for index in indices(part)):
                    return False
            elif not isinstance(part, ast.Name) or not _is_used_inside(context, branch, part):
                return False
    return isinstance(statement, ast.Assign) or isinstance(statement.target, ast.Subscript)


def _is_mask(context: Context, node: ast.expr, mask: ast.expr) -> bool:
    """Whether an index is the mask, or a name that has it."""
    if ast.dump(node) == ast.dump(mask):
        return True
    value = context.names.assigned(node)
    return value is not None and ast.dump(value) == ast.dump(mask)


def _is_used_inside(context: Context, branch: ast.If, target: ast.Name) -> bool:
    """Whether nothing outside of a branch asks for what it gives a name."""
    return all(branch in context.module.ancestors(use) for use in context.names.uses_of(target))


def _may_raise(context: Context, value: ast.expr) -> bool:
    """Whether a value may not be computed of nothing, or its computing may do something else."""
    return any(_is_risky(context, call) for call in _calls(value))


def _is_risky(context: Context, call: ast.Call) -> bool:
    name = context.resolve(call.func)
    if name is not None and not name.startswith("torch."):
        return True
    last = name.rpartition(".")[2] if name is not None else getattr(call.func, "attr", "")
    has_dimension = len(call.args) > (1 if name is not None else 0) or any(k.arg == "dim" for k in call.keywords)
    return last == "" or last.endswith("_") or (last in _OF_NOTHING and not has_dimension)


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    return (n for n in ast.walk(node) if isinstance(n, ast.Call))
