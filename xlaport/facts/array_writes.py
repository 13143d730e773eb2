"""What NumPy changes in place, and what shares the memory of an array: ``np.copyto(x, y)``, ``np.asarray(x)``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.value import ARRAY
from xlaport.facts.program import Facts
from xlaport.facts.structure import Structure
from xlaport.facts.vocabulary import VIEW_METHODS

_INTO_FIRST = ("numpy.copyto", "numpy.put", "numpy.place", "numpy.fill_diagonal")
"""How the names begin of functions that write into what they get first: also `putmask`, `put_along_axis`."""
_INTO_NAMED = frozenset({"out", "dst"})
_PLACES = {
    1: "negative positive abs absolute fabs sign sqrt square cbrt reciprocal exp exp2 expm1 log log2 log10 log1p sin "
    "cos tan arcsin arccos arctan sinh cosh tanh floor ceil rint trunc logical_not invert isnan isinf isfinite",
    2: "add subtract multiply divide true_divide floor_divide power float_power mod remainder fmod maximum minimum "
    "fmax fmin arctan2 hypot copysign logaddexp logical_and logical_or logical_xor bitwise_and bitwise_or round around "
    "dot matmul",
    3: "clip sum prod mean cumsum cumprod",
}
_OUT = {f"numpy.{name}": place for place, names in _PLACES.items() for name in names.split()}
"""The place, from 0, of the argument that a function writes its result into."""
_OF_ARRAYS = frozenset({"resize", "partition", "byteswap"})
"""Methods that change an array, and neither a text nor a picture."""
_AS_IT_IS = frozenset({"asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "swapaxes"})
"""Functions and methods that may give what they get, or a view of it."""


def written(call: ast.Call, name: str) -> Iterator[ast.expr]:
    """What a call of a library's function, by its qualified name, writes into."""
    first_is_written = name.startswith(_INTO_FIRST) or (name.startswith("numpy.") and name.endswith(".at"))
    place = 0 if first_is_written else _OUT.get(name)
    if place is not None:
        yield from call.args[place : place + 1]
    yield from (keyword.value for keyword in call.keywords if keyword.arg in _INTO_NAMED)


def changes_array(structure: Structure, facts: Facts, func: ast.Attribute) -> bool:
    """Whether a method changes the array that it is called on: ``x.resize(4)``."""
    value = structure.value(facts, func.value) if func.attr in _OF_ARRAYS else None
    return value is not None and value.type == ARRAY


def viewed(facts: Facts, call: ast.Call) -> ast.expr | None:
    """What the result of a call may share its memory with; None where it is known to share none, or is not seen."""
    func = call.func
    if not isinstance(func, ast.Attribute) or func.attr not in VIEW_METHODS | _AS_IT_IS:
        return None
    if facts.names.resolve(func) is None:
        return func.value
    return call.args[0] if call.args else None
