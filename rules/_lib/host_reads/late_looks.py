"""Where the code looks, now and then, at what a function of another file has returned."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.reads import HostRead


def is_late_look(context: Context, read: HostRead) -> bool:
    """Whether a read is such a look: at most now and then, at what a function of another file has returned."""
    node = read.tensor
    bound = context.names.reaching(node) if isinstance(node, ast.Name) else ()
    if len(bound) == 1 and bound[0].how is How.FOR and isinstance(bound[0].value, ast.Name):  # one of a list
        bound = context.names.reaching(bound[0].value)
    value = bound[0].value if len(bound) == 1 else None
    if read.how != "float()" or not isinstance(value, ast.Call):
        return False
    own = context.view.own
    run = context.flow.structure.runs(own, value)
    seldom = context.step_code.is_now_and_then(read.node)
    return seldom and bool(run) and all(function.facts is not own for function in run)
