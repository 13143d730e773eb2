"""The function that shards a model by `fully_shard()` (`distributed/helpers.toml`): how it is called, and who was."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import Import, Replace

from ..device.placing import device
from ..step.moves import is_move
from .fsdp_names import WRAPPERS, XLA_WRAPPERS

HELPER = "shard_fully"
ALL_WRAPPERS = WRAPPERS | XLA_WRAPPERS
"""PyTorch's class and torch_xla's."""
MOVES = frozenset({"to", "cuda"})
"""What raises behind it."""


def wraps(context: Context, node: ast.AST | None) -> bool:
    """Whether a call wraps a model, or did so before a rule saw it."""
    if not isinstance(node, ast.Call):
        return False
    is_written = isinstance(node.func, ast.Name) and node.func.id == HELPER
    return is_written or context.resolve(node.func) in ALL_WRAPPERS


def moves_in(context: Context, call: ast.Call) -> list[ast.Call]:
    """The moves of a model that a call is handed: ``net.to(device)``."""
    return [node for node in ast.walk(call.args[0]) if isinstance(node, ast.Call) and is_move(context, node)]


def placed(context: Context, call: ast.Call) -> tuple[Replace, tuple[Import, ...]]:
    """The edit that has the function move the model, a call's first argument, to the accelerator; its imports.

    `fully_shard()` raises for a model of the host, and a move raises for one with blocks that are sharded: the function
    moves the others.
    """
    text, imports = device(context, call)
    whole = context.span(call.args[0])
    model = context.module.text[whole.start : whole.end]
    for move in sorted(moves_in(context, call), key=lambda node: context.span(node).end, reverse=True):
        assert isinstance(move.func, ast.Attribute)
        start, end = context.span(move.func.value).end - whole.start, context.span(move).end - whole.start
        model = model[:start] + model[end:]
    before = context.module.text[context.module.line_start(call.args[0].lineno) : whole.start]
    separator = ", " if before.strip() else f",\n{before}"
    return Replace(whole, f"{model}{separator}device={text}"), imports
