"""XP401: a Python number that changes from step to step, in a place where it is baked into the graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.change import Cause, Change
from xlaport.facts.loops import LOOPS
from xlaport.facts.role import Role
from xlaport.facts.step_nodes import StepBody
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait
from xlaport.wording import Text

from ..._lib import host_only
from ..._lib.one_line import one_line
from ..._lib.shapes.advice import advice
from ..._lib.shapes.baked import baked
from ..._lib.shapes.by_tensor import by_tensor
from ..._lib.shapes.in_steps import in_steps
from ..._lib.shapes.placed import device_of
from ..._lib.shapes.places import Place
from ..._lib.shapes.read_numbers import read_numbers
from ..._lib.shapes.saying import say
from .of_objects import changes_objects


class ChangingNumber(Rule):
    """Report numbers that make a new graph in every step.

    ## What it does
    Finds Python numbers that change from step to step where they become a part of the graph: indices, slices,
    `torch.arange(n)` and other sizes, `roll`, `narrow`, `topk`, `pad`, `x ** n` … Such numbers are the counter of the
    step loop or of a loop around it, `step += 1`, `self.step += 1`, `random.randint(…)`, and what is computed from
    them, also through parameters. So is a loop inside of a step that runs `range(n)` times, and a layer or a token that
    a number drawn in such a loop chooses. Each is reported with the number's name and what to write.

    ## Why
    A graph is compiled for each new value, which takes from seconds to minutes on a TPU. Which places bake a number in
    is measured: the table `rules/shapes/numbers.toml` lists some 170, with the version of torch_xla. Most do not, and
    are never reported: `x * n`, `x + n`, `clamp`, `dropout(p=n)`, `full(…, n)`, the learning rate of an optimizer, a
    loss scale, an annealed weight. There, a number is an input of the graph; only 0, 1 and -1 have a graph of their
    own, once (a warm-up that starts at 0 costs one graph more).

    A tensor of positions is an input of the graph, too, but differs from a number: a store by it does not convert the
    dtype and keeps the dimension, and a part taken by it is a copy. A Python number in a comparison is an input, but
    where several iterations of a loop within a step compare, equal numbers become one input, and each other pattern of
    equal numbers recompiles: there the recipe compares with a tensor of one element.

    ## Example
        model = nn.Linear(4, 1).to(device)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        inputs = torch.randn(640, 4).to(device)
        for i in range(0, 640, 16):
            loss = model(inputs[i:i + 16]).mean()
            loss.backward()
            optimizer.step()

    is reported: 40 graphs for 40 values of `i`, instead of one. The same positions by a tensor:

        batch = inputs.index_select(0, torch.arange(16, device=inputs.device) + i)

    ## When it is wrong
    Where the number has few values, which all come soon: then it costs that many compilations, once. Counters of loops
    of four iterations or less, and `n % 4`, are left out for that reason.

    ## When it is left alone
    Numbers that the graph takes as an input (`x * n`, a learning rate); numbers that are drawn once, have few values,
    or start again in each step; sizes of tensors; what runs on the host or outside of steps.

    ## Sources
    - Measured on torch_xla 2.9: the table `rules/shapes/numbers.toml`.
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP404, XP402, XP417, XP422.
    """

    code = "XP401"
    name = "changing-number-in-graph"
    summary = "a number that changes is baked into the graph"
    applicability = Applicability.MANUAL
    harm = Harm.RECOMPILES
    words = ("for", "while", "def")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each number of a statement that is baked in."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for node in context.step_code.of_type(body, ast.For, ast.If, ast.IfExp):
            if not context.target.is_a(Trait.LAZY_GRAPH):
                break
            if isinstance(node, ast.For) and not context.step_code.counts_steps(node):
                yield from self._unrolled(context, node)
            elif isinstance(node, ast.If | ast.IfExp):
                yield from self._chosen(context, node, body)
        read = {p.number for g in read_numbers(context) for p in g} if "XP422" in context.codes else set()
        own = (g for g in baked(context, body) if g[0].number not in read)
        left = (g for g in own if "XP404" not in context.codes or by_tensor(context, g) is None)
        for first, *_ in left:
            yield self.finding(context.place(first.number), _told(context, first))

    # -- loops and branches ----------------------------------------------------------------------------

    def _unrolled(self, context: Context, node: ast.For) -> Iterator[Finding]:
        """``for _ in range(n)`` with device work, inside of a step."""
        if not isinstance(node.iter, ast.Call) or context.resolve(node.iter.func) != "builtins.range":
            return
        change = next((c for a in node.iter.args if (c := context.changing.of(a)) is not None), None)
        if change is None or not self._works(context, node.body):
            return
        line = context.line_of(change.facts, change.node)
        yield self.finding(context.span(node.iter), say("XP401.unrolled", name=change.name, line=line))

    def _chosen(self, context: Context, node: ast.If | ast.IfExp, body: StepBody) -> Iterator[Finding]:
        """``if random.random() < p`` in a loop inside of a step: 2, 4, 8 … graphs."""
        loop = self._inner_loop(context, node, body)
        drawn = self._drawn_in_test(context, node.test) if loop is not None else None
        if loop is None or drawn is None or loop is not self._inner_loop(context, drawn.node, body):
            return
        if isinstance(node, ast.IfExp):
            works = context.roles.is_(node, Role.TENSOR)
        else:
            skips = any(isinstance(statement, ast.Continue) for statement in node.body)
            both = [*node.body, *node.orelse]
            works = skips or (self._works(context, both) and not changes_objects(context, both))
        # A pass that reads from the device runs what it traced: no graph holds several passes.
        if works and not context.reads.within(loop.body):
            device = device_of(context, None, node)
            text = say("XP401.drawn", name=drawn.name, line=context.line(loop), device=device)
            yield self.finding(context.place(node.test), text)

    def _drawn_in_test(self, context: Context, test: ast.expr) -> Change | None:
        if isinstance(test, ast.Name):
            values = [b.value for b in context.names.reaching(test)]
            return self._drawn_in_test(context, values[0]) if len(values) == 1 and values[0] is not None else None
        for node in ast.walk(test):
            if isinstance(node, ast.Name | ast.Call):
                change = context.changing.of(node)
                if change is not None and change.cause is Cause.DRAWN:
                    return change
        return None

    def _inner_loop(self, context: Context, node: ast.AST, body: StepBody) -> ast.For | ast.AsyncFor | ast.While | None:
        """The innermost loop around a node that runs within one step."""
        for parent in context.module.ancestors(node):
            if parent is body.function or (body.loop is not None and parent is body.loop.node):
                return None
            if isinstance(parent, LOOPS):
                return parent
        return None

    def _works(self, context: Context, statements: list[ast.stmt]) -> bool:
        return any(context.steps.work.works(statement, None) for statement in statements)


def _told(context: Context, place: Place) -> Text:
    number, change = ast.unparse(place.number), place.change
    unless = ""
    if place.tensor is not None and not place.is_sure(context):
        unless = say.phrase("unless_a_list", tensor=one_line(context, place.tensor))
    line = context.line_of(change.facts, change.node)
    recipe = advice(context, place)
    return say("XP401.value", unless=unless, number=number, name=change.name, line=line, recipe=recipe)
