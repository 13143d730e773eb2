"""What keeps a program from being one process for all chips: other processes, and what places tensors by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.facts.module import imported_modules
from xlaport.facts.trials import is_test_file

from ..._lib import process_start
from ..._lib.distributed import before_launch, names
from ..._lib.distributed.saying import say

_HARMLESS = names.SETTINGS | names.DATA_PARALLEL


@dataclass(frozen=True)
class Obstacle:
    """Why a program stays as it is, for a message. `by_hand`: it could be changed all the same."""

    why: str
    by_hand: bool = False


def obstacle(context: Context) -> Obstacle | None:
    """What is not understood in the files of a program, by the one that is run; None where all is."""
    importers = [] if context.view.is_alone else _importers(context)
    for there in files(context):
        found = next(_obstacles(there), None)
        if found is not None:
            return _told(context, *found)
    if importers:
        return Obstacle(say.phrase("imported", file=importers[0]), True)
    for there in files(context):
        if there is context:
            continue
        touched = before_launch.touch(there, False)
        if touched is not None:
            return _told(context, *touched, say.phrase("early"))
        for loop in there.loops.all():
            return _told(context, there, loop.node, say.phrase("other_loop"), True)
    return None


def _told(context: Context, there: Context, node: ast.AST, what: str, by_hand: bool = False) -> Obstacle:
    return Obstacle(f"line {context.line_of(there.view.own, node)} {what}", by_hand)


def files(context: Context) -> Iterator[Context]:
    """The files of a program, by the one that is run."""
    yield context
    own = context.view.own.file
    if context.view.is_alone:
        return
    for file in sorted(reached([own], context.view.program.graph.imports) - {own}):
        facts = context.view.program.facts(file)
        if facts is not None:
            yield context.of(facts)


def _importers(context: Context) -> list[str]:
    found = context.view.program.graph.imported_by.get(context.view.own.file, ())
    return sorted(file.rpartition("/")[2] for file in found if not is_test_file(file))


def _obstacles(context: Context) -> Iterator[tuple[Context, ast.AST, str]]:
    together, fsdp = names.meets(context.target), context.target.symbol("fsdp").imports.module
    for node in context.module.nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            frameworks = {module.split(".")[0] for module in imported_modules(node)} & names.FRAMEWORKS
            if frameworks:
                yield context, node, say.phrase("processes", name=min(frameworks))
        elif (name := names.is_distributed(context, node)) is not None and name not in _HARMLESS:
            yield context, node, say.phrase("processes", name=name)
        elif (read := names.variable(context, node)) is not None:
            yield context, node, say.phrase("processes", name=read[0])
        elif isinstance(node, ast.Name | ast.Attribute) and (context.resolve(node) or "").startswith(f"{fsdp}."):
            yield context, node, say.phrase("processes", name=context.resolve(node))
        elif isinstance(node, ast.Call):
            called = context.resolve(node.func)
            if process_start.is_start(context, node):
                yield context, node, say.phrase("starts")
            elif called in together:
                yield context, node, say.phrase("processes", name=called)
            elif called in context.target.devices and (node.args or node.keywords):
                yield context, node, say.phrase("chooses")
