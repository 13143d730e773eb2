"""What a condition says of a variable where it holds: ``if isinstance(x, int):``."""

from __future__ import annotations

import ast

from xlaport.analysis.branches import asked
from xlaport.analysis.declarations import Declarations
from xlaport.analysis.frame import Frame
from xlaport.analysis.value import NUMBER, PENDING, Certainty, joined


def narrowed(frame: Frame, declarations: Declarations, test: ast.expr, holds: bool) -> None:
    """Where ``isinstance(x, int)`` holds, what is not known, or only assumed, is what it was asked to be."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        narrowed(frame, declarations, test.operand, not holds)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if holds else ast.Or):
        for part in test.values:
            narrowed(frame, declarations, part, holds)
    elif holds:
        name, kinds = asked(test)
        found = joined(map(declarations.annotation, kinds))
        before = frame.variables.get(name)
        if found is None or before is None or before is PENDING:
            return
        is_open = before.is_unknown or before.certainty is Certainty.ASSUMED or found.type == NUMBER
        if is_open:
            frame.variables[name] = found._replace(because="asked for its type", line=test.lineno)
