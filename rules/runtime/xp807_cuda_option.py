"""XP807: options that only a CUDA device has a use for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, RemoveArgument, Replace, Rule

from .._lib.catalogue import Disposition, Entry, catalogue, names_of_all
from .._lib.runtime.saying import say

_PREFIX = "keyword:"


class CudaOptions(Rule):
    """Drop options that choose what only CUDA has.

    ## What it does
    Looks at the keyword arguments in the catalogue (`rules/cuda_api.toml`): `fused=True` of an optimizer is removed;
    `attn_implementation="flash_attention_2"`, `device_map="auto"` or `load_in_8bit=True` are reported, or rewritten
    if there is a counterpart.

    ## Why
    They select kernels that a TPU does not have, and raise, or send the work to the CPU.

    ## Example
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, fused=True)

    becomes

        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)

    ## When it is wrong
    Where the same call also runs on a GPU on purpose.

    ## When it is left alone
    Values that do no harm (`fused=False`), and functions of one's own with such a parameter.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.

    ## Related
    XP801, XP310, XP804.
    """

    code = "XP807"
    name = "cuda-option"
    summary = "options that only a CUDA device has a use for"
    applicability = Applicability.SAFE
    harm = Harm.LEFTOVER
    words = tuple(name.removeprefix(_PREFIX) for name in sorted(names_of_all()) if name.startswith(_PREFIX))

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each such option."""
        for node in context.module.of_type(ast.Dict):
            yield from self._kept(context, node)
        for call in context.module.calls:
            for keyword in call.keywords:
                entry = catalogue(context.target.table).entries.get(f"{_PREFIX}{keyword.arg}")
                if entry is not None and self._concerns(context, entry, call, keyword):
                    yield self._found(context, entry, call, keyword)

    def _kept(self, context: Context, node: ast.Dict) -> Iterator[Finding]:
        """``{"attn_implementation": "flash_attention_2"}``: options for a call that is not seen."""
        for key, value in zip(node.keys, node.values, strict=True):
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                continue
            entry = catalogue(context.target.table).entries.get(_PREFIX + key.value)
            is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
            if entry is not None and entry.rule is None and is_text and ast.unparse(value) in entry.values:
                shown = f"{key.value}={ast.unparse(value)}"
                text = say("XP807.left", what=shown, why=entry.answer.why, recipe=entry.answer.recipe)
                yield self.finding(context.place(value), text)

    def _concerns(self, context: Context, entry: Entry, call: ast.Call, keyword: ast.keyword) -> bool:
        if entry.rule is not None or entry.answer.disposition is Disposition.KEEP or not context.editable(call):
            return False
        if entry.values and not self._may_be(keyword.value, entry):
            return False
        func = call.func
        if context.resolve(func) == "functools.partial" and call.args:
            func = call.args[0]
        called = context.resolve(func) or ""
        return called.startswith(entry.of) if entry.of else bool(called)

    def _may_be(self, value: ast.expr, entry: Entry) -> bool:
        """Whether a value concerns us: one of the entry's, or a switch that is not seen."""
        is_hidden = entry.values == ("True",) and not isinstance(value, ast.Constant)
        return is_hidden or ast.unparse(value) in entry.values

    def _found(self, context: Context, entry: Entry, call: ast.Call, keyword: ast.keyword) -> Finding:
        answer = entry.answer
        span = context.span(keyword)
        shown = f"{keyword.arg}={context.module.segment(keyword.value)}"
        if entry.values and ast.unparse(keyword.value) not in entry.values:
            return self.finding(span, say("XP807.hidden", what=shown, why=answer.why, recipe=answer.recipe))
        if answer.disposition is Disposition.REMOVE:
            text = say("XP807.removed", what=shown, why=answer.why)
            return self.finding(
                span, text, RemoveArgument(context.span(call), span), applicability=answer.applicability
            )
        if answer.target is not None:
            text = say("XP807.replaced", what=shown, why=answer.why, target=answer.target)
            edit = Replace(context.span(keyword.value), answer.target)
            return self.finding(span, text, edit, applicability=answer.applicability)
        return self.finding(span, say("XP807.left", what=shown, why=answer.why, recipe=answer.recipe))
