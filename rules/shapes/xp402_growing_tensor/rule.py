"""XP402: a tensor that is larger in every step."""

from __future__ import annotations

from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule

from ..._lib import host_only
from ..._lib.shapes.growth import growths
from .buffer import told


class GrowingTensor(Rule):
    """Report tensors that grow from step to step.

    ## What it does
    Finds tensors that a step loop joins with something new in every iteration, and carries into the next:
    `tokens = torch.cat([tokens, token], dim=1)` of a loop that generates, `predictions = torch.cat([predictions, out])`
    of one that evaluates, `self.keys = torch.cat([self.keys, key])` of a cache, and `torch.stack(outputs)` in the loop
    that appends to the list.

    ## Why
    A graph is for tensors of one size. Each iteration has a larger one, so each recompiles (measured:
    8 graphs for 8 tokens, where a buffer of a fixed size takes 1), for seconds to minutes on a TPU.

    ## Example
        model = nn.Linear(4, 4).to(device)
        tokens = start.to(device)
        with torch.no_grad():
            for _ in range(max_new_tokens):
                token = model(tokens)[:, -1:]
                tokens = torch.cat([tokens, token], dim=1)

    is reported. A buffer of a fixed size, and a position that stays on the device, a tensor of one element:

        length = start.size(1)
        buffer = nn.functional.pad(start, (0, 0, 0, max_new_tokens)).to(device)
        position = torch.tensor([length], device=device)
        with torch.no_grad():
            for _ in range(max_new_tokens):
                token = model(buffer).index_select(1, position - 1)
                buffer.index_copy_(1, position, token)
                position += 1

    `index_copy_()` takes a part of the same dtype. What is not written yet must not count. A causal model sees nothing
    that comes after a position; elsewhere, mask what is at `position` and after. Where the model adds positions before
    the first, or drops some there, the last one moves by as many. A cache of keys and values that grows needs room,
    too, and is written at the same position, or is left out. `tokens[:, -size:]` would take what is not written yet
    (and a slice from before the first position raises on XLA): all of the buffer is the same, as long as it has at most
    `size` positions.

    ## When it is wrong
    Where the loop has few iterations. A list that is joined once, after the loop, is not meant.

    ## When it is left alone
    A list that is joined once after the loop, or emptied; a window of a fixed size; what is joined within one step,
    once in an epoch, or on the host.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP401, XP403, XP303.
    """

    code = "XP402"
    name = "growing-tensor"
    summary = "a tensor that is larger in every step"
    applicability = Applicability.MANUAL
    harm = Harm.RECOMPILES
    words = ("cat", "stack", "pad")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that makes a tensor grow."""
        if host_only.stays_on_host(context):
            return
        code = context.step_code
        for body in (*code.bodies, *code.others):
            for growth in growths(context, body):
                if body in code.bodies or (body.function is not None and code.runs_in_steps(body.function)):
                    yield self.finding(context.place(growth.call), told(context, growth))
