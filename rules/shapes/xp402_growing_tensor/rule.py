"""XP402: a tensor that is larger in every step."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule

from ..._lib import host_only
from ..._lib.one_line import one_line
from ..._lib.shapes.growth import Growth, growths
from ..._lib.shapes.saying import say
from .buffer import told
from .fixed_context import fixed_context
from .written import written


class GrowingTensor(Rule):
    """Report tensors that grow from step to step.

    ## What it does
    Finds tensors that a step loop joins with something new in every iteration, and carries into the next:
    `tokens = torch.cat([tokens, token], dim=1)` of a loop that generates, `predictions = torch.cat([predictions, out])`
    of one that evaluates, `self.keys = torch.cat([self.keys, key])` of a cache, and `torch.stack(outputs)` in the loop
    that appends to the list.

    Where all that a loop of a known number of iterations does with the tensor is to hand it, or a window of it, to a
    causal model, and to read the last place of the result, `--unsafe` gives it a fixed size: a buffer with room for all
    tokens, and how much of it is written, a tensor on the device. A model that takes the last place itself gives all
    places instead. The code of the model must show that it is causal: a mask by `tril()` or `triu()`, `is_causal=True`,
    a recurrent network of one direction, or layers that look at each place alone.

    ## Why
    A graph is for tensors of one size. Each iteration has a larger one, so each recompiles (measured:
    8 graphs for 8 tokens, where a buffer of a fixed size takes 1), for seconds to minutes on a TPU.

    ## Example
        model = nn.Embedding(64, 64).to(device)
        idx = start.to(device)
        with torch.no_grad():
            for _ in range(max_new_tokens):
                window = idx if idx.size(1) <= 8 else idx[:, -8:]
                logits = model(window)[:, -1, :]
                idx_next = torch.multinomial(logits.softmax(-1), num_samples=1)
                idx = torch.cat((idx, idx_next), dim=1)

    becomes

        model = nn.Embedding(64, 64).to(device)
        idx = start.to(device)
        with torch.no_grad():
            length = torch.tensor([idx.size(1)], device=idx.device)  # what is written of idx
            places = torch.arange(min(8, idx.size(1) + max_new_tokens - 1), device=idx.device)
            idx = torch.cat((idx, idx.new_zeros(idx.size(0), max_new_tokens)), dim=1)
            torch_xla.sync()
            for _ in range(max_new_tokens):
                first = (length - 8).clamp(min=0)
                window = idx.index_select(1, first + places)
                logits = model(window).index_select(1, length - first - 1)[:, -1, :]
                idx_next = torch.multinomial(logits.softmax(-1), num_samples=1)
                idx, length = idx.index_copy(1, length, idx_next), length + 1

    The window is as large in each iteration. What is not written yet stands behind the last place, where a causal model
    does not look. Each other length of the start, and each other number of tokens, compiles once. `idx[:, -8:]` alone
    raises on XLA while there are fewer than 8 places; that is gone, too.

    By hand, the same:

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
    Where the loop has few iterations. A list that is joined once, after the loop, is not meant. The fix: where the
    model looks ahead in a way that its code does not show, or keeps something from call to call. All places of the
    buffer are computed in each iteration, also by the head: that costs less than to compile.

    ## When it is left alone
    A list that is joined once after the loop, or emptied; a window of a fixed size; what is joined within one step,
    once in an epoch, or on the host. No fix: where the loop uses the tensor in another way (its size, its elements, a
    new order of its rows), joins it in some iterations only, has no number of iterations that is known before it, hands
    the model a cache or a mask that changes, or where the model is out of sight, or not causal (`BatchNorm`, both
    directions, a mean over all places).

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP401, XP403, XP303, XP427.
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
        fixed: list[ast.AST] = []
        for body in (*code.bodies, *code.others):
            for growth in growths(context, body):
                if body in code.bodies or (body.function is not None and code.runs_in_steps(body.function)):
                    yield self._found(context, growth, fixed)

    def _found(self, context: Context, growth: Growth, others: list[ast.AST]) -> Finding:
        """`others`: the loops that this round changes: one of them at a time, since the new names are the same."""
        known = None if _is_near(context, growth, others) else fixed_context(context, growth)
        edits, imports = written(context, known) if known is not None else ((), ())
        if known is None or not edits:
            return self.finding(context.place(growth.call), told(context, growth))
        others.append(known.loop)
        model = one_line(context, known.uses.models[0].func)
        end = next((node for node, _ in known.uses.cuts if isinstance(node, ast.Subscript)), None)
        text = say("XP402.fixed", name=growth.name, model=model)
        if end is not None:  # torch_xla takes no end that is longer than the tensor
            text = say("XP402.fixed_end", name=growth.name, model=model, end=one_line(context, end))
        place, unsafe = context.place(growth.call), Applicability.UNSAFE
        return self.finding(place, text, *edits, imports=imports, applicability=unsafe)


def _is_near(context: Context, growth: Growth, others: list[ast.AST]) -> bool:
    """Whether the loop is one of some others, or within one, or around one."""
    around = set(context.module.ancestors(growth.call))
    within = {inner for other in others for inner in (other, *context.module.ancestors(other))}
    return growth.loop in within or any(other in around for other in others)
