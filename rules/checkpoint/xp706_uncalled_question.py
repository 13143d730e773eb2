"""XP706: a question about the processes that is not asked."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Span, Trait

from .._lib.checkpoint.saying import say

_QUESTIONS = ("is_master", "global_ordinal", "local_ordinal", "world_size")


class UncalledQuestion(Rule):
    """Call what asks for a rank.

    ## What it does
    Finds `xm.is_master_ordinal`, `xr.global_ordinal` and their like in a condition or a comparison without the
    parentheses that call them, and adds these.

    ## Why
    A function is true, and equals nothing. Under `if xm.is_master_ordinal:` every process writes the file, and under
    `if xm.is_master_ordinal == True:` none does, so that a run of days ends without a checkpoint.

    ## Example
        import torch_xla.core.xla_model as xm

        if xm.is_master_ordinal == True:
            print("saved")

    becomes

        import torch_xla.core.xla_model as xm

        if xm.is_master_ordinal() == True:
            print("saved")

    ## When it is wrong
    Never as a condition; the program does now what stands under it.

    ## When it is left alone
    The function itself, kept, compared with None or handed on.

    ## Sources
    - Python, truth value testing: https://docs.python.org/3/library/stdtypes.html#truth-value-testing

    ## Related
    XP703, XP607.
    """

    code = "XP706"
    name = "uncalled-question"
    summary = "xm.is_master_ordinal is called where it is a condition"
    applicability = Applicability.UNSAFE
    harm = Harm.WRONG
    traits = (Trait.OWN_PROCESSES,)
    words = ("ordinal", "world_size")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each function that stands for its answer."""
        target = context.target
        names = {n for m in _QUESTIONS for n in (target.symbol(m).qualified, *target.other_spellings(m))}
        for node in context.module.nodes:
            if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
                continue
            if context.resolve(node) not in names or not context.editable(node):
                continue
            parent = context.module.parents[node]
            if isinstance(parent, ast.Compare):
                is_question = not any(isinstance(op, ast.In | ast.NotIn) for op in parent.ops) and not any(
                    isinstance(side, ast.Constant) and side.value is None for side in [parent.left, *parent.comparators]
                )
            else:
                is_test = isinstance(parent, ast.If | ast.IfExp | ast.While | ast.Assert) and parent.test is node
                is_denied = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
                is_question = is_test or is_denied or isinstance(parent, ast.BoolOp)
            if is_question:
                end = context.span(node).end
                name = context.module.segment(node)
                yield self.finding(context.span(node), say("XP706.called", name=name), Replace(Span(end, end), "()"))
