"""What an option of the command line is: a number, or the text that it is where nobody says otherwise."""

from __future__ import annotations

import ast

from xlaport.analysis.definitions import Options
from xlaport.analysis.frame import Frame
from xlaport.analysis.value import NUMBER, PLACE, TEXT, UNKNOWN, Certainty, Value
from xlaport.facts import options
from xlaport.facts.held import Held
from xlaport.facts.program import Facts


def option(frame: Frame, base: Options, name: str) -> Value:
    """What an option is that is read of the parsed ones."""
    asked = [facts for facts in map(frame.around.facts, sorted({base.file, frame.function.file})) if facts is not None]
    if any(name in _stored(facts) for facts in asked):
        return UNKNOWN
    default = next((text for facts in asked if (text := options.usual(facts).get(name)) is not None), None)
    if default is not None:
        return usual(Value(TEXT, constant=default)) or UNKNOWN
    kind = next((kind for facts in asked if (kind := options.number_kind(facts, name)) is not None), None)
    return UNKNOWN if kind is None else Value(NUMBER, holds=Held(kind, 0), because="an option of the command line")


def usual(value: Value) -> Value | None:
    """A text that is so where nobody says otherwise; None of others, and of places, which a user chooses."""
    if value.type != TEXT or not isinstance(value.constant, str) or PLACE.match(value.constant):
        return None
    return value._replace(certainty=Certainty.ASSUMED, because="the default of an option")


def _stored(facts: Facts) -> frozenset[str]:
    """The names of the attributes that a file stores something in."""

    def found() -> frozenset[str]:
        nodes = facts.module.of_type(ast.Attribute)
        return frozenset(node.attr for node in nodes if not isinstance(node.ctx, ast.Load))

    return facts.once("stored attributes", found)
