"""XP420: a last batch that is smaller than the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loaders import Loader, loaders_of
from xlaport.facts.loops import LoopKind, StepLoop
from xlaport.facts.module import LoopNode
from xlaport.facts.trials import is_test
from xlaport.rule import Applicability, Finding, Harm, Rule

from ..._lib import host_only
from ..._lib.shapes.saying import say
from . import epoch_end
from .data_sizes import batch_size, samples, usual_batch_size
from .epoch_sums import divided_by_all
from .own_shapes import Shapes, shapes

_NEXT = "builtins.next"
_Taken = tuple[ast.expr, list[Loader]]
"""What gives batches to a loop, and the loaders that these come from."""
_LARGE = 10000
"""Batches of as many samples may be a large part of an epoch."""


class LastBatch(Rule):
    """Report loaders of training steps whose last batch may be smaller.

    ## What it does
    Finds the `DataLoader` of a training loop that has neither `drop_last=True` nor a batch sampler of its own: one of
    several under `zip()`, one in a dict or a named tuple, one behind a generator or `next()`.

    ## Why
    Where the batch size does not divide the number of samples, the last batch of each epoch has another shape, and a
    graph is for batches of one shape: the step recompiles once, in the first epoch, and for each other size that the
    last batch ever has.

    ## Example
        model = nn.Linear(4, 2).to("xla")
        opt = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(10, 4), batch_size=4, shuffle=True):
            loss = model(x.to("xla")).sum()
            opt.zero_grad()
            loss.backward()
            opt.step()

    is reported: the third batch has two samples. With `drop_last=True` all have four, and since the samples are
    shuffled, each epoch leaves out others. It is not written for you, since an epoch then sees fewer samples.

        model = nn.Linear(4, 2).to("xla")
        opt = torch.optim.SGD(model.parameters(), lr=0.1)
        for x in DataLoader(torch.zeros(10, 4), batch_size=4, shuffle=True, drop_last=True):
            loss = model(x.to("xla")).sum()
            opt.zero_grad()
            loss.backward()
            opt.step()

    ## When it is wrong
    Where the batch size divides the number of samples, which only the run knows, but for a few data sets of
    torchvision's; where no sample may be left out, pad the last batch to the full size and mask what was added. Where
    batches are padded to the longest, or join samples of any size, as `dgl.batch()` does graphs, all of them have
    shapes of their own, and nothing is said here (XP413 says what to do about padding); where the loop is left after
    `len(data) // batch_size` batches, the last one is no step.

    ## When it is left alone
    Loaders with `drop_last=True` or a batch sampler, a random sampler that is told how many samples to draw, batches of
    one sample or of all, batches that have shapes of their own anyway, and tests.

    ## Sources
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP413, XP417.
    """

    code = "XP420"
    name = "smaller-last-batch"
    summary = "the last batch of an epoch may have another shape"
    applicability = Applicability.MANUAL
    harm = Harm.RECOMPILES
    words = ("for", "next")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each loader of a training loop."""
        if host_only.stays_on_host(context) or host_only.is_test(context):
            return
        seen: set[ast.AST] = set()
        for loop in context.loops.all():
            if loop.kind is not LoopKind.TRAIN:
                continue
            gone_through, taken = _gone_through(context, loop.node), _taken(context, loop.node)
            several = len({tuple(loader.site for loader in loaders) for _, loaders in gone_through}) > 1
            for place, loader in ((p, loader) for p, loaders in (*gone_through, *taken) for loader in loaders):
                if loader.node in seen or is_test(loader.facts) or not _may_be_smaller(loader):
                    continue
                if epoch_end.leaves_before(context, loop.node, [_size(loader)]) or _rest(context, loader) == 0:
                    continue
                if epoch_end.pads(context, loop.node, [_size(loader)]) or epoch_end.is_long_as_told(context, loader):
                    continue
                known = shapes(context, loader)
                if known is not Shapes.OWN:
                    seen.add(loader.node)
                    yield self._finding(context, loop, loader, place, list(_conditions(loader, known, several)))

    def _finding(
        self, context: Context, loop: StepLoop, loader: Loader, place: ast.expr, conditions: list[str]
    ) -> Finding:
        own = loader.facts is context.view.own
        where = "" if own else say.phrase("of_loader", line=context.line_of(loader.facts, loader.node))
        rest, size = _rest(context, loader), _size(loader)
        advice = [*_advice(context, loop.node, loader, size), *_counting(context, loop.node, loader)]
        recipe = " ".join([*advice, *_evaluated(context, loader), *conditions])
        text = (
            say("XP420.may", where=where, size=size, recipe=recipe)
            if rest is None
            else say("XP420.has", where=where, rest=rest, size=batch_size(context, loader), recipe=recipe)
        )
        return self.finding(context.place(loader.node if own else place), text)


