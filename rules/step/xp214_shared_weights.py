"""XP214: weights that one model on the device takes from another, before the first barrier."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.events import Event, Kind, Objects
from xlaport.analysis.library import is_module
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.order import copied_at_once
from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.roles import dotted
from xlaport.rule import Applicability, Finding, Harm, InsertStatement, Rule, Trait

from .._lib import host_only
from .._lib.step.optimizers import trains
from .._lib.step.saying import say


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
    traits = (Trait.LAZY_GRAPH,)
    words = ("to", "cuda")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each copy that leaves two models with one buffer."""
        if host_only.stays_on_host(context) or not trains(context):
            return
        told: set[ast.stmt] = set()
        for copy, move in _copies(context):
            place = _parting(copy, move)
            facts = analysis_of(context.view.own).facts_of(place)
            statement = _statement(facts, place, move)
            named = _names(context, statement, copy)
            if named is None and copy.node in context.module.parents:
                at = context.module.statement(copy.node)
                yield self.finding(context.span(at), say("XP214.unseen", sync=context.symbol("sync", at)[0]))
            elif named is not None and facts is context.view.own and statement not in told:
                told.add(statement)
                yield self._finding(context, statement, *named)

    def _finding(self, context: Context, statement: ast.stmt, target: str, source: str) -> Finding:
        sync, imports = context.symbol("sync", statement)
        return self.finding(
            context.span(statement.iter if isinstance(statement, ast.For) else statement),
            say("XP214.copy", target=target, source=source, sync=sync),
            InsertStatement(context.span(statement), f"{sync}()", before=True),
            imports=imports,
        )


def _copies(context: Context) -> list[tuple[Event, Event]]:
    """The copies between two models that have just been moved, each once, with the later of the two moves."""
    analysis = analysis_of(context.view.own)
    own = analysis.functions_in(context.view.own.file)
    if not any(Kind.COPY in analysis.done.get(function, frozenset()) for function in own):
        return []
    starts = (one for one in analysis.leading_here() if {Kind.COPY, Kind.MOVE} <= analysis.done.get(one, frozenset()))
    return analysis.once(copied_at_once, lambda: [pair for one in starts for pair in copied_at_once(one, analysis)])


def _parting(copy: Event, move: Event) -> ast.AST:
    """The call that leads to a copy, or the copy, where another one leads to the move."""
    ways = zip((*copy.way, copy.node), (*move.way, move.node), strict=False)
    return next((one for one, other in ways if one is not other), copy.node)


def _statement(facts: Facts, place: ast.AST, move: Event) -> ast.stmt:
    """The statement that copies, or the loop around it in which nothing moves."""
    found, beside = facts.module.statement(place), {*move.way, move.node}
    for parent in facts.module.ancestors(place):
        if isinstance(parent, FunctionNode) or any(node in beside for node in ast.walk(parent)):
            break
        found = parent if isinstance(parent, ast.For | ast.While) else found
    return found


def _names(context: Context, statement: ast.stmt, copy: Event) -> tuple[str, str] | None:
    """What a statement calls the model that is given weights, and the one that has them."""
    analysis = analysis_of(context.view.own)
    found: dict[Objects, str] = {}
    for node in ast.walk(statement):
        path, value = dotted(node), analysis.value_at(node)
        if path is not None and value is not None and is_module(value):
            found.setdefault(value.objects, path)
    return (found[copy.objects], found[copy.other]) if {copy.objects, copy.other} <= found.keys() else None
