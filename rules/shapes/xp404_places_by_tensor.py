"""XP404: an index or a slice that changes from step to step, handed to the graph as a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.step_nodes import StepBody
from xlaport.rule import Applicability, Finding, Harm, Rule

from .._lib import host_only
from .._lib.shapes.baked import baked
from .._lib.shapes.by_tensor import by_tensor
from .._lib.shapes.in_steps import in_steps
from .._lib.shapes.saying import say


class PlacesByTensor(Rule):
    """Index with a tensor where the number changes from step to step.

    ## What it does
    `x[i]`, and slices of one length such as `x[i : i + n]`, of a tensor on the device, where `i` changes from step to
    step: the number becomes a tensor of places, which is an input of the graph. So it is in `x[i] = y` and
    `x[i].copy_(y)`, alone in their statement: `y.to(x)` is stored. See XP401 for what changes from step to step, and
    how that is known.

    ## Why
    A Python number in an index is a part of the graph: each new value recompiles, for seconds to minutes on a TPU
    (measured: `rules/shapes/numbers.toml`). A tensor of positions is not: one graph serves all steps, but for a last
    slice that is shorter.

    ## Example
        model = nn.Linear(4, 1).to("xla")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        inputs = torch.randn(640, 4).to("xla")
        for i in range(0, 640, 16):
            loss = model(inputs[i : i + 16]).mean()
            loss.backward()
            optimizer.step()

    becomes

        model = nn.Linear(4, 1).to("xla")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        inputs = torch.randn(640, 4).to("xla")
        for i in range(0, 640, 16):
            loss = model(inputs[torch.arange(inputs.size(0))[i : i + 16]]).mean()
            loss.backward()
            optimizer.step()

    ## When it is wrong
    An index by a tensor gives a copy, where `x[i]` gives a view: what changes the result in place no longer changes
    `x`. Where that is plain to see, nothing is rewritten; nor is what may be a list of tensors. An index after the end
    is an error on the CPU and on CUDA; XLA takes the last position instead.

    ## When it is left alone
    What may be a list of tensors; an index whose result is written in place; places that are tensors already; sizes of
    tensors; indices of the host or of loops within one step.

    ## Sources
    - Measured on torch_xla 2.9: the table `rules/shapes/numbers.toml`.
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP401, XP407, XP424.
    """

    code = "XP404"
    name = "places-by-tensor"
    summary = "an index or slice that changes becomes a tensor"
    applicability = Applicability.UNSAFE
    harm = Harm.RECOMPILES
    words = ("for", "while", "def")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each number of a statement that is baked in by indices and slices alone."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for group in baked(context, body):
            found = by_tensor(context, group)
            if found is not None:
                edits, imports = found
                change = group[0].change
                text = say("XP404.tensor", name=change.name, line=context.line_of(change.facts, change.node))
                yield self.finding(context.place(group[0].number), text, *edits, imports=imports)
