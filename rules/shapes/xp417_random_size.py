"""XP417: batches of a size that is drawn for each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.value import How
from xlaport.context import Context
from xlaport.facts.collating import Collating
from xlaport.facts.module import FunctionNode
from xlaport.facts.structure import CallSite
from xlaport.rule import Applicability, Finding, Harm, Rule

from .._lib import host_only
from .._lib.one_line import one_line
from .._lib.shapes.saying import say

_VISION = "torchvision.transforms.functional."
_SIZES = {
    "torch.nn.functional.interpolate": (("size", "scale_factor"), 1),
    f"{_VISION}resize": (("size",), 1),
    f"{_VISION}center_crop": (("output_size",), 1),
    f"{_VISION}crop": (("height", "width"), 3),
    f"{_VISION}resized_crop": (("size",), 5),
    "torchvision.transforms.Resize": (("size",), 0),
    "torchvision.transforms.RandomCrop": (("size",), 0),
    "torchvision.transforms.CenterCrop": (("size",), 0),
}
"""Functions that give an image another size: their parameters for it, and the position of the first."""


class RandomSize(Rule):
    """Report batches whose size is drawn at random.

    ## What it does
    Finds sizes that are drawn where batches are made, in what a `DataLoader` takes as its `collate_fn`: images that are
    resized or cropped to `random.choice(sizes)` or `random.randint(…)`, as in training at several scales. XP401 finds
    those that are drawn in the steps themselves.

    ## Why
    A graph is for batches of one size: each new size recompiles the step, for seconds to minutes on a TPU. A few sizes
    are fine, since each is compiled once; any size is not.

    ## Example
        import random

        def collate(images):
            size = random.randint(32, 96)
            return nn.functional.interpolate(torch.stack(images), size=size)

        loader = DataLoader(torch.zeros(64, 3, 64, 64), batch_size=8, collate_fn=collate)

    is reported. Three sizes, which are three graphs:

        size = random.choice([32, 64, 96])

    ## When it is wrong
    Where the sizes are few, and all come soon.

    ## When it is left alone
    Sizes that are fixed, and those that are drawn in steps, of which XP401 speaks.

    ## Sources
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP401, XP413, XP420.
    """

    code = "XP417"
    name = "random-size"
    summary = "batches of a size that is drawn"
    applicability = Applicability.MANUAL
    harm = Harm.RECOMPILES
    words = ("interpolate", "resize", "Resize", "crop", "Crop")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each drawn size of what makes batches."""
        if host_only.stays_on_host(context):
            return
        collating = Collating(context.flow.structure)
        found: set[ast.Call] = set()
        for call in context.module.calls:
            function = context.module.function(call)
            drawn = next((draw for size in _sizes(context, call) if (draw := _drawn(context, size))), None)
            if drawn is None or drawn.node in found or not isinstance(function, FunctionNode):
                continue
            if collating.loader_of(context.view.own, function) is not None:
                found.add(drawn.node)
                line = context.line_of(drawn.facts, drawn.node)
                text = say("XP417.drawn", draw=one_line(context.of(drawn.facts), drawn.node), line=line)
                yield self.finding(context.place(call), text)


def _sizes(context: Context, call: ast.Call) -> Iterator[ast.expr]:
    """The arguments of a call that say how large the image is that it gives."""
    names, first = _SIZES.get(context.called(call) or "", ((), 0))
    yield from call.args[first : first + len(names)]
    yield from (k.value for k in call.keywords if k.arg in names)


def _drawn(context: Context, size: ast.expr) -> CallSite | None:
    """The call that draws a number that a size is made of."""
    structure, own = context.flow.structure, context.view.own
    values = (structure.value(own, part) for part in ast.walk(size))
    turns = sorted(turn for value in values if value is not None for turn in value.turns if turn.how is How.DRAWN)
    return next((made for turn in turns if (made := structure.made_there(own, turn.site)) is not None), None)
