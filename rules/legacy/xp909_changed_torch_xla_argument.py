"""XP909: arguments of torch_xla's functions that are new, gone, or renamed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Span, Trait
from xlaport.target import Target

from .._lib.arguments import argument_span
from .._lib.legacy.references import references
from .._lib.legacy.saying import say

_CHANGES = """
torch_xla.sync                                       wait                         2.5 -   -
torch_xla.sync                                       reset_scope                  2.8 -   -
torch_xla.compile                                    num_different_graphs_allowed -   2.8 max_different_graphs
torch_xla.compile                                    max_different_graphs         2.8 -   num_different_graphs_allowed
torch_xla.core.xla_model.mark_step                   reset_scope                  2.4 -   -
torch_xla.core.xla_model.get_xla_supported_devices   devkind                      -   2.8 -
torch_xla.distributed.parallel_loader.ParallelLoader loader                       -   2.5 cpu_loader
torch_xla.distributed.parallel_loader.ParallelLoader cpu_loader                   2.5 -   loader
torch_xla.runtime.use_spmd                           auto                         2.3 -   -
"""
"""Function, argument, the version that it came with, the first one without it, its name before or since."""


@dataclass(frozen=True)
class _Change:
    argument: str
    first: str | None
    removed: str | None
    other: str | None

    def fits(self, target: Target) -> bool:
        """Whether the target takes the argument."""
        is_removed = self.removed is not None and target.is_at_least(self.removed)
        return not is_removed and (self.first is None or target.is_at_least(self.first))


class ChangedArguments(Rule):
    """Rename or report arguments that the chosen version of torch_xla does not take.

    ## What it does
    Looks at the arguments passed by name to functions of torch_xla whose signature has changed between 2.1 and 2.9:
    those that were renamed are written as the chosen version (`--target`) calls them, the others are reported.

    ## Why
    An argument that the function does not take raises TypeError.

    ## Example
        import torch_xla
        step = torch_xla.compile(step, num_different_graphs_allowed=2)

    becomes

        import torch_xla
        step = torch_xla.compile(step, max_different_graphs=2)

    ## When it is wrong
    Where the code is for another version, on purpose.

    ## When it is left alone
    Arguments that fit the chosen version (`--target`).

    ## Sources
    - Read from the modules of torch_xla 2.1 to 2.9: the table `rules/legacy/lifetimes.txt`.

    ## Related
    XP901, XP903.
    """

    code = "XP909"
    name = "changed-torch-xla-argument"
    summary = "arguments of torch_xla's functions as the chosen version names them"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.OLDER_NAMES,)
    words = ("torch_xla",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each argument that the target does not take."""
        for reference in references(context):
            call = context.module.parents[reference.node]
            if reference.name not in _changes() or not isinstance(call, ast.Call) or call.func is not reference.node:
                continue
            for keyword in call.keywords:
                for change in _changes()[reference.name]:
                    if change.argument == keyword.arg:
                        yield from self._argument(context, call, keyword, reference.name, change)
            if reference.name.endswith(".get_xla_supported_devices") and context.target.is_at_least("2.8"):
                yield from self._kind(context, call)

    def _argument(
        self, context: Context, call: ast.Call, keyword: ast.keyword, name: str, change: _Change
    ) -> Iterator[Finding]:
        if change.fits(context.target):
            return
        target, argument, other = context.target.name, change.argument, change.other
        if other is None:
            text = say("XP909.argument", function=name, argument=argument, target=target)
        else:
            text = say("XP909.renamed", function=name, argument=argument, target=target, other=other)
        if not context.editable(call):
            yield self.finding(context.place(call), text)
            return
        span = argument_span(context, call, keyword.value)
        edits = [Replace(Span(span.start, span.start + len(argument)), other)] if other is not None else []
        yield self.finding(span, text, *edits)

    def _kind(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        """The first argument was the kind of device; now it is how many."""
        if call.args and isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str):
            yield self.finding(context.place(call.args[0]), say("XP909.kind", function=ast.unparse(call.func)))


@cache
def _changes() -> dict[str, list[_Change]]:
    found: dict[str, list[_Change]] = {}
    for line in _CHANGES.strip().splitlines():
        name, argument, *rest = line.split()
        found.setdefault(name, []).append(_Change(argument, *(None if part == "-" else part for part in rest)))
    return found
