"""Where a dict of what was left on the device becomes a dict of numbers, by a statement before those that need it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import walk_block

from ..._lib.host_reads.sources import Source, Use
from ..._lib.host_reads.tracked import Variable


@dataclass(frozen=True)
class Renewal:
    """A statement before which a dict is read, and the uses for which it is."""

    anchor: ast.stmt
    uses: tuple[Use, ...]


def renewal(context: Context, record: Source, reading: Sequence[Use], kept: Collection[ast.AST]) -> Renewal | None:
    """Where a name could stand for a dict of numbers from then on; None where its uses had better read it in place.

    `reading` are the uses that need numbers, `kept` those that hand on what is on the device.
    """
    whole = [use for use in reading if use.is_dict]
    if (
        record.home is None
        or not whole
        or all(isinstance(context.module.parents[use.node], ast.Return) for use in whole)
    ):
        return None
    function = None if isinstance(record.home.node, ast.Module) else record.home.node
    if any(context.module.function(use.node) is not function for use in reading):
        return None
    block = _block(context, [use.node for use in reading])
    if block is None:
        return None
    wanted = {use.node for use in reading}
    anchor = next(s for s in block if any(node in wanted for node in walk_block([s])))
    behind = block[next(i for i, s in enumerate(block) if s is anchor) :]
    if any(node in record.definitions or node in record.puts for node in walk_block(behind)):
        return None
    marker = ast.Pass()
    reached = Variable(context, record.home, record.name).reached({anchor: marker})
    mentions = {name: _around(context, name, kept) for name in reached}
    if any(marker in places and mentions[name] for name, places in reached.items()):
        return None
    if any(node in kept or isinstance(node, ast.Continue | ast.Break) for node in walk_block([anchor])):
        return None
    return Renewal(anchor, tuple(reading))


def _around(context: Context, name: ast.Name, kept: Collection[ast.AST]) -> bool:
    """Whether a use of a name, or a value that is taken out of it, is among others."""
    return name in kept or context.module.parents[name] in kept


def _block(context: Context, nodes: Sequence[ast.expr]) -> list[ast.stmt] | None:
    """The innermost block that holds all of several expressions."""
    statement = context.module.statement(nodes[0])
    while True:
        block = context.module.block(statement)
        inside = set(walk_block(block))
        if all(node in inside for node in nodes):
            return block
        parent = context.module.parents[statement]
        if not isinstance(parent, ast.stmt) or isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        statement = parent
