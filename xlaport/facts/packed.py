"""Packed sequences, whose parts lie in two places: the elements on the device, the batch sizes on the host.

Measured on torch 2.9 with data on xla:0: `batch_sizes` is an int64 tensor of the CPU wherever the data lies.
"""

from __future__ import annotations

import ast

from xlaport.facts.module import Module
from xlaport.facts.names import Names

_RNN = "torch.nn.utils.rnn."
_CLASS = f"{_RNN}PackedSequence"
_PACKING = frozenset({f"{_RNN}pack_padded_sequence", f"{_RNN}pack_sequence"})
BATCH_SIZES = 1
"""Which of the four parts of a packed sequence are its batch sizes."""


def is_packed(module: Module, names: Names, node: ast.expr) -> bool:
    """Whether an expression is a packed sequence: made by packing, or a name that its function asks whether it is."""
    if isinstance(node, ast.Call):
        return names.resolve(node.func) in _PACKING
    if not isinstance(node, ast.Name):
        return False
    function = module.function(node)
    return function is not None and any(_asks(names, other, node.id) for other in ast.walk(function))


def _asks(names: Names, node: ast.AST, name: str) -> bool:
    """``isinstance(name, PackedSequence)``, and ``name: PackedSequence``."""
    if isinstance(node, ast.arg):
        return node.arg == name and node.annotation is not None and names.resolve(node.annotation) == _CLASS
    if not isinstance(node, ast.Call) or names.resolve(node.func) != "builtins.isinstance" or len(node.args) != 2:
        return False
    asked, kind = node.args
    return isinstance(asked, ast.Name) and asked.id == name and names.resolve(kind) == _CLASS
