"""What NumPy gives: arrays, and which of them hold floats of 64 bits, with tensors that are made of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xlaport.analysis.value import ARRAY, NUMBER, UNKNOWN, Value, each_alternative

GENERATOR = "numpy.random.Generator"
"""What draws arrays of random numbers, of any of NumPy's kinds."""

_GENERATORS = frozenset({"numpy.random.default_rng", "numpy.random.RandomState", GENERATOR})
_DRAWING = frozenset("rand randn random normal uniform standard_normal random_sample".split())
_MAKING = frozenset(f"numpy.random.{name}" for name in _DRAWING) | frozenset(
    "numpy." + name for name in "linspace zeros ones eye identity logspace".split()
)
"""Functions that give floats of 64 bits unless told otherwise."""
_OF_ARRAYS = frozenset(f"numpy.{name}" for name in "stack concatenate vstack hstack array asarray copy sort".split())
"""Functions that keep the type of the arrays that they get, or of those in the list that they get."""
_KEEPING = frozenset("reshape copy transpose flatten ravel squeeze swapaxes repeat clip round take".split())
"""Methods of an array that keep its type."""
_OF_NUMBERS = frozenset(
    "numpy." + name
    for name in "log log2 log10 log1p exp exp2 expm1 sqrt cbrt sin cos tan arcsin arccos arctan sinh cosh tanh "
    "deg2rad rad2deg mean std var median".split()
)
"""Functions that give a float of 64 bits for a number of Python, and for another of 64 bits."""
_WIDE = frozenset({"torch.float64", "torch.double", "numpy.float64", "numpy.double", "builtins.float"})
"""Types of 64 bits; `float` is one for NumPy alone."""
_WIDE_TEXTS = frozenset({"float64", "double", "float", "f8"})
TAKING = frozenset({"torch.from_numpy", "torch.tensor", "torch.as_tensor"})
"""What makes a tensor of an array, and keeps its type."""

Given = Sequence[Value]
Named = Mapping[str | None, Value]


def made(name: str, arguments: Given, keywords: Named, line: int) -> Value:
    """What one of NumPy's functions gives."""
    because = f"{name}(…)"
    if name in _GENERATORS:
        return Value(GENERATOR, because=because, line=line)
    one = arguments[0] if len(arguments) == 1 and not keywords else UNKNOWN
    of_number = name in _OF_NUMBERS and (one.type == NUMBER or one.wide)
    kept = name in _OF_ARRAYS and "dtype" not in keywords and all(map(_holds_wide, arguments[:1]))
    wide = of_number or kept or (name in _MAKING and _is_wide(arguments, keywords))
    return Value(ARRAY, wide=wide, because=because, line=line)


def method(base: Value, name: str, arguments: Given, keywords: Named, line: int) -> Value | None:
    """What a method of an array, or of what draws them, gives; None where that is not known."""
    if base.type == GENERATOR:
        return Value(ARRAY, wide=name in _DRAWING and _is_wide(arguments, keywords), because=f".{name}()", line=line)
    if name == "astype" and arguments and base.type in (None, ARRAY):
        wide = is_wide(arguments[0])
        return Value(ARRAY if wide else base.type, wide=wide, because=".astype()", line=line)
    if base.type == ARRAY and name in _KEEPING:
        return base._replace(because=f".{name}() of an array", line=line)
    return None


def of_array(name: str, arguments: Given, keywords: Named) -> bool:
    """Whether a function of PyTorch's that makes a tensor makes one of 64 bits."""
    if "dtype" in keywords:
        return is_wide(keywords["dtype"], of_torch=True)
    return name in TAKING and bool(arguments) and arguments[0].wide


def is_wide(dtype: Value, of_torch: bool = False) -> bool:
    """Whether a type of elements is that of floats of 64 bits."""
    if dtype.constant is not None:
        return not of_torch and dtype.constant in _WIDE_TEXTS
    names = [one.refers for one in each_alternative(dtype)]
    return all(name in _WIDE and (not of_torch or str(name).startswith("torch.")) for name in names)


def _holds_wide(value: Value) -> bool:
    """Whether a value is an array of 64 bits, or a list of such alone."""
    parts = value.elements if value.elements is not None else (value.element,) if value.element is not None else ()
    return value.wide or (bool(parts) and all(part.wide for part in parts))


def _is_wide(arguments: Given, keywords: Named) -> bool:
    """Whether a function gives floats of 64 bits that does so unless it is told another type."""
    types = [value for value in (*arguments, keywords.get("dtype", UNKNOWN)) if isinstance(value.refers, str)]
    return all(map(is_wide, types)) and ("dtype" not in keywords or is_wide(keywords["dtype"]))
