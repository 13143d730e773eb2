"""Loops that may step: what decides it, nobody can see from the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import LoopNode, last_name
from xlaport.facts.role import Role

_TRAINED = (Role.MODEL, Role.OPTIMIZER)
_NAMED_SO = re.compile("step|train|learn|updat|fit|optimi|iter|batch|epoch|run|forward|backward|process", re.IGNORECASE)
"""What something unknown is called that may train on a batch: others write it into a file, or draw it."""


def maybe_steps(context: Context) -> Iterator[tuple[LoopNode, ast.Call]]:
    """The innermost loops that run backward() without a step in sight, or hand what trains to something unknown.

    Each with the call that shows it.
    """
    found = {
        node: call
        for node in context.module.of_type(ast.For, ast.AsyncFor, ast.While)
        if _is_open(context, node) and (call := _shows_work(context, node)) is not None
    }
    inner = {around for node in found for around in context.module.ancestors(node) if around in found}
    yield from ((node, call) for node, call in found.items() if node not in inner)


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
