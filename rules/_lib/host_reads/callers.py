"""Who calls a function: whether all of its calls are in sight, so that what it returns may become something else."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import walk_block
from xlaport.facts.structure import Function

from .mentions import mentions
from .refused import Refused
from .sources import Source


def check_callers(context: Context, source: Source) -> None:
    """Raises `Refused` where some calls of a function are out of sight, or it may return something else."""
    node = source.function
    assert node is not None
    structure, own = context.flow.structure, context.view.own
    for definition in source.definitions.values():
        if definition.keys() != source.places:
            raise Refused("it returns something else at times", next(iter(source.definitions)))
    if not _returns(node.body):
        raise Refused("it returns nothing at times", node)
    if isinstance(node, ast.AsyncFunctionDef) or any(
        isinstance(n, ast.Yield | ast.YieldFrom) for n in walk_block(node.body)
    ):
        raise Refused("it is a generator", node)
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if context.resolve(called) not in torch_api.GRAD_OFF:
            raise Refused("is decorated", decorator)
    function = Function(own, node)
    sites = structure.calls_to(function)
    if any(site.facts is not own for site in sites):
        raise Refused("another file calls it")
    if any(len(context.loops.run_by(site.node)) > 1 for site in sites):
        raise Refused("what calls it may call the method of another class")
    called_names = {site.node.func for site in sites}
    if any(use not in called_names for use in mentions(context, function)):
        raise Refused("it is handed on, or called for an object that is not known")


def _returns(body: list[ast.stmt]) -> bool:
    """Whether a block ends with a ``return`` on all its ways."""
    last = body[-1] if body else None
    if isinstance(last, ast.With):
        return _returns(last.body)
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    return isinstance(last, ast.Return | ast.Raise)
