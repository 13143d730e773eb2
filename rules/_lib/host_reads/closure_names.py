"""Names for what closures are handed."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Collection

from xlaport.context import Context


def name_for(context: Context, node: ast.expr, taken: Collection[str]) -> str:
    """A name for the value of an expression, other than those that are taken."""
    called = context.resolve(node.func) if isinstance(node, ast.Call) else None
    stem = "now" if (called or "").startswith("time.") else _stem(node)
    if not stem.isidentifier() or keyword.iskeyword(stem):
        stem = "value"
    elif hasattr(builtins, stem):
        stem += "_value"
    name, number = stem, 2
    while name in taken:
        name, number = f"{stem}_{number}", number + 1
    return name


def _stem(node: ast.expr) -> str:
    """A name for a value: ``data_len`` of ``len(data)``, ``lr`` of ``group["lr"]``, ``out_mean`` of ``out.mean()``."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and len(node.args) == 1:
            return f"{_stem(node.args[0])}_{node.func.id}"
        if isinstance(node.func, ast.Attribute) and not node.func.attr.startswith("get_"):
            return f"{_stem(node.func.value)}_{node.func.attr}"
        return _stem(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr.removeprefix("get_")
    if isinstance(node, ast.Subscript):
        key = node.slice
        return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else _stem(node.value)
    return node.id if isinstance(node, ast.Name) else "value"


def element(node: ast.ListComp | ast.SetComp | ast.DictComp) -> ast.expr:
    """What a comprehension makes of each."""
    return node.value if isinstance(node, ast.DictComp) else node.elt


def shown_as(node: ast.expr) -> str:
    """An expression, for people."""
    return ast.unparse(node)
