"""What branches ask, whether they leave, and the variables behind them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.analysis.frame import is_path
from xlaport.analysis.value import UNKNOWN, Value, join

Variables = dict[str, Value]


def asked(test: ast.expr) -> tuple[str, list[ast.expr]]:
    """``x`` and the types of ``isinstance(x, int)``, ``type(x) is int``; nothing of other questions."""
    match test:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds]):
            return name, kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=name)]),
            ops=[ast.Is() | ast.Eq()],
            comparators=[kind],
        ):
            return name, [kind]
    return "", []


def leaves(statements: Sequence[ast.stmt]) -> bool:
    """Whether what comes behind is not reached from here."""
    return bool(statements) and isinstance(statements[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def met_behind(one: Variables, other: Variables) -> Variables:
    """The variables behind two branches; one that only a branch has bound is what that has bound."""
    found = dict(one)
    for name, value in other.items():
        mine = one.get(name)
        if mine is not value and not (mine is None and is_path(name)):
            found[name] = join(mine, value) or UNKNOWN
    for name in [name for name in one if name not in other and is_path(name)]:
        del found[name]
    return found
