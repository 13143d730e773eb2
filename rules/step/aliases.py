"""The names that a function gives what it gets."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.roles import dotted

_MAX_DEPTH = 3
_TAKING = ("pop", "get")
_HOLDERS = torch_api.MODULE_WRAPPERS - torch_api.MODULE_COPIES | torch_api.MODULE_HOLDERS


def kept_as(context: Context, function: FunctionNode, keyword: str, depth: int = 0) -> list[str]:
    """A parameter, and what it is kept as: ``self.model`` behind ``self.model = model``, or in a module that holds it.

    Of a function that takes ``**kwargs``, the parameter is ``kwargs['model']``.
    """
    arguments = function.args
    own = {a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]}
    is_named = keyword in own or arguments.kwarg is None
    names = [keyword if is_named or arguments.kwarg is None else f"{arguments.kwarg.arg}[{keyword!r}]"]
    keeping: list[ast.AST] = []
    for statement in function.body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
            continue
        found = [name for known in names for name in holding(context, statement, known, depth)]
        if found:
            keeping.append(statement)
            names += [name for name in dict.fromkeys(found) if name not in names]
    # What is bound once more may be another model there.
    again = [node for node in walk_block(function.body) if node not in keeping]
    kept = [name for name in names if not any(gives_another(context, node, name) for node in again)]
    return kept if names[0] in kept else []


def holding(context: Context, statement: ast.stmt, model: str, depth: int = 0) -> list[str]:
    """What a statement gives the model to: another name, or a module that holds it, which moves it when it moves."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return []
    found: list[str | None] = []
    for target in _targets(statement):
        for name, value in _pairs(target, statement.value):
            is_held = isinstance(value, ast.Call) and value.args and _holds(context, value, depth)
            held = value.args[0] if isinstance(value, ast.Call) and is_held else value
            if path_of(held) == model:
                found.append(dotted(name))
    return [name for name in found if name is not None]


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """``a, b = x, y`` as ``a = x`` and ``b = y``."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def _holds(context: Context, call: ast.Call, depth: int) -> bool:
    """Whether a call makes a module that holds its first argument: of a library, or of a class of the project."""
    if context.resolve(call.func) in _HOLDERS:
        return True
    structure = context.flow.structure
    owner = structure.class_named(context.view.own, call.func)
    init = structure.method(owner, "__init__") if owner is not None and structure.is_module(owner) else None
    parameter = structure.parameter_of(call, init, call.args[0]) if init is not None else None
    if init is None or parameter is None or depth > _MAX_DEPTH:
        return False
    me, kept = first_parameter(init.node), kept_as(context.of(init.facts), init.node, parameter, depth + 1)
    return any(name.startswith(f"{me}.") for name in kept)


def _targets(statement: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return statement.targets if isinstance(statement, ast.Assign) else [statement.target]


def gives_another(context: Context, node: ast.AST, name: str) -> bool:
    """Whether a statement gives a name another value than the same model, moved or wrapped: ``m = m.to(device)``."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    if not any(dotted(target) == name for target in _targets(node)):
        return False
    value: ast.expr = node.value
    if isinstance(value, ast.ListComp):  # of several models
        value = value.generators[0].iter
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value = value.func.value
    return path_of(value) != name


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
