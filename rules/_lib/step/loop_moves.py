"""What a loop or a comprehension does to each of several models."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.roles import dotted

_PASSING = frozenset({"builtins.list", "builtins.tuple", "builtins.reversed", "tqdm.tqdm"})


def models_of(context: Context, name: ast.Name, within: ast.stmt) -> list[str]:
    """The models that a name of a comprehension stands for: ``nets`` for ``net`` of ``[f(net) for net in nets]``."""
    for parent in context.module.ancestors(name):
        if parent is within:
            return []
        for generator in getattr(parent, "generators", ()):
            if any(isinstance(n, ast.Name) and n.id == name.id for n in ast.walk(generator.target)):
                return gone_through(context, generator.target, generator.iter, name.id)
    return []


def gone_through(context: Context, target: ast.expr, iterated: ast.expr, name: str) -> list[str]:
    """The models that a loop's name goes through: of ``for g, d in zip(gs, ds)``, ``for net in (G, D)``."""
    if isinstance(iterated, ast.Call):
        called = context.resolve(iterated.func)
        elements = target.elts if isinstance(target, ast.Tuple | ast.List) else []
        index = next((i for i, e in enumerate(elements) if isinstance(e, ast.Name) and e.id == name), None)
        if called == "builtins.zip":
            if index is None or index >= len(iterated.args):
                return []
            return gone_through(context, elements[index], iterated.args[index], name)
        if called == "builtins.enumerate":
            return gone_through(context, elements[1], iterated.args[0], name) if index == 1 and iterated.args else []
        if called in _PASSING and iterated.args:
            return gone_through(context, target, iterated.args[0], name)
        func = iterated.func
        if not isinstance(func, ast.Attribute) or iterated.args:
            return []
        is_value = (func.attr == "values" and not elements) or (func.attr == "items" and index == 1)
        path = dotted(func.value) if is_value else None
        return [path] if path is not None else []
    if not (isinstance(target, ast.Name) and target.id == name):
        return []
    parts = iterated.elts if isinstance(iterated, ast.Tuple | ast.List) else [iterated]
    return [path for part in parts if (path := dotted(part)) is not None]
