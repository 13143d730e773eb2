"""Whether code waits for the device, or might: then its errors and its time are those of the device."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.module import LoopNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, dotted

from ..device.shown import is_shown

SYNCHRONIZE = frozenset({"torch.cuda.synchronize", "torch.accelerator.synchronize"})
"""Calls that wait for a CUDA device; where they are statements, they become a barrier."""
_WAITING_METHODS = ("synchronize", "elapsed_time", "barrier")
_READING_METHODS = ("generate",)
"""Methods of models that look at each token."""
_MAX_DEPTH = 3


def reads(context: Context, statements: list[ast.stmt]) -> bool:
    """Whether the statements read the device somewhere, or what they call does, or might do."""
    return bool(context.reads.within(statements)) or calls_reader(context, statements)


def calls_reader(context: Context, statements: list[ast.stmt]) -> bool:
    """Whether something that the statements call reads the device, or might do."""
    return context.loops.calls_what_reads(statements) or any(
        isinstance(node, ast.Call) and (_is_reading_model(context, node) or _may_look(context, node))
        for node in walk_block(statements)
    )


def waits(context: Context, statements: list[ast.stmt]) -> bool:
    """Whether the statements wait for the device without reading it, or what they call does."""
    calls = (node for node in walk_block(statements) if isinstance(node, ast.Call))
    return any(_waits(context, context.view.own, call, 0) for call in calls)


def hands_back_a_read(context: Context, statements: list[ast.stmt]) -> bool:
    """Whether what statements call makes a number of what an object holds, at its end: ``return float(losses.avg)``."""
    calls = (node for node in walk_block(statements) if isinstance(node, ast.Call))
    return any(
        _may_read(context.of(function.facts), value)
        for call in calls
        for function in context.loops.run_by(call)
        for value in function.facts.module.returns(function.node)
    )


def shows_kept(context: Context, loop: LoopNode) -> bool:
    """Whether each pass shows what an object holds, ``print(losses.avg)``, of which a method is given a tensor."""
    nodes = list(walk_block(loop.body))
    holding = {
        path
        for call in nodes
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        if (path := dotted(call.func.value)) is not None
        if any(context.roles.is_(value, Role.TENSOR) for value in call.args)
    }
    return any(
        isinstance(node, ast.Attribute)
        and dotted(node.value) in holding
        and is_shown(context, node)
        and is_on_every_pass(context.module, loop, node)
        for node in nodes
    )


def _may_read(context: Context, statement: ast.Return) -> bool:
    return any(
        isinstance(node, ast.Call)
        and context.resolve(node.func) == "builtins.float"
        and len(node.args) == 1
        and isinstance(node.args[0], ast.Attribute)
        and context.roles.role(node.args[0]) is None
        for node in ast.walk(statement)
    )


def _waits(context: Context, facts: Facts, call: ast.Call, depth: int) -> bool:
    if isinstance(call.func, ast.Attribute) and call.func.attr in _WAITING_METHODS:
        return True
    # What a closure does is unknown: most read.
    names = {context.target.symbol(meaning).qualified for meaning in ("wait_device_ops", "add_step_closure")}
    if facts.names.resolve(call.func) in names:
        return True
    if depth >= _MAX_DEPTH:
        return False
    return any(
        _waits(context, function.facts, inner, depth + 1)
        for function in context.loops.elsewhere(facts).run_by(call)
        for inner in walk_block(function.node.body)
        if isinstance(inner, ast.Call)
    )


def _is_reading_model(context: Context, call: ast.Call) -> bool:
    """``model.generate(…)`` of a library, and a module of the project whose ``forward()`` reads."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in _READING_METHODS:
        return not context.loops.run_by(call)
    structure = context.loops.structure
    owner = structure.instance_of(context.view.own, call.func)
    forward = structure.method(owner, "forward") if owner is not None else None
    return forward is not None and context.loops.elsewhere(forward.facts).reads_device(forward.node)


def _may_look(context: Context, call: ast.Call) -> bool:
    """``meter.update(loss)`` or ``log(stats)`` of unknown code, which gets what a model gave."""
    if not isinstance(context.module.parents[call], ast.Expr):
        return False
    if isinstance(call.func, ast.Attribute) and call.func.attr in ("append", "extend", "backward"):
        return False
    if (context.resolve(call.func) or "").startswith(("torch.", "torch_xla.", "builtins.")):
        return False
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if any(isinstance(value, ast.Name) and _is_of_unknown_code(context, value) for value in given):
        return True
    return not context.loops.run_by(call) and any(context.roles.is_(value, Role.TENSOR) for value in given)


def _is_of_unknown_code(context: Context, name: ast.Name) -> bool:
    """One of several things that code gave which we cannot see: ``loss, stats = criterion(out, y)``."""
    return any(
        binding.how is How.UNPACK and isinstance(binding.value, ast.Call) and _is_unknown(context, binding.value)
        for binding in context.names.reaching(name)
    )


def _is_unknown(context: Context, call: ast.Call) -> bool:
    if context.loops.run_by(call) or context.resolve(call.func) is not None:
        return False
    owner = context.loops.structure.instance_of(context.view.own, call.func)
    return owner is None and context.roles.role(call.func) in (None, Role.MODEL)
