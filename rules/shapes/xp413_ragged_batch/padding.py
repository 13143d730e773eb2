"""What a program does with the padding of its batches: whether more of it would change what is computed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.made_near import made_in
from xlaport.facts.module import last_name
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, dotted, roles_of
from xlaport.facts.trials import is_test

_MASKS = frozenset(
    "key_padding_mask src_key_padding_mask tgt_key_padding_mask memory_key_padding_mask attention_mask attn_mask "
    "padding_mask pad_mask ignore_index".split()
)
"""Arguments that leave padding out of what is computed."""
_PAD = re.compile(r"(?<![a-z])pad(?!d?le)", re.IGNORECASE)
_SPREADING = re.compile(r"torch\.nn\.(LSTM|GRU|RNN|\w*BatchNorm\w*|InstanceNorm\w*|Conv\dd)")
"""Layers in which padding changes what comes of the rest: the last states, the statistics, the neighbours."""
_MAX_FILES = 24


@dataclass(frozen=True)
class Layer:
    """A layer that padding may go through: its class, where it is made, and whether a near file makes its owner."""

    name: str
    facts: Facts
    node: ast.AST
    is_made_near: bool


class Program:
    """The files in which a batch is made and used: those of its making, of its loader, and what imports these."""

    def __init__(self, context: Context, other: Facts | None) -> None:
        self._near = (context.view.own, other or context.view.own)
        self._structure = context.flow.structure
        self.files = [f for f in _files(context, other) if f.file == context.view.own.file or not is_test(f)]
        self.is_known = len(self.files) <= _MAX_FILES
        """Whether these are few enough to be looked through."""

    def is_masked(self) -> bool:
        """Whether the program tells padding from the rest: by a mask, or by a label that the loss ignores."""
        return self.is_known and any(
            _masks(facts, node)
            for facts in self.files
            for node in facts.module.nodes
            if isinstance(node, ast.Compare | ast.Call)
        )

    def spreading(self) -> Layer | None:
        """A layer of the program that goes on over padding; one that batches come near to, if there is any."""
        found: Layer | None = None
        for facts in self.files if self.is_known else ():
            for call in facts.module.calls:
                name = facts.names.resolve(call.func) or ""
                if _SPREADING.fullmatch(name) and not _is_pointwise(name, call):
                    is_near = made_in(self._structure, facts, call, self._near)
                    if found is None or is_near:
                        found = Layer(name.removeprefix("torch."), facts, call, is_near)
                    if is_near:
                        return found
        return found


def _is_pointwise(name: str, call: ast.Call) -> bool:
    """``nn.Conv1d(4, 8, 1)``, which works on each place by itself."""
    size = (
        call.args[2] if len(call.args) > 2 else next((k.value for k in call.keywords if k.arg == "kernel_size"), None)
    )
    return name.rpartition(".")[2].startswith("Conv") and isinstance(size, ast.Constant) and size.value == 1


def _files(context: Context, other: Facts | None) -> Iterator[Facts]:
    own = context.view.own
    if context.view.is_alone:
        yield own
        return
    graph = own.program.graph
    near = dict.fromkeys([own.file, *([other.file] if other is not None else [])])
    users = dict.fromkeys(user for file in near for user in graph.imported_by.get(file, ()))
    # What imports both what makes batches and a model is where they meet.
    known = near | users
    known |= dict.fromkeys(name for file in list(known) for name in graph.imports.get(file, ()))
    for count, name in enumerate(known):
        facts = context.view.facts(name)
        if facts is not None:
            yield facts
        if count > _MAX_FILES:
            return


def _masks(facts: Facts, node: ast.Compare | ast.Call) -> bool:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return all(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops) and any(_is_pad(side) for side in sides)
    if any(k.arg in _MASKS for k in node.keywords):
        return True
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr in ("eq", "ne", "not_equal")
    if is_method and any(_is_pad(argument) for argument in node.args):
        return True
    # `model(**batch)` hands on the attention mask that a tokenizer made.
    is_model = roles_of(facts).is_(node.func, Role.MODEL) or "model" in (last_name(node.func) or "").lower()
    return is_model and any(k.arg is None for k in node.keywords)


def _is_pad(node: ast.expr) -> bool:
    """``PAD``, ``self.pad_idx``, ``vocab["<pad>"]``."""
    path = dotted(node)
    if path is not None:
        return _PAD.search(path.rpartition(".")[2]) is not None
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return isinstance(node.slice.value, str) and _PAD.search(node.slice.value) is not None
    return isinstance(node, ast.Subscript | ast.Attribute) and _PAD.search(ast.unparse(node)) is not None
