"""Half precision by a question for CUDA, where the program stays on the CPU: ``half = torch.cuda.is_available()``."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial

from xlaport.context import Context
from xlaport.facts.program import Facts
from xlaport.facts.roles import dotted

from ..elsewhere import line_of
from . import cuda

_HALF = re.compile(r"(^|_)(half|fp16|float16|amp)(_|$)", re.IGNORECASE)
_ASKS = re.compile(rb"is_available")

Stays = Callable[[Context, ast.Call], bool]


def chooser_of(context: Context, question: ast.Call, stays: Stays) -> str | None:
    """The line of the question that chooses the device and stays, where this one is for half precision: not alone.

    `stays`: whether a question stays for what its own code does.
    """
    if not _is_for_half(context, question):
        return None
    for facts in _around(context):
        chooser = facts.once("questions for the device that stay", partial(_chooser, context, facts, stays))
        if chooser is not None and chooser is not question:
            return line_of(context, facts, chooser)
    return None


def _is_for_half(context: Context, question: ast.Call) -> bool:
    """``half = torch.cuda.is_available() and …``, ``run(half=torch.cuda.is_available())``."""
    node: ast.AST = context.module.parents[question]
    while isinstance(node, ast.BoolOp):
        node = context.module.parents[node]
    if isinstance(node, ast.keyword):
        return node.arg is not None and _HALF.search(node.arg) is not None
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return any(_HALF.search((dotted(target) or "").rpartition(".")[2]) for target in targets)


def _around(context: Context) -> Iterator[Facts]:
    """This file, and those that share names with it and ask for CUDA."""
    own, program = context.view.own, context.view.program
    yield own
    if context.view.is_alone:
        return
    for file in sorted(program.graph.connected([own.file]) - {own.file}):
        if _ASKS.search(program.data(file)) and (facts := context.view.facts(file)) is not None:
            yield facts


def _chooser(context: Context, facts: Facts, stays: Stays) -> ast.Call | None:
    """The first question of a file under which the device is chosen, and which stays."""
    there = context.of(facts)
    asked = (call for call in there.module.calls if cuda.is_available_call(there, call))
    return next((call for call in asked if _chooses(there, call) and stays(there, call)), None)


def _chooses(context: Context, question: ast.Call) -> bool:
    """``if torch.cuda.is_available(): name = "cuda"``, with the CPU on the other side, behind it or before it."""
    child: ast.AST = question
    for parent in context.module.ancestors(question):
        if isinstance(parent, ast.If) and child is parent.test:
            sides = [_expressions(parent.body), _expressions(_other_side(context, parent))]
            return any(
                any(_is_accelerator(context, n) for n in one) and any(cuda.is_cpu_device(context, n) for n in other)
                for one, other in (sides, reversed(sides))
            )
        if not isinstance(parent, ast.BoolOp | ast.UnaryOp):
            return False
        child = parent
    return False


def _other_side(context: Context, node: ast.If) -> list[ast.stmt]:
    """What runs in the place of a branch, or what it overrules: ``name = "cpu"`` before ``if …: name = "cuda"``."""
    if node.orelse:
        return node.orelse
    block = context.module.block(node)
    place = block.index(node)
    if isinstance(node.body[-1], ast.Return | ast.Raise):
        return block[place + 1 :]
    given = _targets(node.body)
    return [statement for statement in block[:place] if given & _targets([statement])]


def _targets(block: list[ast.stmt]) -> set[str]:
    """The names and attributes that statements assign to."""
    assigned = [target for statement in block if isinstance(statement, ast.Assign) for target in statement.targets]
    return {name for target in assigned if (name := dotted(target)) is not None}


def _is_accelerator(context: Context, node: ast.expr) -> bool:
    """The device of CUDA, or what a rule has made of it."""
    if isinstance(node, ast.Call) and context.resolve(node.func) == context.target.symbol("device").qualified:
        return True
    said = isinstance(node, ast.Constant) and node.value == context.target.device_type
    return said or cuda.is_cuda_string(node) or cuda.is_cuda_device(context, node)


def _expressions(block: list[ast.stmt]) -> list[ast.expr]:
    return [node for statement in block for node in ast.walk(statement) if isinstance(node, ast.expr)]
