"""What no rule spoke of: uses of catalogued names, reported with what the catalogue says of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from xlaport.context import Context
from xlaport.rule import Finding, Rule

from .catalogue import Disposition
from .device import guarded
from .uses import Use, uses

_OWNERS = {
    Disposition.REMOVE: "XP801",
    Disposition.REWRITE: "XP803",
    Disposition.CONSTANT: "XP803",
    Disposition.KEEP: "nobody",
}


def left(rule: Rule, context: Context, concerns: Callable[[Use], bool]) -> Iterator[Finding]:
    """One finding of a residual rule for each use that concerns it and that no other rule spoke of."""
    reported: set[ast.AST] = set()
    for use in uses(context):
        if not concerns(use) or _owner(use) not in (None, *context.codes):
            continue
        if _stands_for_another(context, use) or context.is_spoken_of(use.node):
            continue
        place = use.node if context.editable(use.node) else context.module.statement(use.node)
        if place not in reported:
            reported.add(place)
            yield rule.finding(context.span(place), _message(context, use))


def _owner(use: Use) -> str | None:
    """The rule whose affair a use is; where it was not chosen for this run, nobody else speaks of it."""
    return use.entry.rule or _OWNERS.get(use.answer.disposition)


def _stands_for_another(context: Context, use: Use) -> bool:
    """A name assigned from the one that is reported already: ``Tensor = torch.cuda.FloatTensor``."""
    return isinstance(use.node, ast.Name) and any(b.value is not None for b in context.names.bindings(use.node))


def _message(context: Context, use: Use) -> str:
    answer = use.answer
    message = f"{use.shown} {answer.why or 'exists for NVIDIA GPUs only'}"
    if answer.recipe:
        message += f". {answer.recipe.rstrip('.')}"
    if guarded.does_not_run(context, use.node):
        message += ". A question for CUDA, which is False under torch_xla, keeps this code from running"
    return message
