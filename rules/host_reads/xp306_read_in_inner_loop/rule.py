"""XP306: a host read in each pass of a loop within a step."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from xlaport.context import Context
from xlaport.facts.module import LoopNode
from xlaport.facts.reads import HostRead
from xlaport.facts.step_nodes import StepBody
from xlaport.rule import Applicability, Edit, Finding, Harm, Replace, Rule

from ..._lib import host_only
from ..._lib.host_reads.behind_batches import behind_batches
from ..._lib.host_reads.elements import is_of_device, read_one_by_one
from ..._lib.host_reads.host_loops import HostLoop, host_loop
from ..._lib.host_reads.inner_loops import reads_in_each_pass, reads_in_some_passes
from ..._lib.host_reads.saying import code, code_of, say
from ..._lib.host_reads.sums_in_step import SumInStep, sum_in_step
from ..._lib.series import series

_KNOWN_OTHERWISE = ("XP303", "XP304", "XP403", "XP415")
"""Rules that speak of such reads, too, and know more."""


class ReadInInnerLoop(Rule):
    """Read once per step what a loop within the step reads piece by piece.

    ## What it does
    Finds the host reads in loops that are part of a step: over the parameters of a model, the losses in a dict, the
    samples of a batch; also writes of such values into a tensor of the host, one by one. A sum of `.item()` that begins
    in the step is added up on the TPU, and read where it is used. A loop over the elements of tensors of the TPU that
    does nothing but to read what it computes of them runs on the host, by one copy, which goes back where the loop sets
    elements, too; so does one that reads only what it finds wrong (`if not right[i]: print(found[i])`), where something
    is read beside it anyway. Of the batches of an evaluation, vectors are kept, and such loops run after the last
    batch, so that none waits. Loops outside of steps are reported where they read the elements of one tensor of the
    TPU.

    ## Why
    Each read waits for the TPU. Before the step's `torch_xla.sync()` each also runs a graph of its own: for a model
    with a hundred parameters, the norm of its gradients is a hundred graphs and transfers per step (measured with two
    parameters: 3 executions and 2 transfers per step became 1 and 0).

    ## Example
        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for i, x in enumerate(DataLoader(torch.zeros(8, 4))):
            model(x).mean().backward()
            total = 0.0
            for p in model.parameters():
                total += p.grad.norm().item() ** 2
            optimizer.step()
            torch_xla.sync()
            if i % 100 == 0:
                print(total)

    becomes

        import torch_xla
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for i, x in enumerate(DataLoader(torch.zeros(8, 4))):
            model(x).mean().backward()
            total = 0.0
            for p in model.parameters():
                total += p.grad.norm() ** 2
            optimizer.step()
            torch_xla.sync()
            if i % 100 == 0:
                print(float(total))

    ## When it is wrong
    The sum is a float32 on the TPU, where Python's is a float64: the last digits may differ. So may those of what the
    host computes in a loop. This is why the fixes are unsafe. Of a large tensor, all is copied for a few elements. What
    runs after the last batch prints later.

    ## When it is left alone
    Loops within a step that run in some steps only, reads under a condition where nothing else is read, numbers of the
    host, and other loops outside of steps.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP301, XP303.
    """

    code = "XP306"
    name = "read-in-inner-loop"
    summary = "a host read in every iteration of a loop within a step"
    applicability = Applicability.UNSAFE
    harm = Harm.WAITS
    words = ("item", "float", "int", "cpu", "tolist", "numpy", "print", "add_scalar", "add_histogram", "info")
    across = ("item",)
    residual = True

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each statement that reads in such a loop."""
        seen: set[ast.stmt] = set()
        of_steps: set[LoopNode] = set()
        if host_only.stays_on_host(context):
            return
        for loops in self._bodies(context):
            for inner, reads in loops:
                of_steps.add(inner)
                if context.step_code.is_now_and_then(inner):
                    continue
                for read in reads:
                    statement = context.module.statement(read.node)
                    if statement in seen or self._is_known(context, read):
                        continue
                    seen.add(statement)
                    yield self._spoken_of(context, read, inner)
        for loop in self._elsewhere(context, of_steps):
            for read in reads_in_each_pass(context, loop):
                whole, statement = read_one_by_one(context, read, loop), context.module.statement(read.node)
                if whole is None or statement in seen or not is_of_device(context, read, whole):
                    continue
                if not self._is_known(context, read):
                    seen.add(statement)
                    yield self._one_by_one(context, read, whole, loop)
        for inner in context.module.of_type(ast.For):
            assert isinstance(inner, ast.For)
            for read in reads_in_some_passes(context, inner):
                statement = context.module.statement(read.node)
                if statement in seen or self._is_known(context, read):
                    continue
                if (found := self._read_at_once(context, read, inner, "XP306.some-on-host")) is not None:
                    seen.add(statement)
                    yield found

    def _elsewhere(self, context: Context, of_steps: Collection[LoopNode]) -> list[ast.For]:
        """The loops of a file that are neither step loops nor parts of a step."""
        steps = {loop.node for loop in context.loops.all()}
        return [loop for loop in context.module.of_type(ast.For) if loop not in steps and loop not in of_steps]

    def _one_by_one(self, context: Context, read: HostRead, whole: ast.expr, loop: ast.For) -> Finding:
        if (found := self._read_at_once(context, read, loop)) is not None:
            return found
        return self.finding(
            context.span(read.node),
            say("XP306.elements", read=code_of(context, read), name=context.module.segment(whole)),
            applicability=Applicability.MANUAL,
        )

    def _read_at_once(
        self, context: Context, read: HostRead, inner: LoopNode, key: str = "XP306.on-host"
    ) -> Finding | None:
        """The loop runs on the host: after the last batch, or else on copies of what it reads."""
        if isinstance(inner, ast.For) and (edits := behind_batches(context, inner)):
            return self.finding(context.place(read.node), say("XP306.behind", read=code_of(context, read)), *edits)
        found = host_loop(context, inner)
        return self._on_host(context, read, found, key) if found is not None else None

    def _on_host(self, context: Context, read: HostRead, found: HostLoop, key: str) -> Finding:
        shown, names = code_of(context, read), series(f"`{name}`" for name in found.names)
        text = say(key, read=shown, names=names)
        if found.written:
            written = series(f"`{name}`" for name in found.written)
            text = say("XP306.on-host-and-back", read=shown, names=names, written=written)
        return self.finding(context.place(read.node), text, *found.edits)

    def _is_known(self, context: Context, read: HostRead) -> bool:
        found = (f for f in context.found if f.code in _KNOWN_OTHERWISE)
        return any(f.span.overlaps(context.place(read.node)) for f in found)

    def _bodies(self, context: Context) -> Iterator[list[tuple[LoopNode, list[HostRead]]]]:
        """What runs in steps and has loops with reads, with these."""
        for body in context.step_code.bodies:
            yield self._reading(context, body)
        for body in context.step_code.others:
            # Whether a step runs it takes the whole project to say: that is asked where it matters only.
            loops = self._reading(context, body)
            if loops and body.function is not None and context.step_code.runs_in_steps(body.function):
                yield loops

    def _reading(self, context: Context, body: StepBody) -> list[tuple[LoopNode, list[HostRead]]]:
        loops = context.step_code.of_type(body, ast.For, ast.While)
        return [(loop, reads) for loop in loops if (reads := list(reads_in_each_pass(context, loop)))]

    def _spoken_of(self, context: Context, read: HostRead, inner: LoopNode) -> Finding:
        span, shown, found = context.span(read.node), code_of(context, read), sum_in_step(context, read, inner)
        if isinstance(found, SumInStep):
            edits: list[Edit] = [Replace(place, text) for place, text in found.edits]
            return self.finding(span, say("XP306.float", read=shown, name=found.name), *edits)
        if (at_once := self._read_at_once(context, read, inner)) is not None:
            return at_once
        if found is not None:
            text = say("XP306.sum", read=shown, name=found)
        elif (whole := read_one_by_one(context, read, inner)) is not None:
            text = say("XP306.elements-in-step", read=shown, name=context.module.segment(whole))
        else:
            text = say("XP306.collected", read=shown, tensor=code(context, read.tensor, "the tensors"))
        return self.finding(span, text, applicability=Applicability.MANUAL)
