"""XP104: questions whether CUDA is there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Replace, Rule

from . import cuda, guarded
from .fold import Fold

_SHOWS = frozenset({"builtins.print", "builtins.str", "builtins.repr"})
_LOG_METHODS = frozenset({"info", "warning", "debug", "error", "log", "format"})

_CUDA_FEATURES = frozenset({"pin_memory", "non_blocking", "fused", "capturable"})
"""Options that a CUDA device alone has a use for: on a TPU the answer to them is no."""


class AcceleratorGuard(Rule):
    """Answer `torch.cuda.is_available()` with yes, and fold what follows from it.

    ## What it does
    The question guards the accelerator's path, and on a TPU the answer is yes. In an `and` the question is
    dropped; a conditional expression or an `if` without another side becomes its first branch; an assertion,
    or an `if not …` that only complains, goes. Anywhere else the call becomes `True`. The other side of an
    `if` goes only where it does nothing that could be missed (the CPU device, a message, `raise`).

    The question stays, and is reported, where yes would be wrong: before a choice of float16, in a decorator
    that skips a test, and before code that calls what only CUDA has (`torch.cuda.get_device_name()`, apex):
    under the question, or behind an `if not …: return`.

    ## Why
    Under torch_xla both `torch.cuda.is_available()` and `torch.accelerator.is_available()` are False: the
    script would silently train on the CPU.

    ## Example
        use_cuda = not args.no_cuda and torch.cuda.is_available()
        kwargs = {"num_workers": 4} if torch.cuda.is_available() else {}

    becomes

        use_cuda = not args.no_cuda
        kwargs = {"num_workers": 4}

    ## When it is wrong
    Where code far from the question needs CUDA itself (a custom kernel behind `if use_cuda:`): such a branch
    has to be ported by hand.
    """

    code = "XP104"
    name = "accelerator-guard"
    summary = "torch.cuda.is_available() is answered with yes"
    applicability = Applicability.SAFE
    words = ("is_available", "is_bf16_supported")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each question."""
        for call in context.module.calls:
            if not cuda.is_available_call(context, call) or not context.editable(call):
                continue
            if self._chooses_device(context, call) or self._is_shown(context, call) or self._locates(context, call):
                continue
            question = f"{context.module.segment(call.func)}()"
            why_not = guarded.why_not(context, call)
            if why_not is not None:
                yield self.finding(context.span(call), f"{question} stays, and is False under torch_xla: {why_not}")
            elif self._is_cuda_feature(context, call):
                yield self.finding(
                    context.span(call),
                    f"{question} switches on what only a CUDA device has: on a TPU it is off",
                    Replace(context.span(call), "False"),
                )
            else:
                yield self.finding(
                    context.span(call),
                    f"{question} is False under torch_xla although there is a device, so the script would run on "
                    "the CPU: the accelerator's path is taken",
                    *Fold(context).edits(call),
                )

    def _chooses_device(self, context: Context, call: ast.Call) -> bool:
        """The test of a choice between the CUDA and the CPU device: XP101 and XP103 speak of it."""
        parent = context.module.parents[call]
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            parent = context.module.parents[parent]
        chosen = cuda.choice(parent)
        return (
            chosen is not None
            and chosen.test is call
            and (cuda.is_cuda_string(chosen.accelerator) or cuda.is_cuda_device(context, chosen.accelerator))
            and cuda.is_cpu_device(context, chosen.other)
            and not (cuda.is_cuda_string(chosen.accelerator) and not self._is_device(context, chosen))
        )

    def _is_device(self, context: Context, chosen: cuda.Choice) -> bool:
        """Whether a choice of strings names a device; a mere label is no affair of XP103."""
        parent = context.module.parents[chosen.node]
        if isinstance(parent, ast.Call) and context.resolve(parent.func) == "torch.device":
            return True
        if context.flow.sink(chosen.node) is not None:
            return True
        return bool(context.flow.reach(chosen.accelerator).sinks)

    def _is_shown(self, context: Context, call: ast.Call) -> bool:
        """An argument of `print` or of a logger: the truth is what it should say."""
        parent = context.module.parents[call]
        if not isinstance(parent, ast.Call) or call not in parent.args:
            return False
        is_log = isinstance(parent.func, ast.Attribute) and parent.func.attr in _LOG_METHODS
        return is_log or context.resolve(parent.func) in _SHOWS

    def _locates(self, context: Context, call: ast.Call) -> bool:
        """Inside ``map_location=…``: XP701 speaks of it."""
        keyword = next((p for p in context.module.ancestors(call) if isinstance(p, ast.keyword | ast.stmt)), None)
        return isinstance(keyword, ast.keyword) and keyword.arg == "map_location"

    def _is_cuda_feature(self, context: Context, call: ast.Call) -> bool:
        parent = context.module.parents[call]
        if not isinstance(parent, ast.keyword):
            return False
        outer = context.module.parents[parent]
        is_scaler = isinstance(outer, ast.Call) and (context.resolve(outer.func) or "").endswith("GradScaler")
        return parent.arg in _CUDA_FEATURES or (parent.arg == "enabled" and is_scaler)
