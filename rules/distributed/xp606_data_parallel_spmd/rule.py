"""XP606: a program for one device, as one that trains data-parallel on all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loaders import loaders_of
from xlaport.facts.loops import LoopKind, StepLoop
from xlaport.rule import Applicability, Edit, Finding, Import, InsertStatement, Rule, Trait
from xlaport.wording import Text

from ..._lib import host_only
from ..._lib.distributed import before_launch, input_sharding, names
from ..._lib.distributed.saying import say
from ..._lib.main_guard import main_guard
from ..._lib.step import plain_loader
from . import by_batch, other_processes

_WRAPS = "XP202"
_AXIS = "data"


class DataParallelSpmd(Rule):
    """Train on all chips of a host in one process. Only where it is selected: `--select XP,XP606 --unsafe`.

    ## What it does
    Makes a program for one device a data-parallel one for all chips of a host, by SPMD: `xr.use_spmd()` runs before
    anything touches the device, and each `MpDeviceLoader` gets an `input_sharding` that divides a batch over the chips
    by its first dimension. Weights, optimizer and everything else stay as they are: they are whole to the program,
    each chip holds a copy, and the compiler adds the sums of the gradients.

    Where the dimensions of the batch's tensors are known, the sharding is written out. Where they are not, the file
    gets a small class that asks each tensor, which works for the tuples and dicts of every `DataLoader` with the
    default batching. It comes after XP202, which writes the `MpDeviceLoader`; loops that have none get a recipe.

    Nothing is rewritten, and the reason is said, where the program has to do with several processes or devices
    (`torch.distributed`, `torch_xla.launch()`, a framework), where its step loops are spread over several files, and
    where a loader is not seen to be a `DataLoader` with the default batching. `nn.DataParallel(model)` is no obstacle:
    it passes on to the model where there is no GPU, and SPMD divides the batch as it would.

    ## Why
    A program for one device leaves the other chips of a host idle: 3 of 4, or 7 of 8. Several processes would each
    need a rank, a sampler, a sum of the gradients and a share of the batch size. SPMD needs none of that: the program
    still sees one device and the whole batch, and **the batch size in the script is that of all chips together**.
    So the losses are those of one device, batch normalization has the statistics of the whole batch, and what is
    printed and saved happens once. To gain by it, the batch has to be large enough for each chip to be busy with its
    part: by a larger one, with a learning rate to match, training takes fewer steps.

    ## Example
        import torch_xla
        import torch_xla.distributed.parallel_loader as pl
        from torch.utils.data import DataLoader, TensorDataset

        def main():
            device = torch_xla.device()
            model = nn.Linear(4, 1).to(device)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            loader = DataLoader(TensorDataset(torch.zeros(64, 4), torch.zeros(64, 1)), batch_size=16)
            for x, y in pl.MpDeviceLoader(
                loader, device
            ):
                loss = (model(x) - y).pow(2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()

        if __name__ == "__main__":
            main()

    becomes

        import torch_xla
        import torch_xla.distributed.parallel_loader as pl
        from torch.utils.data import DataLoader, TensorDataset

        def main():
            device = torch_xla.device()
            model = nn.Linear(4, 1).to(device)
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
            loader = DataLoader(TensorDataset(torch.zeros(64, 4), torch.zeros(64, 1)), batch_size=16)
            for x, y in pl.MpDeviceLoader(
                loader, device, input_sharding=xs.ShardingSpec(xs.get_1d_mesh("data"), ("data", None))
            ):
                loss = (model(x) - y).pow(2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()

        if __name__ == "__main__":
            xr.use_spmd()
            main()

    ## When it is wrong
    Measured on torch_xla 2.9, on four virtual devices of XLA:CPU: losses are those of one device to the sixth digit,
    with dropout (the random numbers are those of one device), with batch normalization, and where the last batch
    cannot be divided evenly (10, 3 or 1 samples for 4 devices). Sums are taken in another order, so the fix is unsafe.
    A tensor with fewer dimensions than a sharding that is written out (labels beside images) is whole on each chip,
    which changes no value. So is what comes to the device by hand, and not by the loader, until it is marked. The
    program runs on one host; with several, each would need its share of the data. A Pallas kernel (`flash_attention()`)
    has to be told how its tensors are divided.

    ## When it is left alone
    Without its code in `--select`, all. With it: programs of several processes, programs for the CPU, programs that use
    SPMD already, loops in another file, and loaders that are not seen to be plain.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, SPMD user guide: https://docs.pytorch.org/xla/release/r2.8/perf/spmd_basic.html
    - PyTorch/XLA, SPMD advanced topics: https://docs.pytorch.org/xla/release/r2.8/perf/spmd_advanced.html

    ## Related
    XP202, XP601, XP603.
    """

    code = "XP606"
    name = "data-parallel-spmd"
    summary = "a script for one device trains on all chips of a host, in one process"
    applicability = Applicability.UNSAFE
    traits = (Trait.OWN_PROCESSES,)
    words = ("DataLoader", "DeviceLoader", ".to(")
    on_request = True
    residual = True

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for the program, and one for each loop that no device loader feeds."""
        waiting = any(finding.code == _WRAPS and finding.edits for finding in context.found)
        if waiting or host_only.stays_on_host(context):
            return
        is_spmd = any(input_sharding.is_spmd(there) for there in other_processes.files(context))
        trains = [loop for loop in context.loops.all() if loop.kind is LoopKind.TRAIN]
        if (is_spmd and not input_sharding.is_spmd(context)) or not trains:
            return
        unfed, loaders = self._unfed(context), input_sharding.device_loaders(context)
        place = loaders[0] if loaders else trains[0].evidence
        obstacle = other_processes.obstacle(context) if not is_spmd and (unfed or loaders) else None
        if obstacle is not None:
            why = obstacle.why
            said = _by_hand(context, why) if obstacle.by_hand else say("XP606.processes", why=why)
            yield self.finding(context.place(place), said)
            return
        is_fed = bool(loaders) and all(loop.kind is not LoopKind.TRAIN for loop in unfed)
        if is_fed and not is_spmd:
            yield self._program(context, loaders)
        for loop in unfed:
            yield self.finding(context.place(loop.evidence), _unfed(context, loop, is_spmd or is_fed))

    def _unfed(self, context: Context) -> list[StepLoop]:
        """The loops over batches that come to the device by hand."""
        marks = context.target.symbol("mark_sharding").qualified
        return [
            loop
            for loop in context.loops.all()
            if loop.kind is LoopKind.TRAIN or (loop.kind is LoopKind.EVAL and _names(context, loop))
            if not loop.cut_by_loader
            if not any(isinstance(n, ast.Call) and context.resolve(n.func) == marks for n in ast.walk(loop.node))
        ]

    def _program(self, context: Context, loaders: list[ast.Call]) -> Finding:
        edits: list[Edit] = []
        imports: list[Import] = []
        place = context.place(loaders[0])
        anchor, leading = _start(context)
        if anchor is None or leading is None:
            return self.finding(place, _by_hand(context, say.phrase("no_start")))
        unknown: list[ast.Call] = []
        for call in loaders:
            if plain_loader.plain_loader(context, call.args[0]) is None:
                return self.finding(place, _by_hand(context, say.phrase("no_loader", line=context.line(call))))
            found = input_sharding.divided(context, call, _AXIS)
            if found is None:
                unknown.append(call)
                found = by_batch.divided(context, call, _AXIS)
            edits.append(found[0])
            imports += found[1]
        spmd, more = context.symbol("use_spmd", leading)
        imports += more
        starts = InsertStatement(context.span(anchor), f"{spmd}()", before=True)
        if anchor is leading:
            starts = InsertStatement(context.span(anchor), f"\n{spmd}()")
        edits.append(starts)
        if unknown:
            helper = by_batch.defined(context, leading, _AXIS)
            if helper is None:
                return self.finding(place, _by_hand(context, say.phrase("no_name")))
            edits.append(helper[0])
            imports += helper[1]
        return self.finding(place, say("XP606.divided"), *edits, imports=tuple(imports))


def _start(context: Context) -> tuple[ast.stmt | None, ast.stmt | None]:
    """Where the program says that it is one for all chips, and the last of the imports that it starts with.

    The first is that import itself where the file uses the device as it is read.
    """
    body = context.module.tree.body
    leading: ast.stmt | None = None
    for statement in body:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if isinstance(statement, ast.Import | ast.ImportFrom):
            leading = statement
        elif not is_text:
            break
    guard = main_guard(context)
    if guard is not None and before_launch.touch(context, False) is None:
        return guard.body[0], leading
    runs = guard is not None or any(
        isinstance(s, ast.For | ast.While | ast.With) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Call))
        for s in body
    )
    return (leading if runs else None), leading


