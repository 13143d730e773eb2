"""Modules that nobody is seen to make, and moves of what may be one."""

from __future__ import annotations

import ast

from xlaport.analysis.events import Event, Kind
from xlaport.analysis.expressions import Expressions
from xlaport.analysis.frame import Frame
from xlaport.analysis.uses import by_use
from xlaport.analysis.value import MODULE, UNKNOWN, Value
from xlaport.facts.vocabulary import MOVING_METHODS


def made(expressions: Expressions, call: ast.Call, target: ast.expr) -> Value | None:
    """What a call gives that nobody has seen, if the uses of its name show it to be a module: one object."""
    shown = by_use(expressions.frame, target, UNKNOWN) if isinstance(target, ast.Name) else UNKNOWN
    if shown.type != MODULE:
        return None
    found = shown._replace(objects=expressions.frame.site(call))
    node: ast.expr = call
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in MOVING_METHODS:
            expressions.frame.events.append(Event(Kind.MOVE, node, found.objects))
        node = node.func.value
    return found


def note_possible_move(frame: Frame, node: ast.Call) -> None:
    """``thing.cuda()`` whose result nobody takes: a module is moved, or what holds one; nobody knows which."""
    func = node.func
    if isinstance(func, ast.Attribute) and func.attr in MOVING_METHODS:
        if frame.around.values[func.value].is_unknown and frame.around.values[func].is_unknown:
            frame.events.append(Event(Kind.MOVE, node, parameter=frame.parameter_of(func.value)))
