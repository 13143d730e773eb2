"""What a condition says of a variable where it holds: ``if isinstance(x, int):``."""

from __future__ import annotations

import ast
from collections.abc import Callable

from xlaport.analysis import library
from xlaport.analysis.branches import asked
from xlaport.analysis.definitions import Class
from xlaport.analysis.frame import Frame
from xlaport.analysis.value import NUMBER, PENDING, UNKNOWN, Certainty, Value, joined

Evaluate = Callable[[ast.expr], Value]
"""Says what an expression may be."""


def annotation(of: Evaluate, node: ast.expr) -> Value | None:
    """What an annotation says."""
    if isinstance(node, ast.BinOp):  # ``Tensor | None``
        return annotation(of, node.left)
    if isinstance(node, ast.Subscript):
        name = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
        return annotation(of, node.slice) if name == "Optional" else None
    if not isinstance(node, ast.Name | ast.Attribute):
        return None
    refers = of(node).refers
    if isinstance(refers, Class):
        because = f"annotated as {refers.node.name}"
        return Value(refers, certainty=Certainty.ASSUMED, because=because, line=node.lineno)
    return library.annotated(refers) if isinstance(refers, str) else None


def narrowed(frame: Frame, of: Evaluate, test: ast.expr, holds: bool) -> None:
    """Where ``isinstance(x, int)`` holds, what is not known, or only assumed, is what it was asked to be.

    Where it does not hold, x is no number.
    """
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        narrowed(frame, of, test.operand, not holds)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if holds else ast.Or):
        for part in test.values:
            narrowed(frame, of, part, holds)
    else:
        name, kinds = asked(test)
        found = joined(annotation(of, kind) for kind in kinds)
        before = frame.variables.get(name)
        if found is None or before is None or before is PENDING:
            return
        if not holds:
            if found.type == NUMBER and before.turns:
                frame.variables[name] = UNKNOWN if before.type == NUMBER else before._replace(turns=frozenset())
        elif before.is_unknown or before.certainty is Certainty.ASSUMED or found.type == NUMBER:
            frame.variables[name] = found._replace(because="asked for its type", line=test.lineno, turns=before.turns)


def either_side(frame: Frame, of: Evaluate, node: ast.IfExp) -> list[Value]:
    """The sides of a choice, such as ``x + 1 if isinstance(x, int) else x``."""
    if not asked(node.test)[0]:
        return [of(node.body), of(node.orelse)]
    before, sides = frame.variables, list[Value]()
    for side, holds in ((node.body, True), (node.orelse, False)):
        frame.variables = dict(before)
        narrowed(frame, of, node.test, holds)
        sides.append(of(side))
    frame.variables = before
    return sides