def _by_hand(context: Context, why: str) -> Text:
    symbols = names.spelled(context, "use_spmd", "mesh_of_all", "sharding_spec")
    return say("XP606.by_hand", why=why, axis=_AXIS, **symbols)


def _unfed(context: Context, loop: StepLoop, is_spmd: bool) -> Text:
    symbols = names.spelled(context, "use_spmd", "mesh_of_all", "mark_sharding")
    start = "" if is_spmd else say.phrase("spmd_first", **symbols)
    marks = [say.phrase("mark", name=name, axis=_AXIS, **symbols) for name in _names(context, loop) or ["batch"]]
    return say("XP606.unfed", start=start, axis=_AXIS, marks="\n".join(marks), **symbols)


def _names(context: Context, loop: StepLoop) -> list[str]:
    """What a loop over a `DataLoader` calls its batch; ``i`` of ``enumerate()`` is none. None over anything else."""
    if not isinstance(loop.node, ast.For) or not loaders_of(context.flow.structure, context.view.own, loop.node.iter):
        return []
    target = loop.node.target
    calls = (n for n in ast.walk(loop.node.iter) if isinstance(n, ast.Call))
    counts = any(context.resolve(call.func) == "builtins.enumerate" for call in calls)
    if counts and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target = target.elts[1]
    return [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
