"""What PyTorch's operations give, as far as their operands tell: elements of which kind, in how many dimensions."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from xlaport.analysis.certain import is_detached
from xlaport.analysis.passing import as_made
from xlaport.analysis.value import NONE, NOTHING, NUMBER, Value, each
from xlaport.facts.held import NOTHING_HELD, ONE_INTEGER, SCALAR, Held, Kind, highest, wider
from xlaport.facts.module import indices
from xlaport.facts.role import is_none
from xlaport.facts.vocabulary import ASKING_GRADIENT, WITHOUT_GRADIENT

_LOSSES = frozenset(
    ["cross_entropy", "binary_cross_entropy", "binary_cross_entropy_with_logits", "kl_div"]
)  # and all that end with `_loss`
_COMPARING = frozenset(
    "eq ne gt ge lt le greater greater_equal less less_equal not_equal isclose isnan isinf isfinite logical_and "
    "logical_or logical_not logical_xor isin".split()
)
_COMPLEX = frozenset("complex polar view_as_complex fft fft2 fftn ifft ifft2 ifftn rfft rfft2 rfftn".split())
"""Functions that give complex numbers."""
_PARTS = frozenset({"abs", "angle", "real", "imag", "view_as_real", "irfft", "irfft2", "irfftn"})
"""Those that give floats of complex numbers."""
_FLOATING = frozenset(
    "exp log log2 log10 log1p expm1 sqrt rsqrt sigmoid tanh softmax log_softmax relu gelu reciprocal sin cos "
    "softplus dropout layer_norm normalize div true_divide".split()
)
"""Functions of each element that give floats."""
_KEEPING = frozenset(
    "detach data cpu cuda to clone contiguous abs neg clamp clamp_min clamp_max round floor ceil square mul add sub "
    "mul_ add_ sub_ div_ clamp_ detach_ requires_grad_ nan_to_num".split()
)
"""Methods and functions that keep kind and rank; an operand that is a float makes floats of integers."""
_AS_LARGE = _KEEPING | frozenset("view reshape squeeze unsqueeze permute transpose t flatten ravel".split())
"""Those that keep all elements: what they give of a tensor that is longer each time is longer, too."""
_RESHAPING = frozenset(
    "view reshape squeeze unsqueeze expand expand_as view_as reshape_as permute transpose t T flatten ravel gather "
    "index_select masked_select narrow flip roll repeat cumsum sort".split()
)
"""Methods that keep the kind alone."""
_REDUCING = frozenset("sum mean max min amax amin prod std var norm median any all count_nonzero argmax argmin".split())
_WHOLE = frozenset({"randint", "randperm", "argsort", "multinomial"})
"""Functions that give whole numbers unless told otherwise."""
_FILLING = frozenset({"zeros", "ones", "empty", "rand", "randn"})
_LIKE = frozenset({"zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like"})
_FREE = frozenset({"full", "eye", "tensor", "Tensor", "arange", "linspace"}) | _FILLING | _LIKE | _WHOLE
"""Functions that make tensors of their own."""
_ON_AXIS = frozenset({"cat", "concat", "concatenate", "stack"})
_JOINING = _ON_AXIS | frozenset({"hstack", "vstack", "atleast_1d"})
_CASTS = {
    "float": Kind.FLOAT, "double": Kind.FLOAT, "half": Kind.FLOAT, "bfloat16": Kind.FLOAT, "long": Kind.INT,
    "int": Kind.INT, "short": Kind.INT, "bool": Kind.BOOL,
}  # fmt: skip
_DTYPES = {
    **dict.fromkeys(("float", "float16", "float32", "float64", "double", "half", "bfloat16"), Kind.FLOAT),
    **dict.fromkeys(("int", "int8", "int16", "int32", "int64", "long", "short", "uint8"), Kind.INT),
    "bool": Kind.BOOL,
}
_OF_PYTHON = {"builtins.int": Kind.INT, "builtins.float": Kind.FLOAT, "builtins.bool": Kind.BOOL}
SEVERAL = frozenset(
    "split tensor_split hsplit vsplit dsplit split_with_sizes chunk unbind unsafe_split unsafe_chunk meshgrid "
    "broadcast_tensors align_tensors".split()
)
"""They give a tuple of tensors. Source: the signatures of torch 2.9."""
_PAIRS = frozenset(["max", "min", "topk", "sort", "kthvalue", "median", "mode"])
"""With a dimension they give the values and their places."""

Keywords = Mapping[str | None, Value]


def computed(value: Value, name: str, operand: Value | None, given: Sequence[Value], keywords: Keywords) -> Value:
    """What an operation of PyTorch's has given, with what it holds; a pair of the values and their places, with both.

    `operand` is what it works on, `given` what it gets beside that.
    """
    held = operand.holds if operand is not None else NOTHING_HELD
    if operand is not None and value.turns == operand.turns and name not in _AS_LARGE and name not in _CASTS:
        value = value._replace(turns=as_made(value.turns))  # it is of another size
    detached = name in WITHOUT_GRADIENT | _FREE and keywords.keys().isdisjoint((None, "requires_grad"))
    if not detached and name not in ASKING_GRADIENT and keywords.keys().isdisjoint((None, "requires_grad")):
        operands = [*([operand] if operand is not None else []), *given, *keywords.values()]
        detached = name.islower() and all(map(is_detached, operands))
    value = value._replace(detached=detached) if value.detached is not detached else value
    if name in _PAIRS and (_reduced_dimension(name, given, keywords)[0] or name in ("topk", "sort")):
        plain = value._replace(elements=None, element=None)
        return plain._replace(
            holds=NOTHING_HELD,
            elements=(plain._replace(holds=Held(held.kind)), plain._replace(holds=Held(Kind.INT))),
        )
    if name in SEVERAL:
        part = value._replace(holds=Held(held.kind), elements=None, element=None)
        return Value(element=part, because=value.because, line=value.line)
    found = _computed(name, operand, held, given, keywords)
    row = found.rank != 0 and (found.may_be_row or _may_be_row(name, held, found, given, keywords))
    value = value._replace(holds=found._replace(may_be_row=row))
    if value.type == NUMBER:
        return value
    return value._replace(elements=None, element=None)


def _computed(name: str, operand: Value | None, held: Held, given: Sequence[Value], keywords: Keywords) -> Held:
    if name in _COMPLEX or (name == "stft" and keywords.get("return_complex", NOTHING).constant is True):
        return Held(Kind.COMPLEX)
    if held.kind is Kind.COMPLEX and (name in _PARTS or name in _FLOATING or name == "pow"):
        return held._replace(kind=Kind.FLOAT if name in _PARTS else Kind.COMPLEX)
    if name in _LOSSES or name.endswith("_loss"):
        return of_loss(keywords)
    if name in ("clip_grad_norm_", "dist"):
        return SCALAR
    if name in _REDUCING:
        return _reduced(name, held, given, keywords)
    if name in _COMPARING:
        return Held(Kind.BOOL, rank_of([*([operand] if operand is not None else []), *given]))
    if name in ("size", "dim", "numel"):
        return ONE_INTEGER
    if name in _CASTS and not given:
        return held._replace(kind=_CASTS[name])
    if name in ("to", "type"):
        asked = [*given, *(value for key, value in keywords.items() if key == "dtype")]
        return held._replace(kind=next((k for v in asked if (k := _dtype(v)) is not None), held.kind))
    if name in _FLOATING:
        return held._replace(kind=Kind.FLOAT)
    if name in _KEEPING and name.endswith("_"):
        return held  # what is changed in place has the size and the type that it had
    if name in _KEEPING:
        parts = [held, *(value.holds for value in given if name in ("mul", "add", "sub"))]
        return held._replace(kind=wider(*(p.kind for p in parts)), rank=highest([p.rank for p in parts]))
    if name in _RESHAPING:
        if name in ("view", "reshape") and given and all(size.type == NUMBER for size in given):
            return Held(held.kind, len(given))
        flat = (name == "flatten" and not given and not keywords) or name in ("ravel", "masked_select")
        return Held(held.kind, 1 if flat else None)
    return _made(name, operand, held, given, keywords)


def _made(name: str, operand: Value | None, held: Held, given: Sequence[Value], keywords: Keywords) -> Held:
    """What functions give that make tensors."""
    if name in _FILLING:
        sizes = [*([operand] if operand is not None else []), *given]
        only = sizes[0] if len(sizes) == 1 else None
        are_numbers = bool(sizes) and all(size.type == NUMBER and size.element is None for size in sizes)
        rank = len(only.elements) if only is not None and only.elements is not None else None
        return Held(_given_dtype(keywords, Kind.FLOAT), len(sizes) if are_numbers else rank)
    if name == "full" and operand is not None and given:
        rank = len(operand.elements) if operand.elements is not None else None
        return Held(_given_dtype(keywords, given[0].holds.kind), rank)
    if name in _WHOLE:
        rank = {"randperm": 1, "argsort": held.rank}.get(name)
        return Held(_given_dtype(keywords, Kind.INT), rank)
    if name == "eye":
        return Held(_given_dtype(keywords, Kind.FLOAT), 2)
    if name in _JOINING and operand is not None:
        return _joined(name, operand)
    return Held(_given_dtype(keywords, held.kind), held.rank) if name in _LIKE else NOTHING_HELD


def _joined(name: str, row: Value) -> Held:
    """What a row of tensors holds that becomes one: each of its elements is of the widest kind."""
    parts = [part.holds for part in (row.elements if row.elements is not None else (each(row),))]
    rank = highest([part.rank for part in parts]) if name in _ON_AXIS else None
    return Held(wider(*(part.kind for part in parts)), rank + 1 if rank is not None and name == "stack" else rank)


def _may_be_row(name: str, held: Held, found: Held, given: Sequence[Value], keywords: Keywords) -> bool:
    if name in _FILLING:
        return found.rank == 1  # ``loss = torch.zeros(1)``, to which losses are added in place
    if name in _REDUCING:
        return _reduced_dimension(name, given, keywords)[0]
    return name in _RESHAPING or name in _JOINING or held.may_be_row


def _reduced(name: str, held: Held, given: Sequence[Value], keywords: Keywords) -> Held:
    has_dimension, keeps = _reduced_dimension(name, given, keywords)
    rank: int | None = held.rank if keeps else 0
    if has_dimension:
        rank = held.rank if keeps else held.rank - 1 if held.rank else None
    if name in ("any", "all"):
        return Held(Kind.BOOL, rank)
    if name in ("count_nonzero", "argmax", "argmin"):
        return Held(Kind.INT, rank)
    if name in ("mean", "std", "var", "norm"):
        return Held(Kind.FLOAT, rank)
    kind = _given_dtype(keywords, held.kind)
    return Held(Kind.INT if kind is Kind.BOOL and name in ("sum", "prod") else kind, rank)


def _reduced_dimension(name: str, given: Sequence[Value], keywords: Keywords) -> tuple[bool, bool]:
    """Whether a reduction is along a dimension, and whether it keeps that as one of size 1."""
    own = given[1:] if name == "norm" else given
    keep = keywords.get("keepdim", own[1] if len(own) > 1 else None)
    keeps = keep is not None and (keep.constant is None or bool(keep.constant))
    return bool(own) or not {"dim", "axis"}.isdisjoint(keywords), keeps


def of_loss(keywords: Keywords) -> Held:
    """What a loss gives, as a function or a module that is made so: one value, unless told otherwise."""
    told = [value for key, value in keywords.items() if key in ("reduction", "reduce", None)]
    reduced = ("mean", "sum", "batchmean")
    return SCALAR if all(value.constant in reduced for value in told) else Held(Kind.FLOAT)


def _given_dtype(keywords: Keywords, otherwise: Kind | None) -> Kind | None:
    """The kind that ``dtype=`` asks for."""
    given = keywords.get("dtype")
    return _dtype(given) if given is not None and given.type != NONE else otherwise


def _dtype(value: Value) -> Kind | None:
    name = value.refers if isinstance(value.refers, str) else ""
    return _OF_PYTHON.get(name) or (_DTYPES.get(name.removeprefix("torch.")) if name.startswith("torch.") else None)


def rank_of(operands: Sequence[Value]) -> int | None:
    """The rank of what is computed of several values, element by element."""
    return highest([0 if value.type == NUMBER else value.holds.rank for value in operands])


def by_operator(operator: ast.operator, left: Value, right: Value) -> Held:
    """What an operator gives."""
    rank, sides = rank_of([left, right]), (left.holds, right.holds)
    row = rank != 0 and any(side.may_be_row for side in sides)
    kinds = [side.kind for side in sides]
    if isinstance(operator, ast.Div):
        return Held(wider(Kind.FLOAT, *kinds), rank, row)
    if isinstance(operator, ast.BitAnd | ast.BitOr | ast.BitXor) and set(kinds) == {Kind.BOOL, None}:
        return Held(Kind.BOOL, rank, row)  # a mask is joined to another mask
    return Held(wider(*kinds), rank, row)


def augmented(before: Value, added: Value) -> Held:
    """What ``x += y`` leaves in x: a tensor is changed in place."""
    kind = wider(before.holds.kind, added.holds.kind)
    return before.holds._replace(kind=kind) if before.holds.rank is not None else NOTHING_HELD


def indexed(base: Value, node: ast.Subscript, parts: Sequence[Value]) -> Held:
    """What ``x[0]``, ``x[:, None]`` give: a number takes a dimension away, None adds one, a slice keeps it."""
    rank = base.holds.rank
    for part, value in zip(indices(node), parts, strict=True):
        if rank is None or isinstance(part, ast.Slice) or (isinstance(part, ast.Constant) and part.value is ...):
            continue
        if is_none(part):
            rank += 1
        else:
            rank = rank - 1 if value.type == NUMBER and value.holds == ONE_INTEGER else None
    return Held(base.holds.kind, rank if rank is None or rank >= 0 else None)


def one_of(value: Value) -> Value:
    """What a loop gets of a tensor, row by row."""
    rank = value.holds.rank
    return value._replace(
        holds=Held(value.holds.kind, rank - 1 if rank else None), elements=None, turns=as_made(value.turns)
    )


def of_constant(number: object) -> Held:
    """What a number holds that is written."""
    if isinstance(number, bool):
        return Held(Kind.BOOL, 0)
    if isinstance(number, complex):
        return Held(Kind.COMPLEX, 0)
    return ONE_INTEGER if isinstance(number, int) else SCALAR if isinstance(number, float) else NOTHING_HELD
