"""Sinks: the uses of a value that take it for a device."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.program import Facts
from xlaport.facts.structure import Structure

ITEMS = ("device", "device_type", "map_location")
"""The keywords that take a device."""


class SinkKind(enum.Enum):
    """What a use takes a string or number for."""

    DEVICE = enum.auto()
    """``x.to(v)``, ``torch.device(v)``, ``device=v``."""
    DEVICE_TYPE = enum.auto()
    """``torch.autocast(v)``, ``device_type=v``."""
    MAP_LOCATION = enum.auto()
    """``torch.load(…, map_location=v)``."""
    GENERATOR = enum.auto()
    """``torch.Generator(v)``."""


@dataclass(frozen=True)
class Sink:
    """A use that takes the value for a device."""

    kind: SinkKind
    value: ast.expr
    call: ast.Call
    facts: Facts
    """The facts of the file that it is in."""


def sink_at(structure: Structure, facts: Facts, value: ast.expr, item: str | None = None) -> Sink | None:
    """The sink that an expression stands in directly; that of its `item`, where it is a dict of arguments, ``**v``."""
    parent = facts.module.parents[value]
    call, kind = parent, None
    if isinstance(parent, ast.keyword):
        call = facts.module.parents[parent]
        if isinstance(call, ast.Call) and (item is None) is (parent.arg is not None):
            kind = _of_keyword(structure, facts, parent.arg or item, call)
    elif item is not None:
        return None
    elif isinstance(parent, ast.Call) and value in parent.args:
        kind = _of_argument(structure, facts, value, parent)
    return Sink(kind, value, call, facts) if kind is not None and isinstance(call, ast.Call) else None


def _of_keyword(structure: Structure, facts: Facts, keyword: str | None, call: ast.Call) -> SinkKind | None:
    if keyword not in ITEMS:
        return None
    if structure.run_by(facts, call) is not None or structure.class_named(facts, call.func) is not None:
        return None
    if keyword == "device_type":
        return SinkKind.DEVICE_TYPE
    if keyword == "map_location":
        return SinkKind.MAP_LOCATION
    called = facts.names.resolve(call.func)
    if called == "torch.Generator":
        return SinkKind.GENERATOR
    if called is not None and (called.startswith("torch.") or called in torch_api.DEVICE_KEYWORD_FUNCTIONS):
        return SinkKind.DEVICE
    if isinstance(call.func, ast.Attribute) and (
        call.func.attr in ("to", "to_empty") or call.func.attr.startswith("new_")
    ):
        return SinkKind.DEVICE
    return None


def _of_argument(structure: Structure, facts: Facts, value: ast.expr, call: ast.Call) -> SinkKind | None:
    called = facts.names.resolve(call.func)
    position = call.args.index(value)
    if called == "torch.Generator":
        return SinkKind.GENERATOR
    if called in torch_api.DEVICE_FUNCTIONS and position == 0:
        return SinkKind.DEVICE
    if called in torch_api.DEVICE_TYPE_FUNCTIONS and position == 0:
        return SinkKind.DEVICE_TYPE
    if called == "torch.load" and position == 1:
        return SinkKind.MAP_LOCATION
    if isinstance(call.func, ast.Attribute) and position == 0 and call.func.attr in torch_api.MOVING_METHODS:
        place = structure.place(facts, call.func) if called is not None else None
        run = structure.run_by(facts, call)
        # A class of another file that hands everything on: ``def to(self, *args, **kwargs)``.
        hands_on = run is not None and run.facts is not facts and run.node.args.vararg is not None
        if (called is None or (place is not None and place.rest)) and (run is None or hands_on):
            return SinkKind.DEVICE
    return None
