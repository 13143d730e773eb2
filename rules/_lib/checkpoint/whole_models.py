"""Scripts that save whole models: what they save names classes by the file that has them."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.role import Role

from ..main_guard import main_guard
from . import saves
from .contents import contents


def saves_whole(context: Context) -> ast.Call | None:
    """The call by which a script saves a whole model, with the names of its classes."""
    if context.view.importers and main_guard(context) is None:
        return None  # whoever loads it finds the class in this file
    for call in context.module.calls:
        given = saves.saved(context, call)
        if given is not None and "obj" in given:
            modules = contents(context, given["obj"]).modules
            if not all(context.of(facts).roles.is_(node, Role.OPTIMIZER) for facts, node in modules):
                return call
    return None
