"""What operators give, and the functions that apply them to several values: ``sum()``, ``max()`` …"""

from __future__ import annotations

from collections.abc import Sequence

from xlaport.analysis.value import NUMBER, PENDING, TENSOR, TEXT, UNKNOWN, Device, Value


def met(sides: Sequence[Value], line: int, is_comparison: bool = False) -> Value:
    """What values give that meet in an operation: a tensor of the accelerator wherever one takes part."""
    if PENDING in sides:
        return PENDING
    tensors = [side for side in sides if side.type == TENSOR]
    elsewhere = [side for side in tensors if side.device is not Device.HOST]
    if elsewhere:
        return max(elsewhere, key=lambda side: side.certainty)._replace(objects=frozenset(), constant=None)
    if tensors:
        return tensors[0]._replace(objects=frozenset()) if all(side.type is not None for side in sides) else UNKNOWN
    if sides and all(side.type == NUMBER for side in sides):
        return Value(NUMBER, because="computed from numbers", line=line)
    if any(side.type == TEXT for side in sides) and not is_comparison:
        return Value(TEXT, because="computed from a string", line=line)
    return UNKNOWN
