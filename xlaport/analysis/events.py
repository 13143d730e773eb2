"""What a function does that order matters for: it calls, moves modules, takes their parameters."""

from __future__ import annotations

import ast
import enum
from collections.abc import Mapping
from typing import NamedTuple

from xlaport.analysis.value import DEEPEST, Definition, Site, Value, each_alternative

Objects = frozenset[Site]


class Kind(enum.Enum):
    """What happens."""

    CALL = "call"
    """A function of the program is called."""
    MOVE = "move"
    """A module is moved to the accelerator, with all its parts."""
    TAKE = "take"
    """An optimizer takes parameters."""


class Event(NamedTuple):
    """One of them, at its place in the text."""

    kind: Kind
    node: ast.AST
    objects: Objects = frozenset()
    """What is moved, or whose parameters are taken; none: it is not known."""
    parameter: str = ""
    """The parameter of the function that these came by: each call gives its own."""
    callee: Definition | None = None
    handed: Mapping[str, tuple[str, Objects]] = {}
    """What a call gives, by parameter: the parameter of the caller that it came by, and the objects."""


def objects_of(value: Value) -> Objects:
    """The objects one of which a value is; none where it may be another."""
    each_has = [one.objects for one in each_alternative(value)]
    return frozenset[Site]().union(*each_has) if all(each_has) else frozenset()


def objects_in(value: Value, depth: int = 0) -> Objects:
    """The objects of a value, and of its elements."""
    found = value.objects
    if depth < DEEPEST:
        for part in (
            *value.alternatives,
            *(value.elements or ()),
            *((value.element,) if value.element is not None else ()),
        ):
            found |= objects_in(part, depth + 1)
    return found
