"""Programs that run as replicas on XLA already: one process for each chip."""

from __future__ import annotations

import re

from xlaport.context import Context
from xlaport.facts.import_graph import reached

_STARTS = re.compile(rb"torch_xla\.launch\(|\bxmp\.spawn\(|xla_multiprocessing|xla://|[\"']xla[\"']\s*,\s*init_method")
_SHARES = re.compile(
    rb"DistributedSampler|num_replicas|split_dataset_by_node|\bsampler\b|input_sharding|use_spmd|\.shard\("
)


def are_replicas(context: Context) -> bool:
    """Whether a file belongs to a program that starts one process for each chip, as far as the texts say."""
    return _is_reached(context, _STARTS)


def shares_data(context: Context) -> bool:
    """Whether the program says anywhere which replica reads what: by a sampler, a shard, a sharding of the input."""
    own = context.module.text.encode("utf-8", "replace")
    if _SHARES.search(own) is not None:
        return True
    program = context.view.program
    return not context.view.is_alone and any(_SHARES.search(program.data(file)) for file in program.files)


def _is_reached(context: Context, words: re.Pattern[bytes]) -> bool:
    if words.search(context.module.text.encode("utf-8", "replace")) is not None:
        return True
    if context.view.is_alone:
        return False
    program = context.view.program

    def files() -> frozenset[str]:
        return frozenset(reached([f for f in program.files if words.search(program.data(f))], program.graph.imports))

    return context.view.own.file in program.once("files of replicas", files)
