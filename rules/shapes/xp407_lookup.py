"""XP407: a place that is looked up on the device, and read."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.step_nodes import StepBody
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule

from .._lib import host_only
from .._lib.host_reads.device_values import spelled
from .._lib.shapes.in_steps import in_steps
from .._lib.shapes.looked_up import kept
from .._lib.shapes.saying import say


class Lookup(Rule):
    """Look a place up, and index with it, on the device.

    ## What it does
    `i = (x == value).nonzero().item()` becomes `i = (x == value).long().argmax(0, keepdim=True)`, a tensor of one
    place, where `i` is used for nothing but indices, `y[i]` and `y[i + 1]`; these become `y[i].squeeze(0)`.

    ## Why
    `nonzero()` reads a count from the TPU and `.item()` the position, which becomes a part of the graph: the host waits
    twice in each step, and each new position recompiles. This is how schedulers of diffusion models find their step. A
    tensor of one position stays on the TPU, and is an input of one graph for all steps.

    ## Example
        model = nn.Linear(4, 4).to("xla")
        times, sigmas = torch.arange(9).to("xla"), torch.rand(9).to("xla")
        x = torch.zeros(1, 4).to("xla")
        with torch.no_grad():
            for t in times:
                i = (times == t).nonzero().item()
                x = x - model(x) * sigmas[i]

    becomes

        model = nn.Linear(4, 4).to("xla")
        times, sigmas = torch.arange(9).to("xla"), torch.rand(9).to("xla")
        x = torch.zeros(1, 4).to("xla")
        with torch.no_grad():
            for t in times:
                i = (times == t).long().argmax(0, keepdim=True)
                x = x - model(x) * sigmas[i].squeeze(0)

    ## When it is wrong
    Where nothing or several things are true, `.item()` raised, and this takes the first place, or the first that is
    true; an index beyond the end raised, and gives some number now.

    ## When it is left alone
    A place that is also counted, printed, compared or handed on.

    ## Sources
    - Measured on torch_xla 2.9: the table `rules/shapes/sizes.toml`.
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP404, XP412, XP424.
    """

    code = "XP407"
    name = "lookup"
    summary = "a place that is looked up stays on the device"
    applicability = Applicability.UNSAFE
    harm = Harm.WAITS
    words = ("nonzero",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that is looked up in a step."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for node in context.step_code.of_type(body, ast.Assign):
            found = kept(context, node)
            if found is None:
                continue
            by, edits = found
            yield self.finding(
                context.span(node.value),
                say("XP407.lookup", name=context.module.segment(node.targets[0])),
                Replace(context.span(node.value), f"{spelled(context, by)}.long().argmax(0, keepdim=True)"),
                *edits,
            )
