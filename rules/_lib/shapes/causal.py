"""Whether a model is causal: no place of what it computes depends on a later one, as far as its code tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.module import last_name, walk_block
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class, Function

_MASKING = frozenset("tril triu tril_ triu_ tril_indices triu_indices generate_square_subsequent_mask".split())
"""What makes a mask that hides the later places."""
_RECURRENT = frozenset(f"torch.nn.{name}" for name in "LSTM GRU RNN".split())
_MIXING = frozenset(
    "softmax scaled_dot_product_attention multi_head_attention_forward matmul bmm baddbmm einsum mean sum amax amin "
    "var std norm flip roll sort argsort cumsum conv1d unfold fft rfft".split()
)
"""Functions that may put several places together; a recurrent network does so in one direction."""
_MIXING_MODULES = ("Attention", "Transformer", "Conv", "Pool", "BatchNorm", "InstanceNorm", "GroupNorm", "Bilinear")
_LOOKING_AHEAD = ("BatchNorm", "InstanceNorm", "GroupNorm")
"""Modules whose result at each place depends on all places."""
_OVER_ALL = frozenset("mean sum amax amin max min var std flip roll sort".split())
_PLACES = (1, -2)
"""The dimension of the places, as it is written where the numbers of each place come last."""
_MOST_FUNCTIONS = 80


def is_causal(context: Context, model: ast.expr) -> bool:
    """Whether the code of a model is known, hides later places or looks at each alone, and nothing looks ahead."""
    code = _Code(context)
    known = code.add_object(context.view.own, model)
    if not known or any(map(code.looks_ahead, code.nodes())):
        return False
    return any(map(code.hides, code.nodes())) or not any(map(code.mixes, code.nodes()))


class _Code:
    """The functions that a model runs, with those that make it and its parts."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.structure = context.flow.structure
        self._functions: dict[Function, None] = {}
        self._made: list[tuple[Facts, ast.Call]] = []
        self._classes: set[Class] = set()

    def add_object(self, facts: Facts, model: ast.expr) -> bool:
        """Follow what an object runs; False where it may be something out of sight."""
        owners = self.structure.instances_of(facts, model)
        for owner in owners:
            self._add_class(owner)
        value = self.structure.value(facts, model)
        for site in sorted(value.objects) if value is not None and not owners else ():
            made = self.structure.made_there(facts, site)
            if made is None or not self._is_of_torch(made.facts, made.node):
                return False
            self._add_made(made.facts, made.node)
        return bool(self._functions or self._made) and len(self._functions) < _MOST_FUNCTIONS

    def nodes(self) -> Iterator[tuple[Facts, ast.AST]]:
        """All that runs, and what makes it."""
        for function in self._functions:
            yield from ((function.facts, node) for node in walk_block(function.node.body))
        for facts, call in self._made:
            yield from ((facts, node) for node in ast.walk(call))

    def hides(self, place: tuple[Facts, ast.AST]) -> bool:
        """``torch.tril(…)``, ``is_causal=True``, a recurrent network of one direction."""
        facts, node = place
        if isinstance(node, ast.keyword):
            return node.arg == "is_causal" and not (isinstance(node.value, ast.Constant) and not node.value.value)
        if not isinstance(node, ast.Call):
            return False
        return last_name(node.func) in _MASKING or facts.names.resolve(node.func) in _RECURRENT

    def mixes(self, place: tuple[Facts, ast.AST]) -> bool:
        """Whether a node may put several places together."""
        facts, node = place
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.MatMult)
        if not isinstance(node, ast.Call):
            return False
        name = facts.names.resolve(node.func) or ""
        is_module = name.startswith("torch.nn.") and any(part in name for part in _MIXING_MODULES)
        return is_module or last_name(node.func) in _MIXING

    def looks_ahead(self, place: tuple[Facts, ast.AST]) -> bool:
        """``BatchNorm1d(…)``, ``bidirectional=True``, ``x.mean(1)``: a mask does not keep these from later places."""
        facts, node = place
        if isinstance(node, ast.keyword):
            return node.arg == "bidirectional" and not (isinstance(node.value, ast.Constant) and not node.value.value)
        if not isinstance(node, ast.Call):
            return False
        name = facts.names.resolve(node.func) or ""
        if name.startswith("torch.nn.") and any(part in name for part in _LOOKING_AHEAD):
            return True
        if last_name(node.func) not in _OVER_ALL:
            return False
        dim = next((k.value for k in node.keywords if k.arg in ("dim", "axis", "dims")), None)
        given = node.args[1:] if name.startswith("torch.") else node.args
        return integer(dim if dim is not None else given[0] if given else None) in _PLACES

    def _add_class(self, owner: Class) -> None:
        if owner in self._classes:
            return
        self._classes.add(owner)
        for name in ("__init__", "forward"):
            method = self.structure.method(owner, name)
            if method is not None:
                self._add(method)

    def _add(self, function: Function) -> None:
        if function in self._functions or len(self._functions) >= _MOST_FUNCTIONS:
            return
        self._functions[function] = None
        for node in walk_block(function.node.body):
            if isinstance(node, ast.Call):
                self._add_made(function.facts, node)
                for run in self.structure.runs(function.facts, node):
                    self._add(run)

    def _add_made(self, facts: Facts, call: ast.Call) -> None:
        """What a call makes is a part of the model, if it is a module of the project."""
        if self._is_of_torch(facts, call):
            self._made.append((facts, call))
        for node in ast.walk(call):
            kind = self.structure.class_named(facts, node.func) if isinstance(node, ast.Call) else None
            if kind is not None and self.structure.is_module(kind):
                self._add_class(kind)

    def _is_of_torch(self, facts: Facts, call: ast.Call) -> bool:
        return (facts.names.resolve(call.func) or "").startswith("torch.nn.")
