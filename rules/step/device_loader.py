"""XP202: the loader that feeds the device in the background."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.loops import LoopKind, StepLoop
from xlaport.facts.module import walk_block
from xlaport.rule import Applicability, Edit, Finding, RemoveStatement, Replace, Rule

from . import plain_loader
from .batch_device import destination, is_accelerator
from .traces import traces_around


@dataclass(frozen=True)
class _Moves:
    """How a loop's body brings its batch to the device."""

    device: ast.expr
    statements: list[ast.stmt]
    """Those that do nothing else."""


class DeviceLoader(Rule):
    """Let `MpDeviceLoader` bring the batches to the device.

    ## What it does
    Wraps a plain `DataLoader` where a step loop iterates it, and removes the statement that moves the batch:
    the wrapper loads and copies the next batches in the background. It also cuts the graph at each batch, so
    a barrier at the end of a loop that reads no values goes.

    The fix is safe where all of this is known: each origin of the loader is a `DataLoader` call with the
    default batching; its dataset yields tuples of tensors from memory (`TensorDataset`, MNIST, CIFAR …); it has
    worker processes, or transforms without random numbers; the loop runs to its end; the batch is unpacked and
    moved as a whole. Where the dataset or the workers are unknown, the fix is unsafe. Otherwise there is none:
    with `break`, the wrapper has taken more batches than were used; a barrier per batch does not suit gradient
    accumulation; and batches other than tuples, lists and dicts come out changed.

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
    the main thread, in another order at each run. Each pass over the wrapper starts a few threads, which end
    with it; wrapping anew in each epoch costs nothing that could be measured.

    ## When it is left alone
    Loops that end early; batches that are objects, that come only partly to the device, or that are used on the host as
    well; a dataset or a collate function of one's own; gradient accumulation; a loader that is also iterated by hand or
    within itself, and one that is wrapped already.

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
    words = (".to(",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each step loop over a loader that can be wrapped."""
        for loop in context.loops.all():
            if not isinstance(loop.node, ast.For) or loop.cut_by_loader:
                continue
            iterated = plain_loader.iterated(context, loop.node)
            loader = plain_loader.plain_loader(context, iterated)
            if loader is None or not self._runs_to_its_end(loop) or self._accumulates(context, loop):
                continue
            if traces_around(context, loop.node):
                continue  # the wrapper cuts the graph at each batch, which raises in a trace
            if self._iterated_by_hand(context, iterated) or self._iterated_around(context, loop.node, iterated):
                continue
            moves = self._moves(context, loop.node)
            if moves is None or not is_accelerator(context, moves.device):
                continue
            yield self._finding(context, loop, iterated, loader, moves)

    def _finding(
        self,
        context: Context,
        loop: StepLoop,
        iterated: ast.expr,
        loader: plain_loader.PlainLoader,
        moves: _Moves,
    ) -> Finding:
        wrapper, imports = context.symbol("device_loader", loop.node)
        text, device = context.module.segment(iterated), context.module.segment(moves.device)
        edits: list[Edit] = [Replace(context.span(iterated), f"{wrapper}({text}, {device})")]
        edits += [RemoveStatement(context.span(statement)) for statement in moves.statements]
        barriers = self._idle_barriers(context, loop)
        edits += [RemoveStatement(context.span(statement)) for statement in barriers]
        message = f"{wrapper}() loads the next batches and copies them to the device while this one is computed"
        if barriers:
            message += ", and cuts the graph at each batch, as the barrier at the end did"
        doubt = loader.doubts
        if doubt:
            message += f"; unsafe, since {' and '.join(doubt)}"
        return self.finding(
            context.span(iterated),
            message,
            *edits,
            imports=imports,
            applicability=Applicability.UNSAFE if doubt else Applicability.SAFE,
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

    def _accumulates(self, context: Context, loop: StepLoop) -> bool:
        """The optimizer steps under a condition: the wrapper would cut the graph at each batch all the same."""
        if loop.kind is not LoopKind.TRAIN:
            return False
        for parent in context.module.ancestors(loop.evidence):
            if parent is loop.node:
                return context.steps.passes.accumulation(loop) is not None
            if isinstance(parent, ast.If | ast.IfExp | ast.BoolOp | ast.For | ast.While):
                return True
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

    def _iterated_around(self, context: Context, node: ast.For, iterated: ast.expr) -> bool:
        """Whether a loop around this one goes through the same loader, which would prefetch for both."""
        same = ast.dump(iterated)
        around = (p for p in context.module.ancestors(node) if isinstance(p, ast.For))
        return any(ast.dump(plain_loader.iterated(context, outer)) == same for outer in around)

    # -- the batch -------------------------------------------------------------------------------------

    def _moves(self, context: Context, node: ast.For) -> _Moves | None:
        """How the batch comes to the device; None unless all of it that is used does, and before it is used."""
        names = self._batch_names(context, node)
        if names is None:
            return None
        whole = self._is_whole(names, node)
        moved: dict[str, ast.expr] = {}
        pure: list[ast.stmt] = []
        for statement in node.body:
            pairs = self._whole_move(statement) if whole else self._pure_move(statement)
            if pairs is not None and all(name in names for name, _ in pairs):
                moved.update(pairs)
                pure.append(statement)
                continue
            if self._uses_host_batch(context, statement, names - set(moved)):
                return None
            names -= self._rebound(statement)
        devices = list(moved.values())
        if not devices or any(ast.dump(d) != ast.dump(devices[0]) for d in devices):
            return None
        if self._bound_inside(devices[0], node):
            return None
        return _Moves(devices[0], pure)

    def _batch_names(self, context: Context, node: ast.For) -> set[str] | None:
        """The names that the batch is unpacked into, in the header of the loop."""
        target: ast.expr = node.target
        calls = (n for n in ast.walk(node.iter) if isinstance(n, ast.Call))
        if any(context.resolve(call.func) == "builtins.enumerate" for call in calls):
            if not isinstance(target, ast.Tuple) or len(target.elts) != 2:
                return None
            target = target.elts[1]
        if isinstance(target, ast.Name):
            return {target.id}  # a tensor, or a dict: what is done with it will show
        elements = target.elts if isinstance(target, ast.Tuple | ast.List) else []
        names = {e.id for e in elements if isinstance(e, ast.Name)}
        return names if elements and len(names) == len(elements) else None

    def _is_whole(self, names: set[str], node: ast.For) -> bool:
        """Whether the batch has one name, with all its parts in it."""
        target = node.target.elts[-1] if isinstance(node.target, ast.Tuple) and node.target.elts else node.target
        return isinstance(target, ast.Name) and names == {target.id}

    def _whole_move(self, statement: ast.stmt) -> list[tuple[str, ast.expr]] | None:
        """``batch = {k: v.to(device) for k, v in batch.items()}``: what has a `.to()` of its own may be anything."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        target, value = statement.targets[0], statement.value
        if not isinstance(target, ast.Name) or not isinstance(value, ast.DictComp):
            return None
        device = self._moves_items(value, target.id)
        return [(target.id, device)] if device is not None else None

    def _pure_move(self, statement: ast.stmt) -> list[tuple[str, ast.expr]] | None:
        """``x = x.to(device)``, ``x, y = x.to(device), y.to(device)``: the names and their device."""
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        target, value = statement.targets[0], statement.value
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        if len(targets) != len(parts):
            return None
        pairs: list[tuple[str, ast.expr]] = []
        for name, part in zip(targets, parts, strict=True):
            device = destination(part)
            if device is None or not isinstance(name, ast.Name) or not isinstance(part, ast.Call):
                return None
            assert isinstance(part.func, ast.Attribute)
            if not isinstance(part.func.value, ast.Name) or part.func.value.id != name.id:
                return None
            pairs.append((name.id, device))
        return pairs

    def _moves_items(self, node: ast.DictComp, name: str) -> ast.expr | None:
        """The device of ``{k: v.to(device) for k, v in batch.items()}``."""
        generator = node.generators[0]
        source, pair = generator.iter, generator.target
        if len(node.generators) != 1 or generator.ifs or not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
            return None
        items = isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute) and source.func.attr == "items"
        if not (items and isinstance(source, ast.Call) and isinstance(source.func, ast.Attribute)):
            return None
        whole = isinstance(source.func.value, ast.Name) and source.func.value.id == name
        device = destination(node.value)
        func = node.value.func if isinstance(node.value, ast.Call) else None
        moved = func.value if device is not None and isinstance(func, ast.Attribute) else None
        key, value = pair.elts
        same = _is_name(node.key, key) and moved is not None and _is_name(moved, value)
        return device if whole and same else None

    def _uses_host_batch(self, context: Context, statement: ast.stmt, names: set[str]) -> bool:
        """Whether a statement uses a part of the batch that is still on the host, for more than its size."""
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names:
                parent = context.module.parents[node]
                is_size = isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.len"
                is_shape = isinstance(parent, ast.Attribute) and parent.attr in ("shape", "size", "ndim", "dtype")
                if not is_size and not is_shape:
                    return True
        return False

    def _rebound(self, statement: ast.stmt) -> set[str]:
        return {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}

    def _bound_inside(self, device: ast.expr, node: ast.For) -> bool:
        used = {n.id for n in ast.walk(device) if isinstance(n, ast.Name)}
        return bool(
            used & {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        )


def _is_name(node: ast.expr, other: ast.expr) -> bool:
    return isinstance(node, ast.Name) and isinstance(other, ast.Name) and node.id == other.id
