"""Whether a program runs, or will run, as replicas on XLA: one process for each chip."""

from __future__ import annotations

import re

from xlaport.context import Context
from xlaport.facts.import_graph import reached

from .jobs import job_of

_PORTS = "XP603"
_OLD = frozenset(f"torch_xla.core.xla_model.{name}" for name in ("get_ordinal", "get_local_ordinal"))
"""How older versions ask, which XP901 rewrites."""
_STARTS = re.compile(rb"torch_xla\.launch\(|\bxmp\.spawn\(|xla_multiprocessing|xla://|[\"']xla[\"']\s*,\s*init_method")
_SHARES = re.compile(
    rb"DistributedSampler|num_replicas|split_dataset_by_node|\bsampler\b|input_sharding|use_spmd|\.shard\("
)


def are_replicas(context: Context) -> bool:
    """Whether a file belongs to a program that starts one process for each chip, as far as the texts say."""
    return _is_reached(context, _STARTS)


def are_several(context: Context) -> bool:
    """Whether a file belongs to a program that runs, or will run, as one process for each chip."""
    job = job_of(context)
    if job is not None and (job.is_ported or (job.is_nccl and job.obstacle is None and _PORTS in context.codes)):
        return True
    return is_launched(context)


def are_processes(context: Context) -> bool:
    """Whether a file belongs to a program of several processes, also of one that stays as it is for now."""
    return job_of(context) is not None or is_launched(context)


def is_launched(context: Context) -> bool:
    """Whether a file starts processes of the target, or asks for a rank among them."""
    target = context.target
    meanings = ("launch", "global_ordinal", "local_ordinal", "is_master", "rendezvous")
    names = {n for m in meanings for n in (target.symbol(m).qualified, *target.other_spellings(m))} | _OLD
    return any(context.resolve(call.func) in names for call in context.module.calls)


def shares_data(context: Context) -> bool:
    """Whether the program says anywhere which replica reads what: by a sampler, a shard, a sharding of the input."""
    own = context.module.text.encode("utf-8", "replace")
    return _SHARES.search(own) is not None or bool(context.view.program.saying(_SHARES))


def _is_reached(context: Context, words: re.Pattern[bytes]) -> bool:
    if words.search(context.module.text.encode("utf-8", "replace")) is not None:
        return True
    if context.view.is_alone:
        return False
    program = context.view.program

    def files() -> frozenset[str]:
        return frozenset(reached(program.saying(words, b"xla"), program.graph.imports))

    return context.view.own.file in program.once(("files of replicas", words), files)
