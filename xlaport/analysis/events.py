"""What a function does that order matters for: it calls, moves modules, takes their parameters."""

from __future__ import annotations

import ast
import enum
from collections.abc import Mapping
from typing import NamedTuple

from xlaport.analysis.value import DEEPEST, OBJECT, TENSOR, Definition, Site, Value, each_alternative
from xlaport.facts.role import A_PARAMETER, OF_PARAMETERS

Objects = frozenset[Site]


class Given(NamedTuple):
    """What the call gets that makes an object: arguments in their order, and by keyword (None: nobody knows which)."""

    arguments: tuple[Value, ...]
    keywords: Mapping[str | None, Value]


class Kind(enum.Enum):
    """What happens."""

    CALL = "call"
    """A function of the program is called."""
    MOVE = "move"
    """A module is moved to the accelerator, with all its parts."""
    TAKE = "take"
    """An optimizer takes parameters."""
    KEEP = "keep"
    """Parameters are put into a list or a dict."""
    MARK = "mark"
    """A hook is put on parameters, or an attribute."""
    USE = "use"
    """Something asks parameters for what changes while they train, or changes them."""
    TIE = "tie"
    """A module is given a parameter, in the place of its own."""
    COPY = "copy"
    """A module is given the weights of another one."""
    PREPARE = "prepare"
    """A library moves a module, and has its optimizer follow."""
    RUN = "run"
    """A module computes, or something unknown gets it."""
    CUT = "cut"
    """A barrier, or the step of an optimizer."""


class Event(NamedTuple):
    """One of them, at its place in the text."""

    kind: Kind
    node: ast.AST
    objects: Objects = frozenset()
    """What is moved, whose parameters are taken, or what is given one; none: it is not known."""
    parameter: str = ""
    """The parameter of the function that these came by: each call gives its own."""
    callee: Definition | None = None
    handed: Mapping[str, tuple[str, Objects]] = {}
    """What a call gives, by parameter: the parameter of the caller that it came by, and the objects."""
    other: Objects = frozenset()
    """The container of what is kept; the module whose parameter, or whose weights, another one is given."""
    giver: str = ""
    """The parameter of the function that `other` came by."""
    attribute: str = ""
    """What the parameter is called that a module is given."""
    way: tuple[ast.AST, ...] = ()
    """The calls by which it came to this, from the outside in; of a call and of what uses something, not told."""


def objects_of(value: Value) -> Objects:
    """The objects one of which a value is; none where it may be another."""
    each_has = [one.objects for one in each_alternative(value)]
    return frozenset[Site]().union(*each_has) if all(each_has) else frozenset()


def parameters_in(value: Value, depth: int = 0) -> Objects:
    """Whose parameters a value is or holds, and what keeps them."""
    is_one = value.type == TENSOR and value.because in (*OF_PARAMETERS, A_PARAMETER)
    found = value.objects if is_one else frozenset()
    if depth < DEEPEST and (value.elements or value.element):
        for part in value.elements or (value.element,):
            found |= parameters_in(part, depth + 1) if part is not None else frozenset()
    return found


def objects_in(value: Value, depth: int = 0) -> Objects:
    """The objects of a value, and of its elements."""
    is_held = value.type == OBJECT and value.elements is not None
    found = frozenset[Site]() if is_held else value.objects
    if depth < DEEPEST:
        for part in (
            *value.alternatives,
            *(value.elements or ()),
            *((value.element,) if value.element is not None else ()),
        ):
            found |= objects_in(part, depth + 1)
    return found
