"""What is sure of a tensor: that it is one, and no list of them."""

from __future__ import annotations

from xlaport.analysis.value import Certainty, Value


def is_proven(value: Value) -> bool:
    """Whether a value is known to be of its type, and no several of it."""
    return value.type is not None and value.certainty is Certainty.PROVEN
