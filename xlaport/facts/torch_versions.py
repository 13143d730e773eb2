"""Questions for the version of torch that have one answer in every program that runs on XLA today."""

from __future__ import annotations

import ast
import re

from xlaport.facts.module import last_name
from xlaport.facts.names import Names

OLDEST = (2, 0)
"""Every torch that a supported torch_xla goes with is at least as new: the two are released as pairs."""
_VERSIONS = frozenset({"torch.__version__", "torch.version.__version__"})
_MIRRORED = {ast.Gt: ast.Lt, ast.Lt: ast.Gt, ast.GtE: ast.LtE, ast.LtE: ast.GtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}
_NEWER = (ast.Gt, ast.GtE, ast.NotEq)
_PARSERS = frozenset("parse parse_version Version LooseVersion StrictVersion TorchVersion float".split())
"""What makes numbers of a version: of packaging, distutils, torch and Python."""
_MAX_DEPTH = 6


def answer(names: Names, test: ast.expr, depth: int = 0) -> bool | None:
    """What a condition says of the version of torch; None where it asks for more, or for one that may be."""
    if depth > _MAX_DEPTH:
        return None
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = answer(names, test.operand, depth + 1)
        return None if inner is None else not inner
    if isinstance(test, ast.BoolOp):
        deciding = isinstance(test.op, ast.Or)
        answers = [answer(names, value, depth + 1) for value in test.values]
        return deciding if deciding in answers else None if None in answers else not deciding
    if isinstance(test, ast.Name) and (value := names.assigned(test)) is not None:
        return answer(names, value, depth + 1)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    one, operator, other = test.left, type(test.ops[0]), test.comparators[0]
    if not _is_version(names, one, 0):
        one, operator, other = other, _MIRRORED.get(operator, operator), one
    number = _number(other) if _is_version(names, one, 0) else None
    if number is None or number >= OLDEST or operator not in _MIRRORED:
        return None
    return operator in _NEWER


def _is_version(names: Names, node: ast.expr, depth: int) -> bool:
    """``torch.__version__``, also parsed, without its build, its first letters alone, or by a name."""
    if depth > _MAX_DEPTH:
        return False
    if names.resolve(node) in _VERSIONS:
        return True
    if isinstance(node, ast.Name):
        value = names.assigned(node)
        return value is not None and _is_version(names, value, depth + 1)
    if isinstance(node, ast.Subscript):
        whole = node.value
        if isinstance(whole, ast.Call) and isinstance(whole.func, ast.Attribute) and whole.func.attr == "split":
            begins = isinstance(node.slice, ast.Constant) and node.slice.value == 0
            is_build = len(whole.args) >= 1 and isinstance(whole.args[0], ast.Constant) and whole.args[0].value == "+"
            return begins and is_build and _is_version(names, whole.func.value, depth + 1)
        return _begins(node.slice) and _is_version(names, whole, depth + 1)
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        return last_name(node.func) in _PARSERS and _is_version(names, node.args[0], depth + 1)
    return False


def _begins(part: ast.expr) -> bool:
    """``[:3]`` and ``[0:3]``."""
    if not isinstance(part, ast.Slice) or part.step is not None:
        return False
    return part.lower is None or (isinstance(part.lower, ast.Constant) and part.lower.value == 0)


def _number(node: ast.expr) -> tuple[int, ...] | None:
    """``"1.2.0"``, ``version.parse("1.2.0")`` and ``1.2`` as numbers."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        node = node.args[0]
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str | float):
        return None
    found = re.match(r"(\d+)\.(\d+)", str(node.value))
    return (int(found[1]), int(found[2])) if found else None
