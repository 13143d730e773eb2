"""XP424: a tensor of the device in the place of a number, as an index or the bound of a slice."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.step_nodes import StepBody
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib import host_only
from .._lib.host_reads.device_values import spelled
from .._lib.one_line import one_line
from .._lib.shapes.in_steps import in_steps
from .._lib.shapes.kept_dimension import keeps_dimension
from .._lib.shapes.saying import say


class TensorIndex(Rule):
    """Index with a tensor of one element, which stays on the device.

    ## What it does
    In a step, `x[i]` with a tensor `i` without dimensions becomes `x[i.view(1)].squeeze(0)` (`--unsafe`). XP422 reports
    other places where such a tensor is used as a number.

    ## Why
    To PyTorch, an index without dimensions is a number: the host waits while it is read from the TPU, and each new
    number recompiles the step (measured on torch_xla 2.9: one read for `x[i]`, none for a tensor of one element).

    ## Example
        model = nn.Linear(4, 4).to("xla")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4)):
            out = model(x.to("xla"))
            best = out[out.sum(1).argmax()]
            best.sum().backward()
            optimizer.step()

    becomes

        model = nn.Linear(4, 4).to("xla")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(8, 4)):
            out = model(x.to("xla"))
            best = out[out.sum(1).argmax().view(1)].squeeze(0)
            best.sum().backward()
            optimizer.step()

    ## When it is wrong
    What an index without dimensions gives is a view, and what one with them gives is a copy: a write into it does not
    reach `x`. Where that is seen, the place stays as it is.

    ## When it is left alone
    An index that is a tensor with dimensions, one that is a number, and one whose result is written in place.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP404, XP407, XP422.
    """

    code = "XP424"
    name = "tensor-index"
    summary = "an index that is a tensor keeps one dimension, and stays on the device"
    applicability = Applicability.UNSAFE
    harm = Harm.RECOMPILES
    traits = (Trait.XLA_TENSOR,)
    words = ("[",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each such index in a step."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for node in context.step_code.of_type(body, ast.Subscript):
            if not keeps_dimension(context, node):
                continue
            one = f"{spelled(context, node.slice)}.view(1)"
            yield self.finding(
                context.span(node),
                say("XP424.index", index=one_line(context, node.slice)),
                Replace(context.span(node), f"{context.module.segment(node.value)}[{one}].squeeze(0)"),
            )
