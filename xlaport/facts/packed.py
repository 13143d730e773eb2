"""Packed sequences, whose parts lie in two places: the elements on the device, the batch sizes on the host.

Measured on torch 2.9 with data on xla:0: `batch_sizes` is an int64 tensor of the CPU wherever the data lies.
"""

from __future__ import annotations

import ast

from xlaport.facts.module import FunctionNode, Module
from xlaport.facts.names import Names

_RNN = "torch.nn.utils.rnn."
_CLASS = f"{_RNN}PackedSequence"
_PACKING = frozenset({f"{_RNN}pack_padded_sequence", f"{_RNN}pack_sequence"})


def is_packed(module: Module, names: Names, node: ast.expr) -> bool:
    """Whether an expression is a packed sequence: made by packing, annotated so, or asked for it on the way there."""
    if isinstance(node, ast.Call):
        return names.resolve(node.func) in _PACKING
    if not isinstance(node, ast.Name):
        return False
    if any(isinstance(b.node, ast.arg) and _is_class(names, b.node.annotation) for b in names.reaching(node)):
        return True
    child: ast.AST = node
    for parent in module.ancestors(node):
        if isinstance(parent, ast.If) and any(child is statement for statement in parent.body):
            if _asks(names, parent.test, node):
                return True
        if isinstance(child, ast.stmt):
            block = module.block(child)
            before = block[: block.index(child)]
            if any(isinstance(s, ast.If) and _leaves(s.body) and _denies(names, s.test, node) for s in before):
                return True
        if isinstance(parent, FunctionNode):
            return False
        child = parent
    return False


def _asks(names: Names, test: ast.expr, name: ast.Name) -> bool:
    """``isinstance(name, PackedSequence)``, of the same value of the name."""
    if not isinstance(test, ast.Call) or names.resolve(test.func) != "builtins.isinstance" or len(test.args) != 2:
        return False
    asked, kind = test.args
    is_same = isinstance(asked, ast.Name) and asked.id == name.id and names.reaching(asked) == names.reaching(name)
    return is_same and _is_class(names, kind)


def _denies(names: Names, test: ast.expr, name: ast.Name) -> bool:
    """``not isinstance(name, PackedSequence)``, and that or something else."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return any(_denies(names, value, name) for value in test.values)
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and _asks(names, test.operand, name)


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Raise | ast.Return | ast.Continue | ast.Break)


def _is_class(names: Names, node: ast.expr | None) -> bool:
    return node is not None and names.resolve(node) == _CLASS
