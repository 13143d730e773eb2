"""What PyTorch's own operations give, as far as the elements of their operands tell."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from xlaport.facts.held import SCALAR, Held, Kind, highest, wider
from xlaport.facts.literals import integer
from xlaport.facts.module import indices, last_name
from xlaport.facts.program import Facts
from xlaport.facts.role import is_none
from xlaport.facts.roles import Role, roles_of

_LOSSES = frozenset(
    ["cross_entropy", "binary_cross_entropy", "binary_cross_entropy_with_logits", "kl_div"]
)  # and all that end with `_loss`
_COMPARING = frozenset(
    "eq ne gt ge lt le greater greater_equal less less_equal not_equal isclose isnan isinf isfinite logical_and "
    "logical_or logical_not logical_xor isin".split()
)
_FLOATING = frozenset(
    "exp log log2 log10 log1p expm1 sqrt rsqrt sigmoid tanh softmax log_softmax relu gelu reciprocal sin cos "
    "softplus dropout layer_norm normalize".split()
)
"""Functions of each element that give floats."""
_KEEPING = frozenset(
    "detach data cpu cuda to clone contiguous abs neg clamp clamp_min clamp_max round floor ceil square mul add sub "
    "mul_ add_ sub_ div_ clamp_ detach_ requires_grad_ nan_to_num".split()
)
"""Methods and functions that keep kind and rank; an operand that is a float makes floats of integers."""
RESHAPING = frozenset(
    "view reshape squeeze unsqueeze expand expand_as view_as reshape_as permute transpose t T flatten ravel gather "
    "index_select masked_select narrow flip roll repeat cumsum sort".split()
)
"""Methods that keep the kind alone."""
REDUCING = frozenset("sum mean max min amax amin prod std var norm median any all count_nonzero argmax argmin".split())
_WHOLE = frozenset({"randint", "randperm", "argsort", "multinomial"})
"""Functions that give whole numbers unless told otherwise."""
_CASTS = {
    "float": Kind.FLOAT, "double": Kind.FLOAT, "half": Kind.FLOAT, "bfloat16": Kind.FLOAT, "long": Kind.INT,
    "int": Kind.INT, "short": Kind.INT, "bool": Kind.BOOL,
}  # fmt: skip
_DTYPES = {
    **dict.fromkeys(("float", "float16", "float32", "float64", "double", "half", "bfloat16"), Kind.FLOAT),
    **dict.fromkeys(("int", "int8", "int16", "int32", "int64", "long", "short", "uint8"), Kind.INT),
    "bool": Kind.BOOL,
}
FIRST_OF_PAIR = frozenset(["max", "min", "topk", "sort", "kthvalue", "median", "mode"])
"""With a dimension they give the values and their places."""


class Operations:
    """Answers for `Tensors`, which it asks for what operands hold."""

    def __init__(self, held: Callable[[Facts, ast.expr], Held]) -> None:
        self.held = held

    def computed(self, facts: Facts, node: ast.Call, name: str) -> Held:
        """What an operation of PyTorch's gives, as a function or as a method."""
        operand = self.operand(facts, node)
        if name in _LOSSES or name.endswith("_loss"):
            return SCALAR if is_reduced(node) else Held(Kind.FLOAT)
        if name in ("clip_grad_norm_", "dist"):
            return SCALAR
        if name in REDUCING:
            return self._reduced(facts, node, name, operand)
        if name in _COMPARING:
            operands = [*node.args]
            if isinstance(node.func, ast.Attribute) and self._is_method(facts, node):
                operands.append(node.func.value)
            return Held(Kind.BOOL, self.rank_of(facts, operands))
        if name in ("size", "dim", "numel"):
            return Held(Kind.INT, 0)
        if name in _CASTS and not node.args:
            return Held(_CASTS[name], operand.rank)
        if name in ("to", "type"):
            given = [*node.args, *(k.value for k in node.keywords if k.arg == "dtype")]
            kind = next((k for value in given if (k := self._dtype(facts, value)) is not None), operand.kind)
            return Held(kind, operand.rank)
        if name in _FLOATING or name in ("div", "true_divide"):
            return Held(Kind.FLOAT, operand.rank)
        if name in _KEEPING and name.endswith("_"):
            return operand  # what is changed in place has the size and the type that it had
        if name in _KEEPING:
            others = [self.held(facts, a) for a in node.args if name in ("mul", "add", "sub")]
            parts = [operand, *others]
            return Held(wider(*(part.kind for part in parts)), highest([part.rank for part in parts]))
        if name in RESHAPING:
            flat = name in ("view", "reshape") and len(node.args) == 1 and integer(node.args[0]) == -1
            return Held(operand.kind, 1 if flat or name in ("flatten", "ravel", "masked_select") else None)
        if name in ("zeros", "ones", "empty", "rand", "randn"):
            return self._made(facts, node)
        if name in _WHOLE:
            rank = {"randperm": 1, "argsort": operand.rank}.get(name)
            return Held(self._given_dtype(facts, node, Kind.INT), rank)
        if name == "eye":
            return Held(self._given_dtype(facts, node, Kind.FLOAT), 2)
        if name in ("zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like"):
            return Held(self._given_dtype(facts, node, operand.kind), operand.rank)
        return Held()

    def _given_dtype(self, facts: Facts, node: ast.Call, otherwise: Kind | None) -> Kind | None:
        """The kind that ``dtype=`` asks for."""
        given = next((k.value for k in node.keywords if k.arg == "dtype"), None)
        return self._dtype(facts, given) if given is not None else otherwise

    def _made(self, facts: Facts, node: ast.Call) -> Held:
        """``torch.zeros(…)``."""
        dtype = self._given_dtype(facts, node, Kind.FLOAT)
        shape = node.args[0] if len(node.args) == 1 else None
        if isinstance(shape, ast.Tuple | ast.List):
            return Held(dtype, len(shape.elts))
        numbers = [a for a in node.args if self._is_number(facts, a)]
        return Held(dtype, len(numbers) if numbers and len(numbers) == len(node.args) else None)

    def operand(self, facts: Facts, node: ast.Call) -> Held:
        """What the tensor holds that an operation works on."""
        if self._is_method(facts, node):
            assert isinstance(node.func, ast.Attribute)
            return self.held(facts, node.func.value)
        return self.held(facts, node.args[0]) if node.args else Held()

    def _is_method(self, facts: Facts, node: ast.Call) -> bool:
        return isinstance(node.func, ast.Attribute) and facts.names.resolve(node.func) is None

    def _reduced(self, facts: Facts, node: ast.Call, name: str, operand: Held) -> Held:
        has_dimension, keeps = self.reduced_dimension(facts, node)
        rank: int | None = operand.rank if keeps else 0
        if has_dimension:
            rank = operand.rank if keeps else operand.rank - 1 if operand.rank else None
            if name in FIRST_OF_PAIR:
                return Held()
        if name in ("any", "all"):
            return Held(Kind.BOOL, rank)
        if name in ("count_nonzero", "argmax", "argmin"):
            return Held(Kind.INT, rank)
        if name in ("mean", "std", "var", "norm"):
            return Held(Kind.FLOAT, rank)
        if name in ("max", "min") and len(node.args) - (not self._is_method(facts, node)) == 1:
            return Held()  # of two tensors
        kind = self._given_dtype(facts, node, operand.kind)
        return Held(Kind.INT if kind is Kind.BOOL and name in ("sum", "prod") else kind, rank)

    def reduced_dimension(self, facts: Facts, node: ast.Call) -> tuple[bool, bool]:
        """Whether a reduction is along a dimension, and whether it keeps that as one of size 1."""
        own = node.args if self._is_method(facts, node) else node.args[1:]
        if (last_name(node.func) or "") == "norm":
            own = own[1:]
        keywords = {k.arg: k.value for k in node.keywords}
        keep = keywords.get("keepdim", own[1] if len(own) > 1 else None)
        keeps = keep is not None and not (isinstance(keep, ast.Constant) and not keep.value)
        return bool(own) or not {"dim", "axis"}.isdisjoint(keywords), keeps

    def _dtype(self, facts: Facts, node: ast.expr) -> Kind | None:
        name = facts.names.resolve(node) or ""
        if name.startswith("builtins."):
            return {"int": Kind.INT, "float": Kind.FLOAT, "bool": Kind.BOOL}.get(name.rpartition(".")[2])
        return _DTYPES.get(name.removeprefix("torch.")) if name.startswith("torch.") else None

    def arithmetic(self, facts: Facts, node: ast.BinOp) -> Held:
        """What an operator gives."""
        rank = self.rank_of(facts, [node.left, node.right])
        if isinstance(node.op, ast.Div):
            return Held(Kind.FLOAT, rank)
        kinds = [self.held(facts, side).kind for side in (node.left, node.right)]
        if isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor) and set(kinds) == {Kind.BOOL, None}:
            return Held(Kind.BOOL, rank)  # a mask is joined to another mask
        return Held(wider(*kinds), rank)

    def indexed(self, facts: Facts, node: ast.Subscript) -> Held:
        """What ``x[0]``, ``x[:, None]`` give: a number takes a dimension away, None adds one, a slice keeps it."""
        operand = self.held(facts, node.value)
        rank = operand.rank
        for part in indices(node):
            if rank is None or isinstance(part, ast.Slice) or _is_ellipsis(part):
                continue
            if is_none(part):
                rank += 1
            else:
                rank = rank - 1 if self.held(facts, part) == Held(Kind.INT, 0) else None
        return Held(operand.kind, rank if rank is None or rank >= 0 else None)

    def rank_of(self, facts: Facts, operands: Iterable[ast.expr]) -> int | None:
        """The rank of what is computed of several expressions, element by element."""
        return highest([0 if self._is_number(facts, o) else self.held(facts, o).rank for o in operands])

    def _is_number(self, facts: Facts, node: ast.expr) -> bool:
        return roles_of(facts).is_(node, Role.NUMBER)


def is_reduced(call: ast.Call) -> bool:
    """Whether a loss is reduced to one value, as it is unless told otherwise."""
    for keyword in call.keywords:
        if keyword.arg in ("reduction", "reduce", None):
            if not (isinstance(keyword.value, ast.Constant) and keyword.value.value in ("mean", "sum", "batchmean")):
                return False
    return not any(isinstance(argument, ast.Starred) for argument in call.args)


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...
