"""Whether a program for torch_xla runs as one process: then nothing has to bring gradients together."""

from __future__ import annotations

import ast
from collections.abc import Set

from xlaport.context import Context
from xlaport.facts.main_guards import main_guard
from xlaport.facts.program import Facts
from xlaport.target import Target

_GROUPS = frozenset(f"torch.distributed.{module}init_process_group" for module in ("", "distributed_c10d."))
_STARTS = _GROUPS | frozenset(
    f"torch.multiprocessing.{name}" for name in ("spawn", "start_processes", "spawn.spawn", "Process")
)
_MEANINGS = (
    "launch", "world_size", "global_ordinal", "local_ordinal", "local_device_count", "global_device_count",
    "process_index", "process_count", "is_master",
)  # fmt: skip
_OLD = frozenset(f"torch_xla.core.xla_model.{name}" for name in ("xrt_world_size", "get_ordinal", "get_local_ordinal"))
_VARIABLES = ('RANK"', "RANK'", 'WORLD_SIZE"', "WORLD_SIZE'")
"""Of torchrun: a program that reads them is one of several processes, also where this family wrote that."""
_RUNNING = (ast.Expr, ast.For, ast.While, ast.With, ast.Try)


def places(context: Context) -> Set[str]:
    """What is so of the whole program, and an answer may depend on: see the head of `answers.toml`."""
    own = context.view.own
    analysis = context.flow.structure.analysis(own)
    return own.once("processes of torch_xla", lambda: _places(context.target, (own, *analysis.files())))


def _places(target: Target, files: tuple[Facts, ...]) -> Set[str]:
    """A file that defines things alone may be run by a program that is not seen, in several processes."""
    files = tuple(dict.fromkeys(files))
    called = {name for facts in files for call in facts.module.calls if (name := facts.names.resolve(call.func))}
    several = _STARTS.union(_OLD, *(target.spellings[meaning] for meaning in _MEANINGS))
    is_several = not called.isdisjoint(several) or any(_reads_ranks(facts) for facts in files)
    found = set() if is_several or not any(_runs(facts) for facts in files) else {"single"}
    return frozenset(found | ({"grouped"} if called & _GROUPS else set()))


def _reads_ranks(facts: Facts) -> bool:
    return any(variable in facts.module.text for variable in _VARIABLES)


def _runs(facts: Facts) -> bool:
    """Whether a file does something when it is run: it is a script."""
    if main_guard(facts.module) is not None:
        return True
    statements = (s for s in facts.module.tree.body if isinstance(s, _RUNNING))
    return any(not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)) for s in statements)
