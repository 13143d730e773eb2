"""Numbers that are drawn at random, by Python, by NumPy and as tensors, and those that are read from tensors.

`Value.turns` has the call that draws, for what may be one of more than a few numbers, and the call that reads.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from xlaport.analysis.passing import KEEPING, as_made, of_any, of_smallest
from xlaport.analysis.value import ARRAY, NUMBER, TENSOR, How, Site, Turn, Value, each, together
from xlaport.facts.change import A_FEW
from xlaport.facts.held import ONE_INTEGER, SCALAR, Held

_DRAWING = frozenset(
    [f"random.{name}" for name in "random randint randrange uniform gauss normalvariate betavariate triangular".split()]
    + [f"numpy.random.{name}" for name in "random rand randn randint uniform normal beta random_sample".split()]
)
_CHOOSING = frozenset({"random.choice", "numpy.random.choice"})
_READING = frozenset({"item", "tolist"})
_OF_TENSORS = frozenset(f"torch.{name}" for name in "rand randn randint randperm normal bernoulli multinomial".split())


def drawn(
    name: str, arguments: Sequence[Value], keywords: Mapping[str | None, Value], site: frozenset[Site]
) -> Value | None:
    """The number that a function of Python's or NumPy's draws; None where it draws none, or many at once."""
    if "size" in keywords:
        return None
    turns = frozenset(Turn(place, How.DRAWN) for place in site)
    if name in _CHOOSING:
        chosen = arguments[0] if len(arguments) == 1 else None
        if chosen is None or not _are_many_numbers(chosen):
            return None
        return Value(NUMBER, because=f"{name}(…)", turns=turns)
    sizes = 0 if name.endswith(("rand", "randn", "random")) else 2
    if name not in _DRAWING or (name.startswith("numpy.") and len(arguments) > sizes):
        return None
    is_whole = name.endswith(("randint", "randrange"))
    are_many = not is_whole or _lie_far_apart(arguments[:2])
    kind = ONE_INTEGER if is_whole else SCALAR
    return Value(NUMBER, because=f"{name}(…)", holds=kind, turns=turns if are_many else frozenset())


def of_tensor(name: str, value: Value, site: frozenset[Site]) -> Value:
    """A tensor, with where it is drawn, if a function of PyTorch's draws what is in it."""
    if name not in _OF_TENSORS:
        return value
    return value._replace(turns=together(value.turns, frozenset(Turn(place, How.DRAWN) for place in site)))


def read(name: str, value: Value, tensor: Value, site: frozenset[Site]) -> Value:
    """What a method of a tensor gives: of ``x.item()`` and ``x.tolist()``, that it is read there."""
    return _read(value, tensor, site) if name in _READING else value


def kept(name: str, node: ast.Call, value: Value, arguments: Sequence[Value], site: frozenset[Site]) -> Value:
    """A number that a function of Python's makes of others, or reads from a tensor: ``int(x)``."""
    if name == "builtins.min":
        return value._replace(turns=of_smallest(node, arguments))
    if name not in KEEPING:
        return value
    tensor = next((argument for argument in arguments if argument.type == TENSOR), None)
    return value._replace(turns=of_any(arguments)) if tensor is None else _read(value, tensor, site)


def _read(value: Value, tensor: Value, site: frozenset[Site]) -> Value:
    turns = together(as_made(tensor.turns), frozenset(Turn(place, How.READ) for place in site))
    if value.type == NUMBER:
        return value._replace(turns=turns)
    return value._replace(
        element=Value(NUMBER, holds=Held(tensor.holds.kind, 0), because="a number of a tensor", turns=turns)
    )


def _are_many_numbers(row: Value) -> bool:
    """Whether a choice is made among more than a few numbers: of a list of them, of a range, or up to a number."""
    if row.type == NUMBER:
        return not isinstance(row.constant, int) or row.constant > A_FEW
    if row.elements is not None:
        return all(one.type == NUMBER for one in row.elements) and len({one.constant for one in row.elements}) > A_FEW
    element = each(row)
    return row.type == ARRAY or (element.type == NUMBER and bool(element.turns))


def _lie_far_apart(bounds: Sequence[Value]) -> bool:
    """Whether there are more than a few whole numbers below a bound, or between two."""
    known = [bound.constant for bound in bounds]
    low, high = (0, known[0]) if len(known) == 1 else known if len(known) == 2 else (None, None)
    return not isinstance(low, int) or not isinstance(high, int) or high - low >= A_FEW
