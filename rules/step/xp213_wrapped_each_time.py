"""XP213: a loader that is wrapped anew in each epoch, and left early."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import LoopNode
from xlaport.facts.names import How
from xlaport.rule import Applicability, Finding, Rule, Trait

from .._lib.one_line import one_line
from .._lib.step.saying import say


class WrappedEachTime(Rule):
    """Report loaders whose wrapper is made in each epoch, where the epoch may end early.

    ## What it does
    Finds `pl.MpDeviceLoader(loader, device)` that is made again in each iteration of a loop, for an inner loop that is
    left with `break` or `return`.

    ## Why
    A wrapper starts threads that load the next batches and copy them to the device. They end with the data. Left
    early, they stay, and wait with their batches in memory: two threads for each epoch (measured on torch_xla 2.9: 10
    after 5 epochs). One wrapper above the loop can be iterated once an epoch as well.

    ## Example
        import torch_xla.distributed.parallel_loader as pl

        def train(loader, device, model):
            for epoch in range(10):
                for x in pl.MpDeviceLoader(loader, device):
                    if model(x) is None:
                        break

    is reported: the wrapper belongs above the loop over the epochs.

        import torch_xla.distributed.parallel_loader as pl

        def train(loader, device, model):
            batches = pl.MpDeviceLoader(loader, device)
            for epoch in range(10):
                for x in batches:
                    if model(x) is None:
                        break

    ## When it is wrong
    If the loader is another one in each epoch.

    ## When it is left alone
    A wrapper that is made once, above the loop over the epochs, and loops that go through all of the data.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP202, XP905.
    """

    code = "XP213"
    name = "wrapped-each-time"
    summary = "a loader's wrapper belongs above the loop over the epochs"
    applicability = Applicability.MANUAL
    traits = (Trait.OWN_LOADER,)
    words = ("DeviceLoader", "ParallelLoader")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each wrapper that is made in a loop and left early."""
        for call in context.module.calls:
            if context.resolve(call.func) not in context.target.loaders or not call.args:
                continue
            inner = _iterated(context, call)
            if inner is None or not _is_left(inner):
                continue
            outer = next((p for p in context.module.ancestors(inner) if isinstance(p, LoopNode)), None)
            if (
                outer is None
                or outer not in context.module.ancestors(call)
                or _is_made_in(context, call.args[0], outer)
            ):
                continue
            line = context.line(outer)
            yield self.finding(context.place(call), say("XP213.wrapped", line=line, wrapper=one_line(context, call)))


def _iterated(context: Context, call: ast.Call) -> ast.For | None:
    """The loop that goes through a wrapper: directly, or under enumerate()."""
    node: ast.AST = call
    parent = context.module.parents[node]
    while isinstance(parent, ast.Call | ast.Attribute) and not isinstance(parent, ast.stmt):
        node, parent = parent, context.module.parents[parent]
    if isinstance(parent, ast.For) and node is parent.iter:
        return parent
    target = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
    if not isinstance(target, ast.Name):
        return None
    for use in context.names.uses(context.names.scope(target), target.id):
        for around in context.module.ancestors(use):
            if isinstance(around, ast.For) and any(n is use for n in ast.walk(around.iter)):
                return around
    return None


def _is_left(loop: ast.For) -> bool:
    """Whether a loop may be left before its end."""
    todo: list[ast.AST] = list(loop.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Break | ast.Return):
            return True
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(node, LoopNode):
            todo += [n for n in ast.walk(node) if isinstance(n, ast.Return)]
            continue
        todo += ast.iter_child_nodes(node)
    return False


def _is_made_in(context: Context, loader: ast.expr, outer: ast.AST) -> bool:
    """Whether the loader itself is another one in each pass."""
    inside = set(ast.walk(outer))
    if not isinstance(loader, ast.Name):
        return not isinstance(loader, ast.Attribute)
    return any(b.how is not How.PARAMETER and b.node in inside for b in context.names.reaching(loader))
