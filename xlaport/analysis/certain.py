"""What is sure of a tensor: that it is one, and no list of them; that no gradient comes to it."""

from __future__ import annotations

from xlaport.analysis.value import ARRAY, DEVICE, NONE, NUMBER, TENSOR, TEXT, Certainty, Value
from xlaport.facts.held import Kind

_WITHOUT_GRADIENT = frozenset({NUMBER, TEXT, NONE, ARRAY, DEVICE})


def is_proven(value: Value) -> bool:
    """Whether a value is known to be of its type, and no several of it."""
    return value.type is not None and value.certainty is Certainty.PROVEN


def is_detached(value: Value) -> bool:
    """Whether no gradient can come to what a value was made of, nor to what it holds."""
    if value.type == TENSOR:
        return value.detached or value.holds.kind in (Kind.BOOL, Kind.INT)
    parts = value.elements if value.elements is not None else (value.element,)
    if any(parts):
        return all(part is not None and is_detached(part) for part in parts)
    return value.type in _WITHOUT_GRADIENT or value.elements == () or isinstance(value.refers, str)
