"""XP202: the loader that feeds the device in the background."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import walk_block
from xlaport.rule import Applicability, Edit, Finding, RemoveStatement, Replace, Rule, Trait

from ..._lib.removal import with_comments
from ..._lib.step import plain_loader
from ..._lib.step.batch_device import is_accelerator
from ..._lib.step.optimizers import binds
from ..._lib.step.saying import say
from ..._lib.step.traces import traces_around
from .batch_moves import Moves, batch_moves


class DeviceLoader(Rule):
    """Let `MpDeviceLoader` bring the batches to the device.

    ## What it does
    Wraps a plain `DataLoader` where a step loop iterates it, and takes out what moves the batch, be it a statement,
    `batch = tuple(t.to(device) for t in batch)`, or the place of its use, `model(x.to(device))`:
    the wrapper loads and copies the next batches in the background. It also runs the step's graph at each batch, so
    `torch_xla.sync()` at the end of a loop that reads no values is removed. A progress bar is looked through, also
    under a name.

    The fix is safe where all of this is known: each origin of the loader is a `DataLoader` call with the
    default batching; its dataset yields tuples of tensors from memory (`TensorDataset`, MNIST, CIFAR …); it has
    worker processes, or transforms without random numbers; the loop runs to its end; all of the batch that is
    used is moved. Where the dataset or the workers are unknown, the fix is unsafe. Otherwise there is none: with
    `break`, the wrapper has taken more batches than were used; and batches other than tuples, lists and dicts come out
    changed. Under gradient accumulation, each batch that a step sums has its own graph.

    ## Why
    Without it, each step waits for its batch to be loaded and copied.

    ## Example
        import torch_xla
        device = torch_xla.device()
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        data = torch.utils.data.TensorDataset(torch.zeros(8, 4), torch.zeros(8))
        for x, y in DataLoader(data, batch_size=4):
            x, y = x.to(device), y.to(device)
            loss = (model(x) - y).mean()
            loss.backward()
            optimizer.step()
            torch_xla.sync()

    becomes

        import torch_xla
        device = torch_xla.device()
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        data = torch.utils.data.TensorDataset(torch.zeros(8, 4), torch.zeros(8))
        for x, y in pl.MpDeviceLoader(DataLoader(data, batch_size=4), device):
            loss = (model(x) - y).mean()
            loss.backward()
            optimizer.step()

    ## When it is wrong
    An exception in the dataset ends the epoch early and silently (measured on torch_xla 2.9), which is why
    only datasets in memory are safe. With `num_workers=0`, random transforms would draw from the generator of
    the main thread, in another order at each run. Each iteration over the wrapper starts a few threads, which end
    with it; wrapping again in each epoch costs nothing that could be measured.

    ## When it is left alone
    Loops that end early; batches that are objects, that come only partly to the device, or that are used on the host as
    well; a dataset or a collate function of one's own; a loader that is also iterated by hand or within itself, and one
    that is wrapped already.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, PyTorch on XLA devices: https://docs.pytorch.org/xla/release/r2.8/learn/pytorch-on-xla-devices.html

    ## Related
    XP201, XP213, XP105, XP606.
    """

    code = "XP202"
    name = "device-loader"
    summary = "MpDeviceLoader brings batches to the device in the background"
    applicability = Applicability.SAFE
    traits = (Trait.OWN_LOADER,)
    words = (".to(", "Loader")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each step loop over a loader that can be wrapped."""
        for loop in context.loops.all():
            if not isinstance(loop.node, ast.For):
                continue
            iterated = plain_loader.iterated(context, loop.node)
            if loop.cut_by_loader:
                yield from self._cut_twice(context, loop, iterated)
                continue
            loader = plain_loader.plain_loader(context, iterated)
            if loader is None or not self._runs_to_its_end(loop):
                continue
            if traces_around(context, loop.node):
                continue  # the wrapper cuts the graph at each batch, which raises in a trace
            if self._iterated_by_hand(context, iterated) or self._iterated_around(context, loop.node, iterated):
                continue
            moves = batch_moves(context, loop.node)
            if moves is None or not is_accelerator(context, moves.devices[0]):
                continue
            if self._is_bound_behind(context, iterated, loop.node, moves.devices[0]):
                continue
            yield self._finding(context, loop, iterated, loader, moves)

    def _finding(
        self,
        context: Context,
        loop: StepLoop,
        iterated: ast.expr,
        loader: plain_loader.PlainLoader,
        moves: Moves,
    ) -> Finding:
        wrapper, imports = context.symbol("device_loader", loop.node)
        text, device = context.module.segment(iterated), context.module.segment(moves.devices[0])
        edits: list[Edit] = [Replace(context.span(iterated), f"{wrapper}({text}, {device})")]
        edits += with_comments(context, moves.edits)
        barriers = self._idle_barriers(context, loop)
        edits += [RemoveStatement(context.span(statement)) for statement in barriers]
        doubt = " ".join(loader.doubts)
        return self.finding(
            context.span(iterated),
            say("XP202.unsafe", wrapper=wrapper, doubt=doubt) if doubt else say("XP202.waits", wrapper=wrapper),
            *edits,
            imports=imports,
            applicability=Applicability.UNSAFE if doubt else Applicability.SAFE,
        )

    def _cut_twice(self, context: Context, loop: StepLoop, iterated: ast.expr) -> Iterator[Finding]:
        """The barrier that an earlier round left at the end, where a read stood in the body at that time."""
        wrapper, _ = context.symbol("device_loader", loop.node)
        if not isinstance(iterated, ast.Call) or len(iterated.args) != 2 or iterated.keywords:
            return
        if context.resolve(iterated.func) == context.target.symbol("device_loader").qualified:
            for statement in self._idle_barriers(context, loop):
                yield self.finding(
                    context.span(statement),
                    say("XP202.twice", wrapper=wrapper),
                    RemoveStatement(context.span(statement)),
                )

    def _idle_barriers(self, context: Context, loop: StepLoop) -> list[ast.stmt]:
        """A barrier at the end of a body without reads does what the wrapper does for the next batch."""
        body = loop.node.body
        if len(loop.barriers) != 1 or len(body) < 2:
            return []
        if context.reads.within(body) or context.loops.calls_what_reads(body):
            return []
        # What is added to on the device may as well stand behind it.
        last = next((s for s in reversed(body) if not isinstance(s, ast.AugAssign)), None)
        return [last] if isinstance(last, ast.Expr) and last.value is loop.barriers[0] else []

    # -- the loop --------------------------------------------------------------------------------------

    def _runs_to_its_end(self, loop: StepLoop) -> bool:
        """No statement leaves the loop: the wrapper would have taken more batches than were used."""
        todo: list[ast.AST] = [*loop.node.body]
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Yield | ast.YieldFrom | ast.Await):
                return False
            if isinstance(node, ast.For | ast.AsyncFor | ast.While):
                inner = list(walk_block([*node.body, *node.orelse]))
                if any(isinstance(n, ast.Return | ast.Raise | ast.Yield | ast.YieldFrom) for n in inner):
                    return False
                continue
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                todo.extend(ast.iter_child_nodes(node))
        return True

    def _iterated_by_hand(self, context: Context, iterated: ast.expr) -> bool:
        """``iter(loader)``, ``zip(loader, …)`` of the same name somewhere."""
        if not isinstance(iterated, ast.Name):
            return False
        home = context.names.home(iterated)
        if home is None:
            return True
        for use in context.names.uses(home, iterated.id):
            parent = context.module.parents[use]
            if (
                isinstance(parent, ast.Call)
                and use in parent.args
                and context.resolve(parent.func) in plain_loader.ITERATING
            ):
                return True
        return False

    def _is_bound_behind(self, context: Context, iterated: ast.expr, loop: ast.For, device: ast.expr) -> bool:
        """Whether a name of the device is bound between the bar that the loader stands in and the loop."""
        first = context.module.statement(iterated)
        if first is loop:
            return False
        block = context.module.block(loop)
        start = block.index(first) if first in block else 0  # `with tqdm(loader) as bar:`
        names = {node.id for node in ast.walk(device) if isinstance(node, ast.Name)}
        return any(names & binds(statement) for statement in block[start : block.index(loop)])

    def _iterated_around(self, context: Context, node: ast.For, iterated: ast.expr) -> bool:
        """Whether a loop around this one goes through the same loader, which would prefetch for both."""
        same = ast.dump(iterated)
        around = (p for p in context.module.ancestors(node) if isinstance(p, ast.For))
        return any(ast.dump(plain_loader.iterated(context, outer)) == same for outer in around)
