"""The names that a function gives what it gets."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.roles import dotted

_TAKING = ("pop", "get")


def kept_as(context: Context, function: FunctionNode, keyword: str) -> list[str]:
    """A parameter, and what it is kept as: ``self.model`` behind ``self.model = model``.

    Of a function that takes ``**kwargs``, the parameter is ``kwargs['model']``.
    """
    arguments = function.args
    own = {a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
    is_named = keyword in own or arguments.kwarg is None
    names = [keyword if is_named or arguments.kwarg is None else f"{arguments.kwarg.arg}[{keyword!r}]"]
    for statement in function.body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        if path_of(statement.value) in names:
            names += [name for target in targets if (name := dotted(target)) is not None and name not in names]
    return names


def path_of(node: ast.expr) -> str | None:
    """``a.b``, ``a['b']`` of ``a["b"]``, ``a.pop("b")`` and ``a.get("b")``; None for all else."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _TAKING and node.args:
        container, key = node.func.value, node.args[0]
    elif isinstance(node, ast.Subscript):
        container, key = node.value, node.slice
    else:
        return dotted(node)
    name = dotted(container)
    return f"{name}[{key.value!r}]" if name is not None and isinstance(key, ast.Constant) else None


def first_parameter(function: FunctionNode) -> str | None:
    """``self``, as a method calls it."""
    own = [*function.args.posonlyargs, *function.args.args]
    return own[0].arg if own else None
