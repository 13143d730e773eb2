"""XP417: batches of a size that is drawn for each of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.change import A_FEW
from xlaport.facts.collating import Collating
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.structure import Function, Structure
from xlaport.rule import Applicability, Finding, Harm, Rule

from .._lib import host_only
from .._lib.one_line import one_line
from .._lib.shapes.ragged import nodes_of
from .._lib.shapes.saying import say

_DRAWING = frozenset(
    [f"random.{name}" for name in "random randint randrange uniform choice".split()]
    + [f"numpy.random.{name}" for name in "random rand randint uniform choice".split()]
    + ["torch.randint", "torch.rand"]
)
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
_MAX_DEPTH = 5


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
    words = ("random", "randint")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each drawn size of what makes batches."""
        draws = any(context.resolve(call.func) in _DRAWING for call in context.module.calls)
        if not draws or host_only.stays_on_host(context):
            return
        collating = Collating(context.flow.structure)
        sizes = _Sizes(context.flow.structure)
        for function in context.module.of_type(ast.FunctionDef, ast.AsyncFunctionDef):
            sized: dict[ast.expr, ast.Call | ast.Subscript] = {}
            for node in nodes_of(Function(context.view.own, function)):
                drawn = _drawn_size(context, sizes, node)
                if drawn is not None:
                    sized.setdefault(drawn, node)
            site = collating.loader_of(context.view.own, function) if sized else None
            for drawn, node in sized.items() if site is not None else ():
                text = say("XP417.drawn", draw=one_line(context, drawn), line=context.line(drawn))
                yield self.finding(context.place(node), text)


def _drawn_size(context: Context, sizes: _Sizes, node: ast.AST) -> ast.expr | None:
    """The call that draws the size that a call gives to images; None where none does."""
    if not isinstance(node, ast.Call):
        return None
    for size in sizes.of(context.view.own, node, 0):
        drawn = _drawn(context, size, 0)
        if drawn is not None:
            return drawn
    return None


class _Sizes:
    """The arguments of calls that say how large the result is."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure
        self._parameters: dict[tuple[Function, int], frozenset[str]] = {}

    def of(self, facts: Facts, call: ast.Call, depth: int) -> Iterator[ast.expr]:
        """Those of a call, also of a function of the project that hands them on."""
        found = _SIZES.get(facts.names.resolve(call.func) or "")
        if found is not None:
            names, first = found
            yield from call.args[first : first + len(names)]
            yield from (k.value for k in call.keywords if k.arg in names)
            return
        function = self.structure.run_by(facts, call) if depth < _MAX_DEPTH else None
        if function is None or function.node.name == "__init__":
            return
        key = function, depth
        if key not in self._parameters:
            self._parameters[key] = frozenset(self._handed_on(function, depth))
        parameters = self._parameters[key]
        for argument in call.args if parameters else ():
            if self.structure.parameter_of(call, function, argument) in parameters:
                yield argument
        yield from (k.value for k in call.keywords if k.arg in parameters)

    def _handed_on(self, function: Function, depth: int) -> Iterator[str]:
        """The names in the sizes that the calls of a function give."""
        for node in nodes_of(function):
            for size in self.of(function.facts, node, depth + 1) if isinstance(node, ast.Call) else ():
                yield from (name.id for name in ast.walk(size) if isinstance(name, ast.Name))


def _drawn(context: Context, node: ast.expr, depth: int) -> ast.expr | None:
    """The call that draws a number that an expression is computed from."""
    if depth > _MAX_DEPTH:
        return None
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and context.resolve(part.func) in _DRAWING:
            return None if _has_few(part) else part
        values: list[ast.expr | None] = []
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            values = [b.value for b in context.names.reaching(part) if b.how is How.ASSIGN]
        elif isinstance(part, ast.Attribute):
            owner = context.roles.instance_class(part.value)
            values = context.roles.classes.attribute_values(owner, part.attr) if owner is not None else []
        for value in values:
            found = _drawn(context, value, depth + 1) if value is not None else None
            if found is not None:
                return found
    return None


def _has_few(call: ast.Call) -> bool:
    """``random.choice([32, 64, 96])``."""
    few = call.args[0] if call.args else None
    return isinstance(few, ast.List | ast.Tuple) and len(few.elts) <= A_FEW
