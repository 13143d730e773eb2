"""Numbers that methods of other files hand back to a loop that lists them: ``losses.append(self.train_step())``.

The loop reads the list behind its last pass, as it may hold numbers and tensors alike. All files are read as they are
on disk, so that the one of the loop and those of the methods come to the same answer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.held import Kind
from xlaport.facts.module import LoopNode
from xlaport.facts.names import How
from xlaport.facts.structure import Function

from .containers import is_empty_list
from .device_values import DeviceValue, device_value
from .lifetimes import lasts


@dataclass(frozen=True)
class HandedUp:
    """A list of what several functions hand back, the loop that fills it, and the functions."""

    name: str
    loop: LoopNode
    functions: tuple[Function, ...]
    is_read: bool
    """Whether the list is read behind the loop already."""

    @property
    def reading(self) -> str:
        """The statement that reads it."""
        return f"{self.name} = [float(value) for value in {self.name}]"


def handed_up(context: Context) -> tuple[HandedUp, ...]:
    """The lists of a file that hold numbers which functions of other files have read."""
    return context.view.own.once("handed up", lambda: tuple(_lists(context)))


def handed_back(context: Context) -> Iterator[tuple[HandedUp, DeviceValue]]:
    """What functions of a file read only to hand it back to such a loop, of whatever file, behind their barrier.

    Without one yet, the step would end in another place: `XP201` asks what the function reads.
    """
    own = context.view.own
    ours = {f.node: found for found in handed_up(context) for f in found.functions if f.facts is own}
    for function, _ in context.steps.passes.from_elsewhere():
        for site in context.flow.structure.calls_to(Function(own, function)):
            for found in handed_up(context.of(site.facts)):
                if Function(own, function).path in (each.path for each in found.functions):
                    ours.setdefault(function, found)
    for function, found in ours.items():
        if context.loops.function_effects(function).barriers:
            yield from ((found, value) for value in _read(context, Function(own, function)) or ())


def _lists(context: Context) -> Iterator[HandedUp]:
    structure, own = context.flow.structure, context.view.own
    for loop in context.loops.all():
        for call in context.module.that_run(loop.node.body, ast.Call):
            run = structure.runs(own, call)
            functions = [*run, *(other for function in run for other in structure.overrides(function))]
            if not functions or all(function.facts is own for function in functions):
                continue
            found = _list_of(context, loop.node, call)
            if found is None:
                continue
            listed = HandedUp(found, loop.node, tuple(functions), is_read=False)
            listed = replace(listed, is_read=_reading(context, listed))
            sites = (site for function in functions for site in structure.calls_to(function))
            if any(site.node is not call for site in sites):
                continue
            if listed.is_read or all(_read(context.of(f.facts), f) is not None for f in functions):
                yield listed


def _reading(context: Context, listed: HandedUp) -> bool:
    block = context.module.block(listed.loop)
    behind = block[block.index(listed.loop) + 1 :][:1]
    return any(ast.unparse(statement) == listed.reading for statement in behind)


def _read(context: Context, function: Function) -> list[DeviceValue] | None:
    """What the returns of a function read: one float each, and nothing else; None where one does not."""
    returns = context.module.returns(function.node)
    ends = function.node.body[-1]
    if not returns or not isinstance(ends, ast.Return) or context.module.yields(function.node):
        return None
    found: list[DeviceValue] = []
    for statement in returns:
        reads = context.reads.within([statement])
        value = device_value(context, context.tensors, reads[0]) if reads else None
        if value is None or value.node is not statement.value or value.held.kind is not Kind.FLOAT:
            return None
        if not value.held.is_scalar or not lasts(context, value.tensor, function.node):
            return None
        found.append(value)
    return found


def _list_of(context: Context, loop: LoopNode, call: ast.Call) -> str | None:
    """The list that a loop fills with what a call gives, and that is only looked at behind it."""
    given: ast.expr = call
    assigns = context.module.parents[call]
    if isinstance(assigns, ast.Assign) and len(assigns.targets) == 1 and isinstance(assigns.targets[0], ast.Name):
        uses = context.names.only_uses_of(assigns.targets[0])
        if uses is None or len(uses) != 1:
            return None
        given = uses[0]
    appends = context.module.parents[given]
    method = appends.func if isinstance(appends, ast.Call) and given in appends.args else None
    if not isinstance(method, ast.Attribute) or method.attr != "append" or not isinstance(method.value, ast.Name):
        return None
    statement, block = context.module.parents[appends], context.module.block(loop)
    if not isinstance(statement, ast.Expr) or not is_on_every_pass(context.module, loop, statement):
        return None
    bound = context.names.reaching(method.value)
    value = bound[0].value if len(bound) == 1 and bound[0].how is How.ASSIGN else None
    if value is None or not is_empty_list(context, value):
        return None
    start, end = context.module.place_in(block, bound[0].node), block.index(loop)
    home = context.names.home(method.value)
    if start is None or start >= end or home is None:
        return None
    others = [use for use in context.names.uses(home, method.value.id) if use is not method.value]
    behind = [context.module.place_in(block[end + 1 :], use) for use in others]
    function = context.module.function(loop)
    is_seen = all(context.module.function(use) is function for use in others)
    return method.value.id if others and is_seen and None not in behind and not loop.orelse else None
