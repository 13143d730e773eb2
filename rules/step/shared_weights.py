"""XP214: weights that one model on the device takes from another, before the first barrier."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import Role, dotted
from xlaport.rule import Applicability, Finding, InsertStatement, Rule

from .. import host_only
from . import moves

_OPTIMIZER = re.compile(rb"\boptim\b")
_WHOLE = frozenset({"parameters", "buffers"})
_NAMED = frozenset({"named_parameters", "named_buffers"})


class SharedWeights(Rule):
    """Give two models weights of their own before one of them trains.

    ## What it does
    Puts a `torch_xla.sync()` before a copy of one model's weights into another, `target.load_state_dict(
    net.state_dict())` or `a.data.copy_(b.data)` in a loop over both, where both have just been moved to the device.

    ## Why
    A copy between two tensors of XLA copies nothing: both stand for the same value. If both models are as they came
    to the device when the next barrier runs, they are left with one buffer. The optimizer's next step writes the new
    weights into it, and the other model raises a RuntimeError ("buffer … is deleted"), in the second step or later:
    target networks and averages of weights. Measured on torch_xla 2.9, with SGD and Adam; `clone()` and
    `copy.deepcopy()` of the state do not help, a barrier before the copy does, and costs one short execution.

    ## Example
        net = nn.Linear(4, 2).to("cuda")
        target = nn.Linear(4, 2).to("cuda")
        target.load_state_dict(net.state_dict())
        optimizer = torch.optim.Adam(net.parameters())

    becomes

        net = nn.Linear(4, 2).to("cuda")
        target = nn.Linear(4, 2).to("cuda")
        torch_xla.sync()
        target.load_state_dict(net.state_dict())
        optimizer = torch.optim.Adam(net.parameters())

    ## When it is wrong
    A barrier changes no value.

    ## When it is left alone
    Copies behind a barrier, or behind steps that were trained; averages that are computed; what goes through the CPU;
    `copy.deepcopy(net)`; a program that trains nothing; a copy whose models come from somewhere else.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP201, XP205, XP208.
    """

    code = "XP214"
    name = "shared-weights"
    summary = "a barrier before one model's first weights are copied into another"
    applicability = Applicability.SAFE
    words = ("load_state_dict", "copy_")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each copy that leaves two models with one buffer."""
        if host_only.stays_on_host(context) or not _trains(context):
            return
        told: set[ast.stmt] = set()
        for statement in context.module.nodes:
            copied = _copied(context, statement) if isinstance(statement, ast.Expr | ast.For) else None
            if copied is None or not isinstance(statement, ast.Expr | ast.For):
                continue
            between = _since_moved(context, statement, *copied)
            if between is None or any(s in told or _cuts(context, s) for s in between):
                continue
            told.add(statement)
            target, source = copied
            sync, imports = context.symbol("sync", statement)
            yield self.finding(
                context.span(statement) if isinstance(statement, ast.Expr) else context.span(statement.iter),
                f"{target} takes its first weights on the device from {source}: where a barrier runs before they "
                "train, both have one buffer, which the optimizer's step writes over, and the other model raises "
                f'("buffer is deleted"). {sync}() before the copy gives each its own',
                InsertStatement(context.span(statement), f"{sync}()", before=True),
                imports=imports,
            )


def _trains(context: Context) -> bool:
    """Whether the program has an optimizer, by its text."""
    own = _OPTIMIZER.search(context.module.text.encode("utf-8", "replace")) is not None
    return own or bool(context.view.program.saying(_OPTIMIZER, b"optim"))


def _copied(context: Context, statement: ast.Expr | ast.For) -> tuple[str, str] | None:
    """The model that is given weights, and the one that has them."""
    found = _by_state(context, statement) if isinstance(statement, ast.Expr) else _by_loop(context, statement)
    if found is None:
        return None
    target, source = dotted(found[0]), dotted(found[1])
    if target is None or source is None or target == source:
        return None
    return (target, source) if all(context.roles.is_(model, Role.MODEL) for model in found) else None


def _by_state(context: Context, statement: ast.Expr) -> tuple[ast.expr, ast.expr] | None:
    """``target.load_state_dict(net.state_dict())``"""
    called = _method(statement.value, "load_state_dict")
    if called is None or len(called.args) != 1 or any(k.arg != "strict" for k in called.keywords):
        return None
    given = called.args[0]
    if isinstance(given, ast.Call) and context.resolve(given.func) in ("copy.deepcopy", "copy.copy") and given.args:
        given = given.args[0]
    state = _method(given, "state_dict")
    return (_owner(called), _owner(state)) if state is not None else None


def _by_loop(context: Context, loop: ast.For) -> tuple[ast.expr, ast.expr] | None:
    """``for a, b in zip(target.parameters(), net.parameters()): a.data.copy_(b.data)``"""
    zipped = loop.iter
    if not isinstance(zipped, ast.Call) or context.resolve(zipped.func) != "builtins.zip" or len(zipped.args) != 2:
        return None
    if not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != 2:
        return None
    models = {
        name: given.func.value
        for target, given in zip(loop.target.elts, zipped.args, strict=True)
        if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and (name := _each(target, given.func))
    }
    for statement in loop.body:
        call = _method(statement.value, "copy_") if isinstance(statement, ast.Expr) else None
        if call is not None and len(call.args) == 1:
            names = [_plain(_owner(call)), _plain(call.args[0])]
            if len(models) == 2 and all(name in models for name in names):
                return models[names[0] or ""], models[names[1] or ""]
    return None


def _method(node: ast.expr, name: str) -> ast.Call | None:
    """A call of a method."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == name
    return node if is_call and isinstance(node, ast.Call) else None


def _owner(call: ast.Call) -> ast.expr:
    """What a method is called on."""
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


def _each(target: ast.expr, func: ast.Attribute) -> str | None:
    """The name that a loop has each parameter by: ``p`` of ``p``, and of ``(name, p)`` with named ones."""
    if func.attr in _NAMED and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        target = target.elts[1]
    elif func.attr not in _WHOLE:
        return None
    return target.id if isinstance(target, ast.Name) else None


def _plain(node: ast.expr) -> str | None:
    """``p`` of ``p.data``, and of ``p.detach()``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("detach", "clone"):
        return _plain(node.func.value)
    if isinstance(node, ast.Attribute) and node.attr == "data":
        return _plain(node.value)
    return node.id if isinstance(node, ast.Name) else None


def _since_moved(context: Context, statement: ast.stmt, *models: str) -> list[ast.stmt] | None:
    """What runs between the later of the moves of two models and a statement; None where one is not moved here."""
    shortest: list[ast.stmt] | None = None
    for model in models:
        passed: list[ast.stmt] = []
        if moves.move_before(context, statement, model, passed) is None:
            return None
        shortest = passed if shortest is None or len(passed) < len(shortest) else shortest
    return shortest


def _cuts(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement has a barrier, or trains."""
    return bool(context.loops.effects([statement]).barriers) or context.loops.runs_step_loop([statement])
