"""Sequences of numbers that loops go through: ``range``, and what enumerates, reverses, zips or shows the progress."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.names import Names

_THROUGH = torch_api.PASSING_WRAPPERS | {
    "builtins.reversed", "builtins.list", "builtins.tuple", "builtins.sorted", "itertools.cycle", "numpy.flip",
}  # fmt: skip
"""What hands on the elements of its first argument, in some order."""
_COUNTERS = torch_api.COUNTERS | {"numpy.arange", "numpy.linspace"}
_ENDLESS = frozenset({"itertools.count"})
_MAX_DEPTH = 6


@dataclass(frozen=True)
class Counted:
    """Numbers that come one after the other."""

    bounds: tuple[ast.expr, ...]
    """What they are counted from and to."""
    how_many: int | None
    """How many they are, where that is written."""

    def few(self, number: int) -> bool:
        """Whether there are no more than `number` of them."""
        return self.how_many is not None and self.how_many <= number


class Sequences:
    """Answers `counted` from the way in which a loop's iterable is made."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def counted(self, target: ast.expr, iterable: ast.expr, name: ast.Name) -> Counted | None:
        """The numbers that a name, in the target of a loop over `iterable`, goes through; None for anything else."""
        return self._element(target, iterable, name, 0)

    def _element(self, target: ast.expr, iterable: ast.expr, name: ast.Name, depth: int) -> Counted | None:
        if depth > _MAX_DEPTH:
            return None
        if target is name:
            return self._numbers(iterable, depth)
        if not isinstance(target, ast.Tuple | ast.List) or any(isinstance(e, ast.Starred) for e in target.elts):
            return None
        iterable = self._unwrapped(iterable)
        if not isinstance(iterable, ast.Call):
            return None
        called = self.names.resolve(iterable.func)
        parts: list[tuple[ast.expr, ast.expr | None]] = []
        if called == "builtins.enumerate" and len(target.elts) == 2 and iterable.args:
            parts = [(target.elts[0], None), (target.elts[1], iterable.args[0])]
        elif called == "builtins.zip" and len(target.elts) == len(iterable.args):
            parts = list(zip(target.elts, iterable.args, strict=True))
        for element, source in parts:
            if element is name and source is None:
                return Counted((), None)
            if source is not None and any(n is name for n in ast.walk(element)):
                return self._element(element, source, name, depth + 1)
        return None

    def _numbers(self, iterable: ast.expr, depth: int) -> Counted | None:
        iterable = self._unwrapped(iterable)
        if isinstance(iterable, ast.Call):
            called = self.names.resolve(iterable.func) or ""
            if called in _COUNTERS:
                return Counted(tuple(iterable.args), _length(iterable.args) if called in torch_api.COUNTERS else None)
            if called in _ENDLESS:
                return Counted((), None)
        if isinstance(iterable, ast.List | ast.Tuple) and iterable.elts:
            if all(isinstance(e, ast.Constant) and isinstance(e.value, int | float) for e in iterable.elts):
                return Counted((), len(iterable.elts))
        return None

    def _unwrapped(self, iterable: ast.expr) -> ast.expr:
        for _ in range(_MAX_DEPTH):
            if isinstance(iterable, ast.Call) and iterable.args and self.names.resolve(iterable.func) in _THROUGH:
                iterable = iterable.args[0]
            elif isinstance(iterable, ast.Subscript) and isinstance(iterable.slice, ast.Slice):
                iterable = iterable.value
            elif isinstance(iterable, ast.Name):
                value = self.names.assigned(iterable)
                if value is None:
                    break
                iterable = value
            else:
                break
        return iterable


def _length(arguments: list[ast.expr]) -> int | None:
    """How many numbers ``range(…)`` has, where its bounds are written as numbers."""
    bounds = [a.value if isinstance(a, ast.Constant) and isinstance(a.value, int) else None for a in arguments]
    numbers = [bound for bound in bounds if bound is not None]
    if not numbers or len(numbers) != len(bounds) or 0 in numbers[2:]:
        return None
    return len(range(*numbers))
