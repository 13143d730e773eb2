"""XP908: torch_xla's own autocast and GradScaler."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Import, Replace, Rule, Span
from xlaport.target import Symbol

from .._lib.arguments import argument_span
from .._lib.legacy.references import Reference, references, spelled
from .._lib.legacy.saying import say

_AUTOCAST = ("amp.autocast", "amp.autocast_mode.autocast")
_SCALER = ("amp.GradScaler", "amp.grad_scaler.GradScaler")
_TORCH = Import("torch", "torch")


class XlaAmp(Rule):
    """Use torch's own mixed precision.

    ## What it does
    Replaces `torch_xla.amp.autocast(device)` by `torch.autocast("xla", dtype=torch.bfloat16)`, and, for torch_xla 2.9
    and `--unsafe`, `torch_xla.amp.GradScaler()` by a scaler of torch that is switched off.

    ## Why
    On a TPU `torch_xla.amp.autocast` calls `torch.autocast` with bfloat16. On XLA's CPU backend, in a test, it raises
    AttributeError (measured on 2.9). The GradScaler is removed in torch_xla 2.9; bfloat16 has the range of float32, so
    there is nothing to scale.

    ## Example
        from torch_xla.amp import autocast
        with autocast(device):
            loss = model(x).sum()

    becomes

        with torch.autocast("xla", dtype=torch.bfloat16):
            loss = model(x).sum()

    ## When it is wrong
    Where a script must compute in float32 on the CPU: the new autocast computes in bfloat16 there, too. Without
    scaling, other small gradients are rounded to zero; the losses differ in their last digits.

    ## When it is left alone
    Autocast of torch itself, and of other libraries.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, Automatic mixed precision: https://docs.pytorch.org/xla/release/r2.8/perf/amp.html

    ## Related
    XP502, XP503.
    """

    code = "XP908"
    name = "torch-xla-amp"
    summary = 'torch_xla.amp.autocast(device) becomes torch.autocast("xla", …)'
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = ("torch_xla", "autocast", "GradScaler")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use."""
        for reference in references(context):
            name = reference.name.partition(".")[2]
            if name in _AUTOCAST and context.target.is_at_least("2.5"):
                yield self._autocast(context, reference)
            elif name in _SCALER and context.target.is_at_least("2.9"):
                yield self._scaler(context, reference)

    def _autocast(self, context: Context, reference: Reference) -> Finding:
        text, imports, beside = spelled(context, Symbol(_TORCH, "autocast"), reference)
        torch = text.rpartition(".")[0]
        by_hand = self.finding(context.place(reference.node), say("XP908.arguments", new=text, torch=torch))
        call = self._call(context, reference.node)
        if call is None or len(call.args) > 1 or any(isinstance(a, ast.Starred) for a in call.args):
            return by_hand
        given = {k.arg: k.value for k in call.keywords}
        device = call.args[0] if call.args else given.get("device")
        dtype = given.get("dtype")
        known = set(given) <= {"device", "enabled", "dtype", "cache_enabled"}
        if device is None or not known or not (dtype is None or context.resolve(dtype) == "torch.bfloat16"):
            return by_hand
        span = argument_span(context, call, device)
        kind = f'"{context.target.device_type}"'
        first = kind if dtype is not None else f"{kind}, dtype={torch}.bfloat16"
        if not call.args:
            first = f"device_type={first}"
        return self.finding(
            context.span(call),
            say("XP908.autocast", new=text),
            Replace(context.span(reference.node), text),
            Replace(span, first),
            *beside,
            imports=imports,
            applicability=reference.applicability(self.applicability),
        )

    def _scaler(self, context: Context, reference: Reference) -> Finding:
        text, imports, beside = spelled(context, Symbol(_TORCH, "amp.GradScaler"), reference)
        call = self._call(context, reference.node)
        if call is None:
            return self.finding(context.place(reference.node), say("XP908.taken"))
        whole = Span(context.span(reference.node).end, context.span(call).end)
        return self.finding(
            context.span(call),
            say("XP908.scaler"),
            Replace(context.span(reference.node), text),
            Replace(whole, f'("{context.target.device_type}", enabled=False)'),
            *beside,
            imports=imports,
            applicability=Applicability.UNSAFE,
        )

    def _call(self, context: Context, node: ast.expr) -> ast.Call | None:
        call = context.module.parents[node]
        return call if isinstance(call, ast.Call) and call.func is node and context.editable(node) else None
