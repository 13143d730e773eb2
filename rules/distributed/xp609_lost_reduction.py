"""XP609: a reduction whose result is dropped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import dotted
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib.distributed.saying import say


class LostReduction(Rule):
    """Keep what xm.all_reduce returns.

    ## What it does
    Finds `xm.all_reduce(…, tensor)` as a statement of its own, and binds its result to the tensor's name.

    ## Why
    `dist.all_reduce(tensor)` changes the tensor. `xm.all_reduce` changes those of a list, and of a single tensor it
    returns the sum and leaves the tensor as it was (torch_xla 2.9): dropped, each replica continues with its own value.

    ## Example
        import torch_xla.core.xla_model as xm

        def mean(total, count):
            xm.all_reduce("sum", total)
            return total / count

    becomes

        import torch_xla.core.xla_model as xm

        def mean(total, count):
            total = xm.all_reduce("sum", total)
            return total / count

    ## When it is wrong
    Another name of the same tensor keeps the value that it had.

    ## When it is left alone
    Lists of tensors, which are changed in place, and results that are kept.

    ## Sources
    - Read in the source of torch_xla 2.9.

    ## Related
    XP602, XP607.
    """

    code = "XP609"
    name = "lost-reduction"
    summary = "what xm.all_reduce returns is kept"
    applicability = Applicability.UNSAFE
    harm = Harm.WRONG
    traits = (Trait.OWN_PROCESSES,)
    words = ("all_reduce",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each reduction that nobody gets."""
        reduce = context.target.symbol("all_reduce").qualified
        for call in context.module.calls:
            if context.resolve(call.func) != reduce or not isinstance(context.module.parents[call], ast.Expr):
                continue
            given = call.args[1] if len(call.args) > 1 else None
            given = next((k.value for k in call.keywords if k.arg == "inputs"), given)
            if given is None or not context.singles.is_one(context.view.own, given) or not context.editable(call):
                continue
            path = dotted(given)
            if path is None:
                yield self.finding(context.span(call), say("XP609.by_hand"))
                continue
            edit = Replace(context.span(call), f"{path} = {context.module.segment(call)}")
            yield self.finding(context.span(call), say("XP609.kept", name=path), edit)
