"""XP503: scaling of the loss, which bfloat16 does not need."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Edit, Finding, Replace, Rule, Span

from ..arguments import with_argument

_CUDA = ("init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled")
_SCALERS = {
    "torch.cuda.amp.GradScaler": _CUDA,
    "torch.cuda.amp.grad_scaler.GradScaler": _CUDA,
    "torch.amp.GradScaler": ("device", *_CUDA),
    "torch.amp.grad_scaler.GradScaler": ("device", *_CUDA),
    "torch.GradScaler": ("device", *_CUDA),
    "torch.distributed.fsdp.sharded_grad_scaler.ShardedGradScaler": ("device", *_CUDA),
}
"""The scalers of torch 2.9, with their parameters in order."""


class GradScaler(Rule):
    """Switch the scaling of the loss off.

    ## What it does
    Gives `GradScaler(…)` `enabled=False`. Its calls stay: `scale()` gives back the loss, `unscale_()` and `update()` do
    nothing, and `step(optimizer)` is `optimizer.step()`.

    ## Why
    The loss is scaled so that gradients do not vanish in float16. bfloat16 has the range of float32, and needs none of
    it. A scaler stays on where torch_xla is installed, and asks the device in each step whether a gradient is
    infinite: one more execution and one wait (torch_xla 2.9, measured).

    ## Example
        scaler = torch.cuda.amp.GradScaler()

    becomes

        scaler = torch.cuda.amp.GradScaler(enabled=False)

    ## When it is wrong
    Where the model stays in float16. What a checkpoint holds of the scaler is `{}` from then on, and what an older one
    holds is not read.
    """

    code = "XP503"
    name = "grad-scaler"
    summary = "GradScaler is switched off: bfloat16 needs no loss scaling"
    applicability = Applicability.SAFE
    words = ("GradScaler",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each scaler that is, or may be, on."""
        for call in context.module.calls:
            parameters = _SCALERS.get(context.resolve(call.func) or "")
            if parameters is None:
                continue
            given = dict(zip(parameters, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
            if _is(given.get("enabled"), False) or _is(given.get("device"), "cpu"):
                continue
            why = "bfloat16 needs no loss scaling, and a scaler that is on reads the device in every step"
            hidden = any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords)
            if hidden or not context.editable(call):
                yield self.finding(
                    context.place(call), f"{why}: pass enabled=False", applicability=Applicability.MANUAL
                )
                continue
            yield self.finding(
                context.span(call),
                f"{why}: it is switched off. Its calls stay, and do nothing but optimizer.step()",
                _switched_off(context, call, given.get("enabled")),
            )


def _is(node: ast.expr | None, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value == value and type(node.value) is type(value)


def _switched_off(context: Context, call: ast.Call, enabled: ast.expr | None) -> Edit:
    keyword = next((k for k in call.keywords if k.arg == "enabled"), None)
    if keyword is not None:
        return Replace(context.span(keyword), "enabled=False")
    if enabled is not None:
        return Replace(context.span(enabled), "False")
    if call.args or call.keywords:
        return with_argument(context, call, "enabled=False")
    func = context.span(call.func)
    return Replace(Span(func.end, context.span(call).end), "(enabled=False)")
