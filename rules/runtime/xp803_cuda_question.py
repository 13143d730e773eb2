"""XP803: calls of CUDA that have a counterpart, or one answer only, on a TPU."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Edit, Finding, Harm, Import, Replace, Rule

from .._lib.catalogue import Disposition, Kind
from .._lib.device.fold import Fold
from .._lib.rendering import Unfit, on_one_line, render
from .._lib.runtime.properties import asked_one_by_one
from .._lib.runtime.saying import say
from .._lib.uses import Use, uses

_TRUTHS = {"True": True, "False": False}


class CudaQuestion(Rule):
    """Replace calls of CUDA by their counterpart, or their answer, on a TPU.

    ## What it does
    Looks each use of a name up in the catalogue (`rules/cuda_api.toml`) and writes its counterpart:
    `torch.cuda.get_rng_state()` becomes `xm.get_rng_state()`, and what has only one answer on a TPU becomes that
    answer (`torch.cuda.get_arch_list()` is `[]`), with what follows from it. Of `get_device_properties()`, the name and
    the memory are asked for where they are read, if nothing is decided by them.

    ## Why
    Without an NVIDIA GPU these names raise, or describe a device that is not there.

    ## Example
        state = torch.cuda.get_rng_state()
        architectures = torch.cuda.get_arch_list()

    becomes

        state = xm.get_rng_state()
        architectures = []

    ## When it is wrong
    Where the result is saved and compared with one from a GPU: the state of a random generator, memory figures. What
    may change a program's output is written with `--unsafe` only.

    ## When it is left alone
    A name that is not called, arguments that cannot be seen, a text that formats the answer as a number, and names of
    other libraries.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.

    ## Related
    XP802, XP110, XP106.
    """

    code = "XP803"
    name = "cuda-question"
    summary = "questions to CUDA get their answer on XLA"
    applicability = Applicability.UNSAFE
    harm = Harm.WRONG
    words = ("cuda", "cudnn", "cusparselt", "accelerator", "amp", "matmul_precision", "nccl", "autocast", "can_use_")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of a name that has a counterpart."""
        for use in uses(context):
            answer = use.answer
            asked = asked_one_by_one(context, use) if use.entry.attributes else None
            if asked is not None:
                said = say("XP803.attributes", what=use.shown, why=answer.why)
                yield self.finding(context.span(use.whole), said, *asked[0], imports=asked[1])
                continue
            if not use.is_torch or use.entry.rule is not None or not use.concerns_us or answer.target is None:
                continue
            if use.call is None and use.entry.kind is not Kind.VALUE:
                continue
            if answer.disposition not in (Disposition.REWRITE, Disposition.CONSTANT) or "store" in use.places:
                continue
            if not context.editable(use.node):
                continue
            try:
                text, imports = render(context, answer.target, use.entry.parameters, use.whole)
            except Unfit:
                continue
            yield from self._found(context, use, text, imports)

    def _found(self, context: Context, use: Use, text: str, imports: tuple[Import, ...]) -> Iterator[Finding]:
        answer = use.answer
        edits: tuple[Edit, ...] = (Replace(context.span(use.whole), text),)
        if answer.disposition is Disposition.CONSTANT:
            if text in _TRUTHS and _is_refused(context, use.whole, _TRUTHS[text]):
                refused = say("XP803.refused", what=use.shown, why=answer.why, text=text)
                yield self.finding(context.span(use.whole), refused)
                return
            if text in _TRUTHS:
                edits = Fold(context).careful_edits(use.whole, _TRUTHS[text])
                if use.entry.kind is Kind.VALUE and _is_condition(context, use.whole, edits):
                    return  # a switch is read anywhere, and `if False:` says no more than it does
        said = say("XP803.replaced", what=use.shown, why=answer.why, text=on_one_line(text), recipe=answer.recipe)
        yield self.finding(context.span(use.whole), said, *edits, imports=imports, applicability=answer.applicability)


def _is_refused(context: Context, node: ast.expr, truth: bool) -> bool:
    """Whether the program ends where a question has this answer: ``if not question(): raise …``."""
    statement = context.module.statement(node)
    decided, truth = Fold(context).decided(node, truth)
    if isinstance(statement, ast.Assert):
        return decided is statement.test and not truth
    if not isinstance(statement, ast.If) or decided not in ast.walk(statement.test):
        return False
    return truth and isinstance(statement.body[-1], ast.Raise)


def _is_condition(context: Context, node: ast.expr, edits: tuple[Edit, ...]) -> bool:
    """Whether all that an answer changes is what an ``if`` asks, and not what runs."""
    statement = context.module.statement(node)
    if not isinstance(statement, ast.If | ast.While) or len(edits) != 1:
        return False
    return isinstance(edits[0], Replace) and edits[0].span == context.span(statement.test)
