"""XP826: ranges for NVIDIA's profiler."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Span, Trait

from .._lib.arguments import given
from .._lib.blocks import lifted
from .._lib.one_line import one_line
from .._lib.removal import is_effect_free
from .._lib.runtime.saying import say
from .._lib.step.traces import RANGES, Block, is_cut_inside


class NvtxRange(Rule):
    """Mark ranges in a TPU's profile.

    ## What it does
    `with torch.cuda.nvtx.range("name"):` becomes `with xp.Trace("name"):`, and `@torch.cuda.nvtx.range("name")` becomes
    `@xp.trace_me("name")`. A range around the steps of a loop is removed, since `torch_xla.sync()` raises in a trace.

    ## Why
    NVTX is for NVIDIA's profiler, and raises where torch was built without CUDA. The ranges of a TPU's profile are
    those of `torch_xla.debug.profiler`; they name what the host traces, and with it the operations of the graph.
    `torch_xla.sync()` inside of one raises (RuntimeError: Expecting scope to be empty; torch_xla 2.9, measured), and
    `xp.Trace` is no decorator.

    ## Example
        def forward(model, x):
            with torch.cuda.nvtx.range("forward"):
                return model(x)

    becomes

        def forward(model, x):
            with xp.Trace("forward"):
                return model(x)

    ## When it is wrong
    Where a function that is called in the block runs `torch_xla.sync()`, in a way that is not seen here.

    ## When it is left alone
    The `nvtx` package itself, and ranges of one's own.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP825, XP207.
    """

    code = "XP826"
    name = "nvtx-range"
    summary = "ranges of NVTX become traces, or go where a barrier runs in them"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    traits = (Trait.LAZY_GRAPH,)
    words = ("nvtx",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each range."""
        for call in context.module.calls:
            if context.resolve(call.func) not in RANGES:
                continue
            block = _block(context, call)
            if block is None or not context.editable(call):
                yield self._by_hand(context, call)
            elif is_cut_inside(context, block):
                yield self._around_steps(context, call, block)
            else:
                yield self._trace(context, call, block)

    def _by_hand(self, context: Context, call: ast.Call) -> Finding:
        text, _ = context.symbol("trace", call)
        sync, _ = context.symbol("sync", call)
        return self.finding(context.place(call), say("XP826.left", trace=text, sync=sync))

    def _around_steps(self, context: Context, call: ast.Call, block: Block) -> Finding:
        sync, _ = context.symbol("sync", call)
        text, _ = context.symbol("trace", call)
        edit = None
        if isinstance(block, ast.With) and len(block.items) == 1 and is_effect_free(context, *call.args):
            edit = lifted(context, block, block.body)
        elif isinstance(block, ast.FunctionDef | ast.AsyncFunctionDef):
            start = context.module.text.rindex("@", 0, context.span(call).start)
            line = context.module.line_end(call.end_lineno or call.lineno)
            first = context.module.line_start(context.module.position(start)[0])
            edit = Replace(Span(first, line), "")
        if edit is None:
            return self.finding(context.span(call), say("XP826.around", trace=text, sync=sync))
        said = say("XP826.steps", trace=text, sync=sync)
        return self.finding(context.span(call), said, edit, applicability=Applicability.SAFE)

    def _trace(self, context: Context, call: ast.Call, block: Block) -> Finding:
        passed = given(call, ("msg",))
        if passed is None or "msg" not in passed:
            return self._by_hand(context, call)
        meaning = "trace_function" if isinstance(block, FunctionNode) else "trace"
        text, imports = context.symbol(meaning, call)
        sync, _ = context.symbol("sync", call)
        return self.finding(
            context.span(call),
            say("XP826.trace", trace=text, sync=sync),
            Replace(context.span(call), f"{text}({one_line(context, passed['msg'])})"),
            imports=imports,
        )


def _block(context: Context, call: ast.Call) -> Block | None:
    """The block or the function that a range is around."""
    around = context.module.parents[call]
    if isinstance(around, ast.withitem):
        block = context.module.parents[around]
        is_plain = around.optional_vars is None and isinstance(block, ast.With | ast.AsyncWith)
        return block if is_plain and isinstance(block, ast.With | ast.AsyncWith) else None
    if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef) and call in around.decorator_list:
        return around
    return None
