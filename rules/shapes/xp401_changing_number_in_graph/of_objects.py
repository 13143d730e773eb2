"""Branches that change what objects of the host hold, which is no choice between tensors."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import root_name, walk_block
from xlaport.facts.structure import Function


def changes_objects(context: Context, statements: list[ast.stmt]) -> bool:
    """Whether statements do no work but by functions that put None, a text or a list into objects that they get.

    ``drop(sample, "title")``, which sets an item to None: no `torch.where` chooses that, and whether there is a tensor
    of the device in the objects at all is not known.
    """
    leaves = context.steps.work.leaves(statements)
    return bool(leaves) and all(_changes_objects(context, leaf) for leaf in leaves)


def _changes_objects(context: Context, statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    function = context.flow.structure.run_by(context.view.own, call) if isinstance(call, ast.Call) else None
    return function is not None and _empties_parts(function)


def _empties_parts(function: Function) -> bool:
    """Whether a function sets an item or an attribute of a parameter, not of ``self``, to what is no tensor."""
    arguments = function.node.args
    given = {arg.arg for arg in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]} - {"self"}
    for statement in walk_block(function.node.body):
        if not isinstance(statement, ast.Assign) or not _is_of_host(statement.value):
            continue
        if any(isinstance(t, ast.Subscript | ast.Attribute) and root_name(t) in given for t in statement.targets):
            return True
    return False


def _is_of_host(value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return value.value is None or isinstance(value.value, str)
    return isinstance(value, ast.List | ast.Dict | ast.JoinedStr)
