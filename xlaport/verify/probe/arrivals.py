"""Which parameters have been in a module, and in which order they came: told by the calls that put them there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_came: Any = None
_count = 0


def install() -> None:
    """Begin to count; torch has just been imported."""
    from torch.utils.weak import WeakIdKeyDictionary

    global _came
    _came = WeakIdKeyDictionary()


def note(parameters: Iterable[Any]) -> None:
    """These are in a module now."""
    global _count
    for parameter in parameters:
        if parameter is not None and parameter not in _came:
            _count += 1
            _came[parameter] = _count


def count() -> int:
    """How many have come so far."""
    return _count


def number(parameter: Any) -> int:
    """The how many-th a parameter was; 0 for one that was not seen to come."""
    return int(_came.get(parameter, 0))


def since(earlier: int) -> list[Any]:
    """Those that came after the first `earlier` ones, and are still there."""
    return [parameter for parameter, place in list(_came.items()) if place > earlier]
