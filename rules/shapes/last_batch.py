"""XP420: a last batch that is smaller than the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loops import LoopKind, StepLoop
from xlaport.facts.module import LoopNode
from xlaport.facts.reach import Spot
from xlaport.facts.trials import is_test
from xlaport.rule import Applicability, Finding, Harm, Rule

from .. import host_only
from ..step.plain_loader import Options, iterated, made
from . import epoch_end
from .data_sizes import batch_size, samples, usual_batch_size
from .epoch_sums import divided_by_all
from .own_shapes import Shapes, shapes
from .saying import say

_LARGE = 10000
"""Batches of as many samples may be a large part of an epoch."""


class LastBatch(Rule):
    """Report loaders of training steps whose last batch may be smaller.

    ## What it does
    Finds the `DataLoader` of a training loop, or one of several under `zip()`, that has neither `drop_last=True` nor a
    batch sampler of its own.

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
    Loaders with `drop_last=True` or a batch sampler, batches of one sample or of all, batches that have shapes of their
    own anyway, and tests.

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
    words = ("for",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each loader of a training loop."""
        if host_only.stays_on_host(context) or host_only.is_test(context):
            return
        seen: set[ast.AST] = set()
        for loop in context.loops.all():
            if loop.kind is not LoopKind.TRAIN or not isinstance(loop.node, ast.For):
                continue
            several = _gone_through(context, loop.node)
            for spot, options in (each for loader in several for each in made(context, loader) or []):
                if spot.node in seen or is_test(spot.facts) or not _may_be_smaller(options):
                    continue
                if epoch_end.leaves_before(context, loop.node, _sizes(options)) or _rest(context, options) == 0:
                    continue
                if epoch_end.pads(context, loop.node, _sizes(options)):
                    continue
                known = shapes(context, options)
                if known is not Shapes.OWN:
                    seen.add(spot.node)
                    yield self._finding(context, loop, spot, options, list(_conditions(options, known, several)))

    def _finding(
        self, context: Context, loop: StepLoop, spot: Spot, options: Options, conditions: list[str]
    ) -> Finding:
        assert isinstance(loop.node, ast.For)
        own = spot.facts is context.view.own
        where = "" if own else say.phrase("of_loader", line=context.line_of(spot.facts, spot.node))
        rest, size = _rest(context, options), "` or `".join(_sizes(options))
        advice = [*_advice(context, loop.node, options, size), *_counting(context, loop.node, options)]
        recipe = " ".join([*advice, *_evaluated(context, spot), *conditions])
        text = (
            say("XP420.may", where=where, size=size, recipe=recipe)
            if rest is None
            else say("XP420.has", where=where, rest=rest, size=batch_size(context, options), recipe=recipe)
        )
        return self.finding(context.place(spot.node if own else loop.node.iter), text)


def _conditions(options: Options, known: Shapes, several: list[ast.expr]) -> Iterator[str]:
    """What has to be so for the last batch to cost anything, where that is not known."""
    if known is Shapes.UNSURE:
        collates = "` or `".join(dict.fromkeys(ast.unparse(spot.node) for spot in options.get("collate_fn", [])))
        yield say.phrase("if_of_one_shape", collates=collates)
    if len(several) > 1:
        yield say.phrase("if_shortest")


def _gone_through(context: Context, loop: ast.For) -> list[ast.expr]:
    """The loader of a loop, or those that it goes through side by side: ``zip(first, second)``."""
    found = iterated(context, loop)
    if isinstance(found, ast.Call) and context.resolve(found.func) == "builtins.zip":
        return [argument for argument in found.args if not isinstance(argument, ast.Starred)]
    return [found]


def _advice(context: Context, loop: ast.For, options: Options, size: str) -> Iterator[str]:
    usual = usual_batch_size(context, options)
    if usual is not None and usual >= _LARGE and _rest(context, options) is None:
        yield say.phrase("large_batches", size=size, samples=usual - 1)
        return
    yield epoch_end.advice(context, loop, options, size)
    divided = divided_by_all(context, loop, options)
    if divided is not None:
        yield say.phrase("divided_by_all", line=context.line(divided), count=ast.unparse(divided))


def _rest(context: Context, options: Options) -> int | None:
    """How many samples the last batch has, where that is known; 0: as many as the others, or there are no others."""
    number, size = samples(context, options), batch_size(context, options)
    if number is None or size is None or size <= 0:
        return None
    return number % size if size < number else 0


def _sizes(options: Options) -> list[str]:
    return list(dict.fromkeys(ast.unparse(spot.node) for spot in options["batch_size"]))


def _counting(context: Context, loop: LoopNode, options: Options) -> Iterator[str]:
    """What else has to change where the loop counts the smaller batch, too."""
    number = epoch_end.counted_by_ceil(context, loop, _sizes(options))
    if number is not None:
        yield say.phrase("rounded_up", line=context.line(number))


def _evaluated(context: Context, spot: Spot) -> Iterator[str]:
    """What to say where a loop of the file evaluates on the batches of the same loader."""
    for loop in context.loops.all():
        if loop.kind is LoopKind.TRAIN or not isinstance(loop.node, ast.For):
            continue
        if any(other.node is spot.node for other, _ in made(context, iterated(context, loop.node)) or []):
            yield say.phrase("evaluated_too", line=context.line(loop.node))
            return


def _may_be_smaller(options: Options) -> bool:
    if "batch_sampler" in options or any(not _is(spot.node, False) for spot in options.get("drop_last", [])):
        return False
    sizes = [spot.node for spot in options.get("batch_size", [])]
    return bool(sizes) and not any(_is(size, 1) or _is(size, None) or _is_of_all(size) for size in sizes)


def _is(node: ast.expr, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def _is_of_all(size: ast.expr) -> bool:
    """``batch_size=len(data)``: one batch."""
    return any(isinstance(n, ast.Name) and n.id == "len" for n in ast.walk(size))
