"""Loops that may step: what decides it, nobody can see from the code."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import LoopNode, last_name
from xlaport.facts.role import Role

_TRAINED = (Role.MODEL, Role.OPTIMIZER)
_NAMED_SO = re.compile("step|train|learn|updat|fit|optimi|iter|batch|epoch|run|forward|backward|process", re.IGNORECASE)
"""What something unknown is called that may train on a batch: others write it into a file, or draw it."""

_IN_SIGHT = sys.stdlib_module_names | frozenset(
    "torch torch_xla builtins accelerate lightning pytorch_lightning transformers deepspeed apex ignite".split()
)
"""Libraries that hold no loop of steps, or that have rules of their own."""


def maybe_steps(context: Context) -> Iterator[tuple[LoopNode, ast.Call]]:
    """The innermost loops that run backward() without a step in sight, or hand what trains to something unknown.

    Each with the call that shows it.
    """
    found = {
        node: call
        for node in context.module.of_type(ast.For, ast.AsyncFor, ast.While)
        if (call := _shows_work(context, node)) is not None and _is_open(context, node)
    }
    inner = {around for node in found for around in context.module.ancestors(node) if around in found}
    yield from ((node, call) for node, call in found.items() if node not in inner)


def unseen_loops(context: Context) -> Iterator[ast.Call]:
    """The calls that hand an optimizer, and a loader or a function, to code that is not in sight: it may hold the loop.

    ``engine.train(loss_of, loader, epochs, optimizer)``
    """
    for call in context.module.calls:
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not any(context.roles.is_(value, Role.OPTIMIZER) for value in given):
            continue
        name = context.resolve(call.func)
        is_unseen = context.roles.is_unknown_call(call) if name is None else name.partition(".")[0] not in _IN_SIGHT
        if is_unseen and _NAMED_SO.search(last_name(call.func) or "") and any(_feeds(context, v) for v in given):
            if name is None or not context.flow.structure.runs(context.view.own, call):
                yield call


def _feeds(context: Context, value: ast.expr) -> bool:
    """Whether a value is what a loop goes through, or what it runs in each pass."""
    is_loader = context.roles.is_(value, Role.LOADER, Role.DEVICE_LOADER)
    return is_loader or context.flow.structure.function_named(context.view.own, value) is not None


def _is_open(context: Context, node: LoopNode) -> bool:
    """Whether a loop neither steps, nor holds loops that do, nor belongs to one, nor cuts the graph."""
    loops = context.loops
    function = context.module.function(node)
    if loops.step_loop(node) is not None or loops.around(node) is not None or loops.steps_on_host(node):
        return False
    if function is not None and (function.name == "forward" or context.step_code.runs_in_steps(function)):
        return False
    return not loops.runs_step_loop(node.body) and not loops.effects(node.body).barriers


def _shows_work(context: Context, node: LoopNode) -> ast.Call | None:
    effects = context.loops.effects(node.body)
    if isinstance(effects.backward, ast.Call):
        return effects.backward
    batch: set[str] = set()
    if not isinstance(node, ast.While) and context.loops.stepping.iterates(node, Role.LOADER):
        batch = {name.id for name in ast.walk(node.target) if isinstance(name, ast.Name)}
    for call in context.module.that_run(node.body, ast.Call):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        names = {n.id for value in given for n in ast.walk(value) if isinstance(n, ast.Name)}
        is_named_so = _NAMED_SO.search(last_name(call.func) or "") is not None
        trains = any(context.roles.is_(value, *_TRAINED) for value in given) or (is_named_so and bool(names & batch))
        if trains and context.roles.is_unknown_call(call) and not isinstance(context.module.parents[call], ast.Await):
            return call
    return None
