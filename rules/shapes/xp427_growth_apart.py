"""XP427: a sequence that grows, of which a model gets a window."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, InsertStatement, MoveStatement, Rule, Trait

from .._lib import host_only
from .._lib.shapes.growth import Growth, growths
from .._lib.shapes.saying import say


@dataclass(frozen=True)
class _Window:
    """The statements of a loop that cut a window of what grows, join it, and cut the graph."""

    cut: ast.Assign
    name: str
    joined: ast.stmt
    barrier: ast.stmt


class GrowthApart(Rule):
    """Keep a sequence that grows out of the graph of the model that gets a window of it.

    ## What it does
    In a loop that generates, where the model gets the last n places of a sequence and each iteration joins a token to
    the sequence, puts `torch_xla.sync()` after the cut and before the join.

    ## Why
    A graph is for tensors of one size. With one `torch_xla.sync()` per iteration, the sequence is an input of the
    model's graph, so that the whole model recompiles for each token, long after the window is full. Between two calls,
    the model gets its window only: the join and the cut recompile, which takes milliseconds (measured on torch_xla 2.9,
    on the CPU, 500 tokens and a window of 32: a small GPT took 48 s instead of more than 150).

    ## Example
        import torch_xla

        model = nn.Embedding(8, 8).to(device)
        idx = start.to(device)
        with torch.no_grad():
            for _ in range(500):
                window = idx if idx.size(1) <= 8 else idx[:, -8:]
                token = model(window)[:, -1].argmax(-1, keepdim=True)
                idx = torch.cat((idx, token), dim=1)
                torch_xla.sync()

    becomes

        import torch_xla

        model = nn.Embedding(8, 8).to(device)
        idx = start.to(device)
        with torch.no_grad():
            for _ in range(500):
                window = idx if idx.size(1) <= 8 else idx[:, -8:]
                torch_xla.sync()
                token = model(window)[:, -1].argmax(-1, keepdim=True)
                torch_xla.sync()
                idx = torch.cat((idx, token), dim=1)

    ## When it is wrong
    It changes no value. Where the loop ends before the window is full, it costs a short run in each iteration.

    ## When it is left alone
    Loops without `torch_xla.sync()` (XP201 adds it), those that use the sequence in another way, and those that read on
    the host between the cut and the join.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP201, XP402.
    """

    code = "XP427"
    name = "growth-apart"
    summary = "a sequence that grows stays out of the graph of its model"
    applicability = Applicability.SAFE
    harm = Harm.RECOMPILES
    after = ("XP402",)
    traits = (Trait.LAZY_GRAPH,)
    words = ("cat", "concat", "concatenate", "hstack", "column_stack")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each window of what grows."""
        if host_only.stays_on_host(context):
            return
        code = context.step_code
        for body in (*code.bodies, *code.others):
            for growth in growths(context, body):
                window = _window(context, growth)
                if window is not None and context.editable(window.cut):
                    yield self._finding(context, growth, window)

    def _finding(self, context: Context, growth: Growth, window: _Window) -> Finding:
        sync, imports = context.symbol("sync", window.cut)
        cut, joined = context.span(window.cut), context.span(window.joined)
        return self.finding(
            cut,
            say("XP427.window", name=growth.name, window=window.name, sync=sync),
            InsertStatement(cut, f"{sync}()"),
            MoveStatement(context.span(window.barrier), joined, before=True),
            imports=imports,
        )


def _window(context: Context, growth: Growth) -> _Window | None:
    """``window = idx if idx.size(1) <= n else idx[:, -n:]`` in a loop that joins a token to idx behind it."""
    if growth.grown is None or growth.loop is None or growth.is_list:
        return None
    loop, joined = context.loops.step_loop(growth.loop), context.module.statement(growth.call)
    body = growth.loop.body
    if loop is None or len(loop.barriers) != 1 or joined not in body:
        return None
    barrier = context.module.statement(loop.barriers[0])
    cuts = [s for s in body[: body.index(joined)] if isinstance(s, ast.Assign) and _cuts(context, s, growth.name)]
    if len(cuts) != 1 or not isinstance(barrier, ast.Expr) or barrier not in body[body.index(joined) :]:
        return None
    cut, name = cuts[0], cuts[0].targets[0]
    used = {statement for statement in body for n in ast.walk(statement) if _is_named(n, growth.name)}
    between = body[body.index(cut) + 1 : body.index(joined)]
    if not isinstance(name, ast.Name) or used != {cut, joined} or not between:
        return None
    reads = context.loops.reads.within(between)
    return None if reads else _Window(cut, name.id, joined, barrier)


def _cuts(context: Context, statement: ast.Assign, name: str) -> bool:
    """Whether a statement takes the last places of what grows, once it is longer."""
    value = statement.value
    sides = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
    rest = [side for side in sides if not _is_named(side, name)]
    return len(rest) == 1 and isinstance(rest[0], ast.Subscript) and _is_named(rest[0].value, name) and _ends(rest[0])


def _ends(node: ast.Subscript) -> bool:
    """``idx[:, -n:]``: a slice from the end, of more than the last place."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    starts = [part.lower for part in parts if isinstance(part, ast.Slice) and part.upper is None and part.lower]
    return any(
        isinstance(start, ast.UnaryOp)
        and isinstance(start.op, ast.USub)
        and not (isinstance(start.operand, ast.Constant) and start.operand.value == 1)
        for start in starts
    )


def _is_named(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
