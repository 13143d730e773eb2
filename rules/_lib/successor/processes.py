"""In how many processes a program for torch_xla runs: in one, on a chip or on all (SPMD), or in several."""

from __future__ import annotations

import ast
import re
from collections.abc import Set

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.facts.main_guards import main_guard
from xlaport.facts.program import Facts
from xlaport.targets.torch_xla import OLD_RANKS, PROCESSES

from .. import process_start
from ..distributed import names
from ..legacy.references import references
from ..shapes.helpers import is_helper

_GROUPS = frozenset({process_start.JOIN, process_start.JOIN.replace("distributed.", "distributed.distributed_c10d.")})
_MEANINGS = (
    "launch", "world_size", "global_ordinal", "local_ordinal", "local_device_count", "global_device_count",
    "process_index", "process_count", "is_master",
)  # fmt: skip
_STARTING = (
    PROCESSES, "torch.multiprocessing", "torch.distributed",
    "multiprocessing.Process", "multiprocessing.get_context", *names.FRAMEWORKS, *names.LAUNCHERS,
)  # fmt: skip
"""What starts processes, or asks for them, as a whole (``getattr(xmp, name)``) or by what is in it."""
_VARIABLES = re.compile(rf"""(?:RANK|WORLD_SIZE|{"|".join(sorted(names.STARTED_WITH))})["']""")
"""Of launchers: a program that reads them is one of several processes, also where this family wrote that."""
_SHARES = "share_work"
"""What XP961 writes in the place of `use_spmd()`."""
_RUNNING = (ast.Expr, ast.For, ast.While, ast.With, ast.Try)


def places(context: Context) -> Set[str]:
    """What is so of the whole program, and an answer may depend on: see the head of `answers.toml`."""
    own = context.view.own
    analysis = context.flow.structure.analysis(own)
    return own.once("processes of torch_xla", lambda: _places(context, (own, *analysis.files())))


def _places(context: Context, files: tuple[Facts, ...]) -> Set[str]:
    """A file that defines things alone may be run by a program that is not seen, in several processes."""
    files = tuple(dict.fromkeys(files))
    named = {name for facts in files for name in _named(context.of(facts))}
    is_spmd = _is_spmd(context, files)
    several = {*OLD_RANKS, *context.target.spellings["use_spmd"]}.union(
        *(context.target.spellings[meaning] for meaning in _MEANINGS)
    )
    is_several = any(name in several or _is_of_several(name) for name in named) or any(map(_reads_ranks, files))
    found = set() if is_several or not any(_runs(facts) for facts in files) else {"single"}
    return frozenset(found | ({"grouped"} if named & _GROUPS else set()) | ({"spmd"} if is_spmd else set()))


def _is_spmd(context: Context, files: tuple[Facts, ...]) -> bool:
    """Whether a file belongs to programs of one process for all chips alone: by what the scripts that get it import."""
    own, edges = context.view.own, context.view.program.graph.imports
    closures = {facts.file: reached([facts.file], edges) for facts in files}
    scripts = [facts.file for facts in files if _runs(facts) and own.file in closures[facts.file]]
    parts = [[facts for facts in files if facts.file in closures[start]] for start in scripts or [own.file]]
    return all(
        any(_uses_spmd(context.of(facts)) for facts in part) and not any(_starts(context.of(facts)) for facts in part)
        for part in parts
    )


def _uses_spmd(context: Context) -> bool:
    """Whether a file says so, whatever its options are."""
    spellings = context.target.spellings["use_spmd"]
    calls = [call for call in context.module.calls if context.resolve(call.func) in spellings]
    plain = all(not call.args and _is_off(call.keywords) and not _is_conditional(context, call) for call in calls)
    return _SHARES in context.names.root.bindings or (bool(calls) and plain)


def _is_off(options: list[ast.keyword]) -> bool:
    """``auto=False``: nobody else decides how the tensors lie."""
    return all(isinstance(option.value, ast.Constant) and option.value.value is False for option in options)


def _is_conditional(context: Context, node: ast.AST) -> bool:
    around = (n for n in context.module.ancestors(node) if isinstance(n, ast.If | ast.IfExp | ast.BoolOp))
    return any(n is not main_guard(context.module) for n in around)


def _starts(context: Context) -> bool:
    """Whether a file starts processes, has them meet, or leaves the training to a framework."""
    starting = {*_GROUPS, *context.target.spellings["launch"], "torch.multiprocessing.spawn", "transformers.Trainer"}
    return any(name in starting or name.partition(".")[0] in names.FRAMEWORKS for name in _named(context))


def _named(context: Context) -> frozenset[str]:
    """What the names of a file stand for, called there or not: ``partial(xmp.spawn, f)``, ``go = xmp.spawn``."""

    def found() -> frozenset[str]:
        given = {reference.node: reference.name for reference in references(context)}  # also where None may be it
        nodes = (n for n in context.module.of_type(ast.Name, ast.Attribute) if not _is_part(context, n))
        return frozenset(filter(None, (given.get(node) or context.resolve(node) for node in nodes)))

    return context.view.own.once("what names stand for", found)


def _is_part(context: Context, node: ast.expr) -> bool:
    """Whether a name is told by what is around it, or is of a function that this family has added."""
    return isinstance(context.module.parents[node], ast.Attribute) or is_helper(context, node)


def _is_of_several(name: str) -> bool:
    is_starting = any(name == start or name.startswith(f"{start}.") for start in _STARTING)
    return (is_starting or names.is_of_several_devices(name)) and name not in names.SETTINGS


def _reads_ranks(facts: Facts) -> bool:
    return _VARIABLES.search(facts.module.text) is not None


def _runs(facts: Facts) -> bool:
    """Whether a file does something when it is run: it is a script."""
    if main_guard(facts.module) is not None:
        return True
    statements = (s for s in facts.module.tree.body if isinstance(s, _RUNNING))
    return any(not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)) for s in statements)
