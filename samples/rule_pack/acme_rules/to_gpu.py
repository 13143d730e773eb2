"""ACME101: the company's helper that moves to the GPU."""

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Replace, Rule


class ToGpu(Rule):
    """Say `.to()` where `acme_gpu.to_gpu()` would ask for a GPU.

    ## What it does
    Replaces `acme_gpu.to_gpu(x)` by `x.to(torch_xla.device())`.

    ## Why
    `to_gpu` picks the GPU with the most free memory, and raises on a machine without one.

    ## Example
        from acme_gpu import to_gpu
        batch = to_gpu(batch)

    becomes

        batch = batch.to(torch_xla.device())

    ## When it is wrong
    Where `x` is one of our own batches, which have no `to()`: those calls are left to you.
    """

    code = "ACME101"
    name = "acme-to-gpu"
    summary = "acme_gpu.to_gpu(x) is x.to(torch_xla.device())"
    applicability = Applicability.SAFE
    words = ("to_gpu",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each call."""
        for call in context.module.calls:
            if context.resolve(call.func) != "acme_gpu.to_gpu":
                continue
            if len(call.args) != 1 or call.keywords:
                yield self.finding(context.span(call), "to_gpu() with options has no counterpart: write x.to(device)")
                continue
            device, imports = context.symbol("device", call)
            moved = context.module.segment(call.args[0])
            if not isinstance(call.args[0], ast.Name | ast.Attribute | ast.Call | ast.Subscript):
                moved = f"({moved})"
            yield self.finding(
                context.span(call),
                "to_gpu() raises without a GPU",
                Replace(context.span(call), f"{moved}.to({device}())"),
                imports=imports,
            )
