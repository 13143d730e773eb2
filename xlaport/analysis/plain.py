"""What is plain from the text: numbers, texts, None."""

from __future__ import annotations

import ast

from xlaport.analysis import value as types
from xlaport.analysis.frame import Frame
from xlaport.analysis.holding import of_constant
from xlaport.analysis.places import of_text
from xlaport.analysis.value import NOTHING, Value

_NUMBERS = (bool, int, float, complex)


def constant(node: ast.Constant, frame: Frame) -> Value:
    """A number, a text, None; a text that may name a device is known by its place."""
    if isinstance(node.value, _NUMBERS):
        holds = of_constant(node.value)
        return Value(types.NUMBER, constant=node.value, holds=holds, because="a number", line=node.lineno)
    if isinstance(node.value, str):
        value = Value(types.TEXT, constant=node.value, because="a string", line=node.lineno)
        return value.or_at(of_text(node, frame))
    return NOTHING if node.value is None else Value(types.OBJECT, because="a constant", line=node.lineno)
