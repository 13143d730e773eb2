"""What no rule spoke of: uses of catalogued names, reported with what the catalogue says of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from xlaport.context import Context
from xlaport.rule import Finding, Rule, Span
from xlaport.wording import Text

from .catalogue import Disposition
from .device import guarded
from .one_line import one_line
from .rendering import in_words
from .saying import say
from .uses import Use, by_text, doubtful, uses

_OWNERS = {
    Disposition.REMOVE: "XP801",
    Disposition.REWRITE: "XP803",
    Disposition.CONSTANT: "XP803",
    Disposition.KEEP: "nobody",
}


def left(rule: Rule, context: Context, concerns: Callable[[Use], bool]) -> Iterator[Finding]:
    """One finding of a residual rule for each use that concerns it and that no other rule spoke of."""
    reported: set[Span] = set()
    named = (use for use in uses(context) if not _stands_for_another(context, use))
    for use in (*named, *by_text(context, surely=True)):
        if not concerns(use) or _owner(use) not in (None, *context.codes) or context.is_spoken_of(use.node):
            continue
        if context.module.is_in_annotation(use.node):
            continue  # a type does nothing
        place = context.place(use.node)
        if place not in reported:
            reported.add(place)
            yield rule.finding(place, _text(context, use))


def maybe(rule: Rule, context: Context, concerns: Callable[[Use], bool]) -> Iterator[Finding]:
    """One possible finding for each call that may be one of what concerns a rule, and may be of something else."""
    for use in by_text(context, surely=False):
        if concerns(use) and use.answer.disposition is not Disposition.KEEP and use.call is not None:
            what = one_line(context, use.node)
            text = say("XP802.maybe", what=what, name=use.name, why=use.answer.why, recipe=_recipe(context, use))
            yield rule.finding(context.place(use.call), text)


def in_doubt(rule: Rule, context: Context) -> Iterator[Finding]:
    """One finding for each use of a name that is torch's where its import succeeds, and something else where not."""
    for use, other in doubtful(context):
        if use.is_torch and use.concerns_us and use.answer.disposition is not Disposition.KEEP:
            if not context.is_spoken_of(use.node):
                recipe, line = _recipe(context, use), context.line(other.node)
                text = say("XP802.doubt", what=use.shown, why=use.answer.why, recipe=recipe, line=line, name=other.name)
                yield rule.finding(context.place(use.node), text)


def _owner(use: Use) -> str | None:
    """The rule whose affair a use is; where it was not chosen for this run, nobody else speaks of it."""
    return use.entry.rule or _OWNERS.get(use.answer.disposition)


def _stands_for_another(context: Context, use: Use) -> bool:
    """A name assigned from the one that is reported already: ``Tensor = torch.cuda.FloatTensor``."""
    return isinstance(use.node, ast.Name) and any(b.value is not None for b in context.names.bindings(use.node))


def _text(context: Context, use: Use) -> Text:
    skipped = guarded.does_not_run(context, use.node)
    said = "XP802.skipped" if skipped else "XP802.left"
    return say(said, what=use.shown, why=use.answer.why, recipe=_recipe(context, use))


def _recipe(context: Context, use: Use) -> str:
    answer = use.answer
    if answer.recipe or answer.target is None or "store" in use.places:
        return answer.recipe
    return say.phrase("counterpart", target=in_words(context, answer.target))
