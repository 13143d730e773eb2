"""An optimizer that a module gets from elsewhere when it is made, and whose parameters nobody sees: a later move?"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.program import Facts
from xlaport.facts.role import Role

from ..._lib.step.module_moves import module_moves
from ..._lib.step.moves import is_move
from ..._lib.step.optimizers import built
from ..._lib.step.owned_optimizers import is_module

_NAMED_SO = re.compile("optim(?!al|i[sz]ed)", re.IGNORECASE)


def moved_later(context: Context) -> Iterator[tuple[ast.Assign, tuple[Facts, ast.Call]]]:
    """``self.optimizer = net.get_optimizer()`` in ``__init__``, with the move of the object that was made so."""
    known = built(context)
    for owner in context.module.of_type(ast.ClassDef):
        if not isinstance(owner, ast.ClassDef) or not is_module(context, owner):
            continue
        init = context.names.method(owner, "__init__")
        if init is None or any(is_move(context, node) for node in ast.walk(init)):
            continue  # what it holds may be on the device by then
        for statement in walk_block(init.body):
            if statement in known or not isinstance(statement, ast.Assign):
                continue
            if not _may_get_optimizer(context, statement):
                continue
            move = next(module_moves(context, owner), None)
            if move is not None:
                yield statement, move


def _may_get_optimizer(context: Context, statement: ast.Assign) -> bool:
    target = statement.targets[0]
    if not isinstance(target, ast.Attribute) or not isinstance(statement.value, ast.Call):
        return False
    of_itself = isinstance(target.value, ast.Name) and context.names.self_class(target.value) is not None
    if not of_itself or context.roles.role(statement.value) not in (None, Role.OPTIMIZER):
        return False
    if context.flow.structure.runs(context.view.own, statement.value):
        return False  # what takes the parameters is in sight
    return _NAMED_SO.search(target.attr) is not None
