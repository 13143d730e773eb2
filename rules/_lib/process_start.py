"""Where a program starts its processes, or joins them to a group, and what runs before that.

Before it, nothing may start the device: torch_xla.launch() refuses to run then, and a process that torchrun has
started takes all chips of the host for itself. `torch.device("xla")` only names the device. Source: `run_multiprocess`
and `pjrt_rendezvous_handler` of torch_xla 2.9.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.facts.module import FunctionNode
from xlaport.target import Target

JOIN = "torch.distributed.init_process_group"
SPAWN = "torch.multiprocessing.spawn"
_WORDS = (b"init_process_group", b"spawn(", b"launch(")
_DEEP = 8


def is_start(context: Context, call: ast.Call) -> bool:
    """Whether a call starts processes, or joins this one to the others."""
    name = context.resolve(call.func)
    return name in (JOIN, SPAWN) or name in launches(context.target)


def launches(target: Target) -> frozenset[str]:
    """The qualified names of what starts processes of the target, in any of its versions."""
    return frozenset({target.symbol("launch").qualified, *target.other_spellings("launch")})


def leads_to_start(
    context: Context, nodes: list[ast.stmt], seen: frozenset[ast.AST] = frozenset(), depth: int = 0
) -> bool:
    """Whether code comes to a start, as far as its calls can be followed."""
    for node in context.module.that_run(nodes, ast.Call):
        if is_start(context, node):
            return True
        called = context.flow.structure.run_by(context.view.own, node) if depth < _DEEP else None
        if called is not None and called.node not in seen and isinstance(called.node, FunctionNode):
            if leads_to_start(context.of(called.facts), called.node.body, seen | {called.node}, depth + 1):
                return True
    return False


def runs_before(context: Context, node: ast.AST) -> bool:
    """Whether code runs in a process that is yet to start the others, or to join them."""
    if context.module.function(node) is None:
        joined = [c for c in context.module.calls if is_start(context, c) and context.module.function(c) is None]
        if any(call.lineno < getattr(node, "lineno", 0) for call in joined):
            return False
        return _belongs_to_processes(context)
    return any(leads_to_start(context, behind) for _, behind in _around(context, node))


def runs_behind(context: Context, node: ast.AST) -> bool:
    """Whether the function around code starts the processes, or joins them, before it runs that."""
    return any(leads_to_start(context, before) for before, _ in _around(context, node))


def _around(context: Context, node: ast.AST) -> Iterator[tuple[list[ast.stmt], list[ast.stmt]]]:
    """What stands before code in each block around it, and what behind it, up to its function."""
    function, child = context.module.function(node), node
    for parent in context.module.ancestors(node) if function is not None else ():
        for name in ("body", "orelse", "finalbody"):
            block = getattr(parent, name, None)
            if isinstance(block, list) and child in block:
                yield block[: block.index(child)], block[block.index(child) + 1 :]
        if parent is function:
            return
        child = parent


def _belongs_to_processes(context: Context) -> bool:
    """Whether a file starts processes, or is imported by one that does: its top level runs in each of them first."""
    if any(is_start(context, call) for call in context.module.calls):
        return True
    if context.view.is_alone:
        return False
    program = context.view.program

    def imported() -> frozenset[str]:
        starts = [file for file in program.files if any(word in program.data(file) for word in _WORDS)]
        return frozenset(reached(starts, program.graph.imports))

    return context.view.own.file in program.once("files of several processes", imported)
