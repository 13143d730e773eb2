"""XP819: torch.compile."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loops import LoopKind
from xlaport.rule import Applicability, Edit, Finding, Replace, Rule, Trait

from .._lib import host_only
from .._lib.comments import has_comment
from .._lib.parentheses import factor
from .._lib.removal import is_effect_free, removal
from .._lib.runtime.saying import say

_KEPT = ("fullgraph", "dynamic")
"""What other backends than inductor know, too."""
_TRAINING = (LoopKind.TRAIN, LoopKind.OPTIMIZE)


class TorchCompile(Rule):
    """Leave the compiling to XLA.

    ## What it does
    In a file that trains, `model = torch.compile(model, …)` is removed, with an `if` that guards nothing else, and
    `torch.compile(model)` elsewhere becomes `model`. In a file that only evaluates, generates or samples, the call gets
    `backend="openxla"` and loses `mode=` and `options=`, which only inductor takes. Decorators, and files without such
    loops, are reported.

    ## Why
    The default backend, inductor, writes kernels for GPUs and CPUs: for tensors on XLA it raises (KeyError: 'xla',
    torch_xla 2.9, measured). XLA compiles a whole training step anyway, as one graph; `backend="openxla"` makes three
    graphs of it. For inference, that backend saves tracing the model in each step.

    ## Example
        model = torch.compile(Net().to(device))
        for x in loader:
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()

    becomes

        model = Net().to(device)
        for x in loader:
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()

    ## When it is wrong
    A checkpoint of a compiled model has `_orig_mod.` before its keys, which the model itself does not have.

    ## When it is left alone
    Another backend than inductor, `disable=True`, and functions called compile of other libraries.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, TorchDynamo integration: https://docs.pytorch.org/xla/release/r2.8/perf/dynamo.html

    ## Related
    XP201, XP827.
    """

    code = "XP819"
    name = "torch-compile"
    summary = "torch.compile goes from training, and gets XLA's backend for inference"
    applicability = Applicability.SAFE
    traits = (Trait.OWN_BACKEND,)
    words = ("compile",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each call of `torch.compile` with the default backend."""
        if host_only.stays_on_host(context):
            return
        kinds = {loop.kind for loop in context.loops.all()} or set(_kinds_called(context))
        for call in context.module.calls:
            if context.resolve(call.func) != "torch.compile" or not _is_on(call):
                continue
            model = _model(call)
            if model is None or not kinds or not context.editable(call) or has_comment(context, call):
                continue  # XP802 tells what to do
            if kinds & {*_TRAINING}:
                yield self.finding(context.span(call), say("XP819.training"), _without(context, call, model))
            else:
                yield self.finding(context.span(call), say("XP819.inference"), _for_xla(context, call, model))


def _kinds_called(context: Context) -> Iterator[LoopKind]:
    """The kinds of the step loops in the functions that this file calls."""
    for function in dict.fromkeys(f for call in context.module.calls for f in context.loops.run_by(call)):
        for loop in context.loops.elsewhere(function.facts).all():
            if function.node in function.facts.module.ancestors(loop.node):
                yield loop.kind


def _is_on(call: ast.Call) -> bool:
    """Whether a call leaves the backend to torch, and compiles at all."""
    return not any(k.arg in ("backend", "disable", None) for k in call.keywords)


def _model(call: ast.Call) -> ast.expr | None:
    """What is compiled; None where it is not plain to see, as of ``@torch.compile(dynamic=True)``."""
    if len(call.args) == 1 and not isinstance(call.args[0], ast.Starred):
        return call.args[0]
    return next((k.value for k in call.keywords if k.arg == "model"), None) if not call.args else None


def _without(context: Context, call: ast.Call, model: ast.expr) -> Edit:
    parent = context.module.parents[call]
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        if ast.unparse(parent.targets[0]) == ast.unparse(model):
            return removal(context, parent)
    text = context.module.segment(model)
    if isinstance(parent, ast.IfExp) and call is not parent.test and is_effect_free(context, parent.test):
        other = parent.orelse if call is parent.body else parent.body
        if ast.unparse(other) == ast.unparse(model):
            return Replace(context.span(parent), text)  # (`torch.compile(model) if args.compile else model`)
    return Replace(context.span(call), factor(model, text))


def _for_xla(context: Context, call: ast.Call, model: ast.expr) -> Edit:
    kept = [context.module.segment(k) for k in call.keywords if k.arg in _KEPT]
    parts = [context.module.segment(model), *kept, 'backend="openxla"']
    return Replace(context.span(call), f"{context.module.segment(call.func)}({', '.join(parts)})")
