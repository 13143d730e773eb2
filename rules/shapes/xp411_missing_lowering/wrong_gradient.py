"""Functions that XLA has a kernel for with a wrong gradient, where they are handed on to be called elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context

from .missing_calls import advice
from .recipes import missing


def handed_on(context: Context) -> Iterator[tuple[ast.expr, dict[str, str]]]:
    """The places that name such a function or module without a call, ``act=nn.ELU``, with what to do there."""
    wrong = {name: found for name, found in missing().items() if found.function.has_wrong_gradient}
    words = {name.rpartition(".")[2] for name in wrong}
    for node in context.module.of_type(ast.Name, ast.Attribute):
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        if (node.id if isinstance(node, ast.Name) else node.attr) not in words:
            continue
        found, parent = wrong.get(context.resolve(node) or ""), context.module.parents[node]
        if found is None or (isinstance(parent, ast.Call) and (parent.func is node or _asks(context, parent))):
            continue
        if isinstance(parent, ast.ClassDef) and context.names.method(parent, "forward") is not None:
            continue  # what it computes is its own
        yield node, advice(context, found.recipes[0], {}, node)


def _asks(context: Context, call: ast.Call) -> bool:
    """``isinstance(layer, nn.ELU)``."""
    return context.resolve(call.func) in ("builtins.isinstance", "builtins.issubclass")
