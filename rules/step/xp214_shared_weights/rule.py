"""XP214: weights that one model on the device takes from another, before the first barrier."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.events import Event, Kind
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.order import copied_at_once
from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.names import How
from xlaport.facts.roles import Role, dotted
from xlaport.facts.structure import CallSite, Function
from xlaport.rule import Applicability, Finding, Harm, InsertStatement, Rule

from ..._lib import host_only
from ..._lib.step import moves
from ..._lib.step.saying import say
from .weight_copies import copy_of, given

_Copying = ast.Expr | ast.For | ast.Assign
_COPIES = re.compile(r"\.(copy_|load_state_dict)\(")
_OPTIMIZER = re.compile(rb"\boptim\b")


class SharedWeights(Rule):
    """Give two models weights of their own before one of them trains.

    ## What it does
    Puts a `torch_xla.sync()` before a copy of one model's weights into another, `target.load_state_dict(
    net.state_dict())` or `a.data.copy_(b.data)` in a loop over both, where both have just been moved to the device;
    before the call of a function of the program that does it, too. Such a copy by other names is reported.

    ## Why
    A copy between two XLA tensors copies nothing: both are the same value. If both models are as they came
    to the device when the next `torch_xla.sync()` runs, they are left with one buffer. The optimizer's next step writes
    the new weights into it, and the other model raises a RuntimeError ("buffer … is deleted"), in the second step or
    later: target networks and averages of weights. Measured on torch_xla 2.9, with SGD and Adam; `clone()` and
    `copy.deepcopy()` of the state do not help; a `torch_xla.sync()` before the copy does, and costs one short
    execution.

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
    The call changes no value.

    ## When it is left alone
    Copies after such a call, or after steps that were trained; averages that are computed; what goes through the CPU;
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
    harm = Harm.WRONG
    words = ("to", "cuda")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each copy that leaves two models with one buffer."""
        if host_only.stays_on_host(context) or not _trains(context):
            return
        told: set[ast.stmt] = set()
        yield from self._by_name(context, told)
        for copy in _by_object(context):
            statement = context.module.statement(copy)
            if statement not in told:
                yield self.finding(context.span(statement), say("XP214.unseen", sync=context.symbol("sync", copy)[0]))

    def _by_name(self, context: Context, told: set[ast.stmt]) -> Iterator[Finding]:
        for statement in context.module.nodes:
            copied = _copied(context, statement) if isinstance(statement, _Copying) else None
            if copied is None or not isinstance(statement, _Copying):
                continue
            between = _since_moved(context, statement, *copied)
            if between is None or any(s in told or _cuts(context, s) for s in between):
                continue
            told.add(statement)
            target, source = copied
            sync, imports = context.symbol("sync", statement)
            yield self.finding(
                context.span(statement.iter if isinstance(statement, ast.For) else statement),
                say("XP214.copy", target=target, source=source, sync=sync),
                InsertStatement(context.span(statement), f"{sync}()", before=True),
                imports=imports,
            )


def _by_object(context: Context) -> Iterator[ast.Call]:
    """The copies of this file between two models that have just been moved, whatever these are called."""
    analysis = analysis_of(context.view.own)
    for copy in analysis.once(copied_at_once, lambda: list(_copies(analysis))):
        if isinstance(copy.node, ast.Call) and copy.node in context.module.parents:
            yield copy.node


def _copies(analysis: Analysis) -> Iterator[Event]:
    for entrance in analysis.entrances():
        if {Kind.COPY, Kind.MOVE} <= analysis.done.get(entrance, frozenset()):
            yield from copied_at_once(entrance, analysis)


def _trains(context: Context) -> bool:
    """Whether the program has an optimizer, by its text."""
    own = _OPTIMIZER.search(context.module.text.encode("utf-8", "replace")) is not None
    return own or bool(context.view.program.saying(_OPTIMIZER, b"optim"))


def _copied(context: Context, statement: _Copying) -> tuple[str, str] | None:
    """The model that is given weights, and the one that has them."""
    found = copy_of(context, statement)
    if found is not None and not all(context.roles.is_(model, Role.MODEL) for model in found):
        return None
    found = found or _by_call(context, statement)
    target, source = (dotted(found[0]), dotted(found[1])) if found is not None else (None, None)
    return (target, source) if target is not None and source is not None and target != source else None


def _by_call(context: Context, statement: _Copying) -> tuple[ast.expr, ast.expr] | None:
    """``hard_update(target, net)``, and ``Average(net, target)``: what the function copies of what it is given."""
    call = statement.value if not isinstance(statement, ast.For) else None
    run = context.flow.structure.run_by(context.view.own, call) if isinstance(call, ast.Call) else None
    if run is None or not isinstance(call, ast.Call) or not _COPIES.search(run.facts.module.segment(run.node)):
        return None
    there = context.of(run.facts)
    for inner in walk_block(run.node.body):
        found = copy_of(there, inner) if isinstance(inner, ast.Expr | ast.For) else None
        names = [_parameter(there, run, model) for model in found or ()]
        site = CallSite(context.view.own, call)
        models = [context.flow.structure.argument_for(site, run, name) for name in names if name is not None]
        if len(models) == 2 and models[0] is not None and models[1] is not None:
            return models[0], models[1]
    return None


def _parameter(there: Context, function: Function, node: ast.expr) -> str | None:
    """The parameter of a function that a name in it stands for, or an attribute that it has been given."""
    value = given(there, node) or node
    found = there.names.reaching(value) if isinstance(value, ast.Name) else ()
    is_own = len(found) == 1 and found[0].how is How.PARAMETER
    return found[0].name if is_own and there.module.function_of(found[0].node) is function.node else None


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
