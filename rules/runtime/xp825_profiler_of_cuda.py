"""XP825: torch's profiler, told to look at CUDA."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Span

from .._lib.comments import has_comment
from .._lib.removal import removal
from .._lib.runtime.saying import say

_CUDA = "torch.profiler.ProfilerActivity.CUDA"
_ORDER = re.compile(r"(self_)?(cuda|device)_(time_total|time|memory_usage)")
_ADDING = frozenset({"append", "add"})


class Profiler(Rule):
    """Let torch's profiler look at the host alone.

    ## What it does
    Removes `ProfilerActivity.CUDA` from the activities of `torch.profiler.profile`, or replaces it by `CPU` if it is
    the only one, and sorts tables by CPU time instead of CUDA time.

    ## Why
    Without an NVIDIA GPU the profiler warns and leaves CUDA out, and raises if there is nothing else. Under torch_xla
    it sees how long the host takes to trace the operations, and not how long a TPU computes. A table sorted by
    `cuda_time_total` then has no order, and nothing is raised (torch 2.9, measured).

    ## Example
        from torch.profiler import ProfilerActivity, profile
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as prof:
            model(x)
        print(prof.key_averages().table(sort_by="cuda_time_total"))

    becomes

        from torch.profiler import ProfilerActivity, profile
        with profile(activities=[ProfilerActivity.CPU]) as prof:
            model(x)
        print(prof.key_averages().table(sort_by="cpu_time_total"))

    ## When it is wrong
    Where the times of the device are wanted: `xp.start_trace()`, `xp.stop_trace()` and `with xp.Trace("name"):` of
    `torch_xla.debug.profiler` record them for TensorBoard.

    ## When it is left alone
    An activity that is taken out of a table or a variable, and the profilers of other libraries.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, torch.profiler: https://docs.pytorch.org/docs/stable/profiler.html

    ## Related
    XP826, XP210.
    """

    code = "XP825"
    name = "profiler-of-cuda"
    summary = "torch.profiler looks at the host, without CUDA's activity"
    applicability = Applicability.SAFE
    harm = Harm.LEFTOVER
    words = ("ProfilerActivity", "_time_total", "_memory_usage", "cuda_time", "device_time")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each activity of CUDA, and for each table that is sorted by it."""
        for node in context.module.nodes:
            if isinstance(node, ast.Attribute) and context.resolve(node) == _CUDA and context.editable(node):
                yield self._activity(context, node)
            elif isinstance(node, ast.Call) and (order := _order(node)) is not None and context.editable(order):
                yield self._sorted(context, order)

    def _activity(self, context: Context, node: ast.Attribute) -> Finding:
        span = context.span(node)
        around = context.module.parents[node]
        if isinstance(around, ast.Call) and isinstance(around.func, ast.Attribute) and around.func.attr in _ADDING:
            statement = context.module.parents[around]
            if isinstance(statement, ast.Expr) and around.args == [node]:
                return self.finding(span, say("XP825.removed"), removal(context, statement))
        if isinstance(around, ast.List | ast.Tuple | ast.Set) and not has_comment(context, around):
            others = [element for element in around.elts if element is not node]
            if others and not isinstance(around, ast.Tuple):
                return self.finding(span, say("XP825.removed"), _removed(context, around, node))
            if not others:
                return self.finding(span, say("XP825.only"), Replace(Span(span.end - len("CUDA"), span.end), "CPU"))
        return self.finding(span, say("XP825.left"))

    def _sorted(self, context: Context, order: ast.Constant) -> Finding:
        text = context.module.segment(order)
        return self.finding(
            context.span(order),
            say("XP825.sorted"),
            Replace(context.span(order), text.replace("cuda_", "cpu_").replace("device_", "cpu_")),
            applicability=Applicability.UNSAFE,
        )


def _order(call: ast.Call) -> ast.Constant | None:
    """``"cuda_time_total"`` of ``.table(sort_by="cuda_time_total")``, and the metric of ``.export_stacks(…)``."""
    func = call.func
    if not isinstance(func, ast.Attribute) or func.attr not in ("table", "export_stacks"):
        return None
    given = [*call.args, *(k.value for k in call.keywords if k.arg in ("sort_by", "metric"))]
    texts = (a for a in given if isinstance(a, ast.Constant) and isinstance(a.value, str))
    return next((t for t in texts if isinstance(t.value, str) and _ORDER.fullmatch(t.value)), None)


def _removed(context: Context, around: ast.List | ast.Set, node: ast.expr) -> Replace:
    """One element of a list display taken out, with its comma."""
    at = around.elts.index(node)
    if at:
        return Replace(Span(context.span(around.elts[at - 1]).end, context.span(node).end), "")
    return Replace(Span(context.span(node).start, context.span(around.elts[1]).start), "")
