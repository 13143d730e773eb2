"""Exports that are a choice of a program which runs its model otherwise: ``if opt.onnx: torch.onnx.export(…)``."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.context import Context
from xlaport.facts.loops import LOOPS
from xlaport.facts.module import FunctionNode


def is_choice(context: Context, export: ast.Call, around: Iterable[ast.AST] = ()) -> bool:
    """Whether a loop goes on where it does not export: under an ``if`` in it, which is none of what is `around`."""
    known = set(around)
    chooses = False
    for above in context.module.ancestors(export):
        if isinstance(above, FunctionNode):
            return False
        chooses = chooses or (isinstance(above, ast.If) and above not in known)
        if isinstance(above, LOOPS) and chooses:
            return True
    return False
