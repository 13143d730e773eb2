"""XP807: options that only a CUDA device has a use for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, RemoveArgument, Replace, Rule

from ..catalogue import Disposition, Entry, catalogue

_PREFIX = "keyword:"


class CudaOptions(Rule):
    """Drop options that choose what only CUDA has.

    ## What it does
    Looks at the keyword arguments that the catalogue (`rules/cuda_api.toml`) knows: `fused=True` of an optimizer
    goes; `attn_implementation="flash_attention_2"`, `device_map="auto"` or `load_in_8bit=True` are reported, or
    rewritten where there is a counterpart.

    ## Why
    They choose kernels that a TPU does not have, and raise, or send the work to the CPU.

    ## Example
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, fused=True)

    becomes

        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)

    ## When it is wrong
    Where the same call also runs on a GPU on purpose.
    """

    code = "XP807"
    name = "cuda-option"
    summary = "options that only a CUDA device has a use for"
    applicability = Applicability.SAFE
    words = tuple(name.removeprefix(_PREFIX) for name in catalogue().entries if name.startswith(_PREFIX))

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each such option."""
        for call in context.module.calls:
            for keyword in call.keywords:
                entry = catalogue().entries.get(f"{_PREFIX}{keyword.arg}")
                if entry is not None and self._concerns(context, entry, call, keyword):
                    yield self._found(context, entry, call, keyword)

    def _concerns(self, context: Context, entry: Entry, call: ast.Call, keyword: ast.keyword) -> bool:
        if entry.rule is not None or entry.answer.disposition is Disposition.KEEP or not context.editable(call):
            return False
        if entry.values and ast.unparse(keyword.value) not in entry.values:
            return False
        called = context.resolve(call.func) or ""
        return called.startswith(entry.of) if entry.of else bool(called)

    def _found(self, context: Context, entry: Entry, call: ast.Call, keyword: ast.keyword) -> Finding:
        answer = entry.answer
        shown = f"{keyword.arg}={context.module.segment(keyword.value)}"
        message = f"{shown} {answer.why}"
        span = context.span(keyword)
        if answer.disposition is Disposition.REMOVE:
            return self.finding(
                span, message, RemoveArgument(context.span(call), span), applicability=answer.applicability
            )
        if answer.target is not None:
            return self.finding(
                span,
                f"{message}: {answer.target} takes its place",
                Replace(context.span(keyword.value), answer.target),
                applicability=answer.applicability,
            )
        return self.finding(span, f"{message}. {answer.recipe.rstrip('.')}" if answer.recipe else message)