def _gone_through(context: Context, loop: LoopNode) -> list[_Taken]:
    """The loaders that a loop goes through: of ``zip(first, second)``, those of each."""
    names = [n for n in ast.walk(loop.target) if isinstance(n, ast.Name)] if isinstance(loop, ast.For) else []
    found = (loaders_of(context.flow.structure, context.view.own, name) for name in names)
    return [(loop.iter, loaders) for loaders in found if loaders and isinstance(loop, ast.For)]


def _taken(context: Context, loop: LoopNode) -> list[_Taken]:
    """Those that a loop takes its batches from by ``next(batches)``; ``next(iter(loader))`` is always the first."""
    calls = (call for call in context.module.that_run(loop.body, ast.Call) if context.resolve(call.func) == _NEXT)
    iterators = [call.args[0] for call in calls if call.args and not isinstance(call.args[0], ast.Call)]
    return [(node, loaders_of(context.flow.structure, context.view.own, node)) for node in iterators]


def _conditions(loader: Loader, known: Shapes, several: bool) -> Iterator[str]:
    """What has to be so for the last batch to cost anything, where that is not known."""
    if known is Shapes.UNSURE:
        collates = ast.unparse(loader.written["collate_fn"].node) if "collate_fn" in loader.written else "collate_fn"
        yield say.phrase("if_of_one_shape", collates=collates)
    if several:
        yield say.phrase("if_shortest")


def _advice(context: Context, loop: LoopNode, loader: Loader, size: str) -> Iterator[str]:
    usual = usual_batch_size(context, loader)
    if usual is not None and usual >= _LARGE and _rest(context, loader) is None:
        yield say.phrase("large_batches", size=size, samples=usual - 1)
        return
    yield epoch_end.advice(context, loop, loader, size)
    divided = divided_by_all(context, loop, loader)
    if divided is not None:
        yield say.phrase("divided_by_all", line=context.line(divided), count=ast.unparse(divided))


def _rest(context: Context, loader: Loader) -> int | None:
    """How many samples the last batch has, where that is known; 0: as many as the others, or there are no others."""
    number, size = samples(context, loader), batch_size(context, loader)
    if number is None or size is None or size <= 0:
        return None
    return number % size if size < number else 0


def _size(loader: Loader) -> str:
    """The batch size as it is written in the call; of ``**options``, the number."""
    written, constant = loader.written.get("batch_size"), loader.given["batch_size"].constant
    return ast.unparse(written.node) if written is not None else "batch_size" if constant is None else str(constant)


def _counting(context: Context, loop: LoopNode, loader: Loader) -> Iterator[str]:
    """What else has to change where the loop counts the smaller batch, too."""
    number = epoch_end.counted_by_ceil(context, loop, [_size(loader)])
    if number is not None:
        yield say.phrase("rounded_up", line=context.line(number))


def _evaluated(context: Context, loader: Loader) -> Iterator[str]:
    """What to say where a loop of the file evaluates on the batches of the same loader."""
    for loop in context.loops.all():
        sites = (other.site for _, others in _gone_through(context, loop.node) for other in others)
        if loop.kind is not LoopKind.TRAIN and loader.site in sites:
            yield say.phrase("evaluated_too", line=context.line(loop.node))
            return


def _may_be_smaller(loader: Loader) -> bool:
    keeps_it = "drop_last" not in loader.given or loader.is_known("drop_last", False)
    if not keeps_it or loader.has("batch_sampler") or not loader.has("batch_size"):
        return False
    size = loader.written.get("batch_size")
    return loader.given["batch_size"].constant != 1 and (size is None or not _is_of_all(size.node))


def _is_of_all(size: ast.expr) -> bool:
    """``batch_size=len(data)``: one batch."""
    return any(isinstance(n, ast.Name) and n.id == "len" for n in ast.walk(size))
