"""The function that shards a model by `fully_shard()` (`distributed/helpers.toml`), and what goes before it."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import Import, Replace

from ..device.placing import device

HELPER = "shard_fully"
MOVES = frozenset({"to", "cuda"})
"""What raises behind it."""


def moved(context: Context, call: ast.Call) -> tuple[Replace, tuple[Import, ...]]:
    """The edit that moves the model, a call's first argument, to the accelerator; and the imports it needs.

    `fully_shard()` raises for a model of the host: torch_tpu's tensors cannot take the place of those.
    """
    text, imports = device(context, call)
    model = context.module.segment(call.args[0])
    plain = isinstance(call.args[0], ast.Name | ast.Attribute | ast.Call | ast.Subscript)
    return Replace(context.span(call.args[0]), f"{model if plain else f'({model})'}.to({text})"), imports
