"""Which log statements of the steps become closures, and how a barrier comes behind each on every path."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.late_guards import ENDING
from xlaport.facts.loops import LOOPS, LoopKind, StepLoop
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.roles import Role
from xlaport.facts.structure import Function

from .around_calls import around, has_barrier
from .behind_loops import runs_behind
from .journals_here import journals_of
from .log_functions import StepFunction, step_functions
from .log_runs import LogRun, journal_runs, log_runs
from .showing_functions import is_shown

_STEPPED = (Role.OPTIMIZER, Role.SCHEDULER, Role.SCALER, Role.TENSOR, Role.NUMBER, Role.TEXT, Role.HOST_TENSOR)
_KINDS = (LoopKind.TRAIN, LoopKind.EVAL, LoopKind.OPTIMIZE)
_PLAIN = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign)
_BLIND = ("builtins.", "math.", "time.", "datetime.", "random.", "numpy.")


@dataclass(frozen=True)
class Place:
    """How the barrier comes behind the closures."""

    moves: tuple[ast.stmt, ast.stmt] | None = None
    """The barrier, and the statement behind which it moves."""
    goes: ast.stmt | None = None
    """The barrier that is not needed, since the loader cuts the graph and runs the closures at the next batch."""
    exits: tuple[ast.stmt, ...] = ()
    """The ways out of the pass before which a barrier has to stand."""
    behind: ast.stmt | None = None
    """The loop, or the statement, behind which a barrier runs the closures: those of the last pass, or its own."""
    fork: Fork | None = None
    """The barriers that become one."""


@dataclass(frozen=True)
class Fork:
    """An ``if`` with a barrier in its body, and nothing but another one in its ``else``."""

    condition: ast.If
    inner: ast.stmt
    other: ast.stmt


@dataclass(frozen=True)
class Within:
    """A function that runs before the barrier of a step."""

    node: FunctionNode


@dataclass(frozen=True)
class Handing:
    """Runs of one loop, or of one function that its passes run, that become closures together."""

    loop: StepLoop | StepFunction | Within
    runs: tuple[LogRun, ...]
    place: Place


def is_handed_over(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement becomes, or is a part of, a closure."""
    if "XP305" not in context.codes:
        return False
    return any(statement in run.statements for handing in handings(context) for run in handing.runs)


def handings(context: Context) -> tuple[Handing, ...]:
    """What becomes closures in a file."""
    return context.view.own.once("logs", lambda: _whole_journals(context))


def _whole_journals(context: Context) -> tuple[Handing, ...]:
    """All handings; of a journal, either all its calls of a file, or none: they keep their order."""
    logged = [(loop, log_runs(context, loop.node)) for loop in context.loops.all()]
    kept = journal_runs(context)
    while True:
        found = tuple(_in_steps(context, logged, kept))
        done = {statement for handing in found for run in handing.runs for statement in run.statements}
        torn = {s for _, calls in journals_of(context) if not done.issuperset(calls) for s in calls}
        left = [run for run in kept if torn.isdisjoint(run.statements)]
        if len(left) == len(kept):
            return (*found, *_without_journals(context))
        kept = left


def _in_steps(
    context: Context, logged: Sequence[tuple[StepLoop, list[LogRun]]], kept: Sequence[LogRun]
) -> Iterator[Handing]:
    """The handings of the step loops, with the runs of each, and of what fills or shows journals."""
    for loop, own in logged:
        mine = [run for run in kept if around(context, run.last) is loop.node]
        placed = list(_placed(context, loop, sorted([*own, *mine], key=lambda run: run.last.lineno)))
        yield from placed
        done = [run for handing in placed for run in handing.runs]
        yield from _all(_before_the_last(context, loop, run) for run in mine if run not in done)
    for run in kept:
        within = around(context, run.last)
        if isinstance(within, FunctionNode) and has_barrier(context, within):
            yield Handing(Within(within), (run,), Place())


def _without_journals(context: Context) -> Iterator[Handing]:
    """The handings of the functions that close a step, and of what stands behind a loop."""
    for function in step_functions(context, _KINDS):
        runs = log_runs(context, function.node)
        if runs and (own := _own_barrier(context, function)) is not None:
            yield from _around(context, function, runs, own)
    for step_loop, behind in runs_behind(context, _KINDS):
        yield Handing(step_loop, behind, Place(behind=behind[-1].last))


def _placed(context: Context, loop: StepLoop, runs: Sequence[LogRun]) -> Iterator[Handing]:
    """The runs with a barrier behind them."""
    if not runs or loop.kind not in _KINDS:
        return
    if (own := _own_barrier(context, loop)) is not None:
        yield from _around(context, loop, runs, own)
    elif loop.cut_by_loader and not loop.barriers:
        yield from _all(_at_loader(context, loop, run) for run in runs)
    elif (fork := _fork(context, loop)) is not None:
        yield from _behind_fork(context, loop, runs, fork)
    elif loop.barriers and context.steps.cut_index(loop.node.body) is not None:
        yield from _all(_at_next(context, loop, run) for run in runs)


def _all(found: Iterable[Handing | None]) -> Iterator[Handing]:
    return (handing for handing in found if handing is not None)


def _own_barrier(context: Context, loop: StepLoop | StepFunction) -> int | None:
    """The barrier that is a statement of the body, where each other one stands before a way out of it."""
    body, found = loop.node.body, list[int]()
    for call in loop.barriers:
        if context.loops.stepping.is_step(call) or not context.loops.stepping.is_barrier(call):
            return None
        statement = context.module.statement(call)
        if not isinstance(statement, ast.Expr) or statement.value is not call:
            return None
        if statement in body:
            found.append(body.index(statement))
        elif not _cuts_before(context, loop, _next(context, statement)):
            return None
    return found[0] if len(found) == 1 else None


def _fork(context: Context, loop: StepLoop) -> Fork | None:
    """The ``if`` in the body of a loop that has the loop's barriers, one on each side."""
    if len(loop.barriers) != 2 or any(context.loops.stepping.is_step(call) for call in loop.barriers):
        return None
    inner, other = sorted((context.module.statement(call) for call in loop.barriers), key=lambda s: s.lineno)
    condition = context.module.parents[inner]
    is_fork = isinstance(condition, ast.If) and inner in condition.body and condition.orelse == [other]
    if not isinstance(condition, ast.If) or not is_fork or condition not in loop.node.body:
        return None
    is_bare = all(isinstance(s, ast.Expr) and s.value in loop.barriers for s in (inner, other))
    is_barrier = all(context.loops.stepping.is_barrier(call) for call in loop.barriers)
    return Fork(condition, inner, other) if is_bare and is_barrier else None


def _behind_fork(context: Context, loop: StepLoop, runs: Sequence[LogRun], fork: Fork) -> Iterator[Handing]:
    """The runs of one side of an ``if``, behind which one barrier takes the place of those on both sides."""
    block = fork.condition.body
    rest = block[block.index(fork.inner) + 1 :]
    mine = [run for run in runs if not {run.last, *context.module.ancestors(run.last)}.isdisjoint(rest)]
    leaves = any(any(_ways_out(context, s)) for s in rest)
    if mine and not leaves and all(_may_come_first(context, s, mine) for s in rest):
        yield Handing(loop, tuple(mine), Place(fork=fork))
        runs = [run for run in runs if run not in mine]
    yield from _all(_at_next(context, loop, run) for run in runs)


def _next(context: Context, statement: ast.stmt) -> ast.stmt | None:
    block = context.module.block(statement)
    return next(iter(block[block.index(statement) + 1 :]), None)


def _cuts_before(context: Context, loop: StepLoop | StepFunction, way: ast.stmt | None) -> bool:
    """Whether a barrier stands right before a way out of the pass."""
    if not isinstance(way, ast.Continue | ast.Break | ast.Return):
        return False
    block = context.module.block(way)
    before = block[block.index(way) - 1] if way is not block[0] else None
    return isinstance(before, ast.Expr) and any(before.value is call for call in loop.barriers)


def _around(context: Context, loop: StepLoop | StepFunction, runs: Sequence[LogRun], barrier: int) -> Iterator[Handing]:
    """The runs of a loop or function that has a barrier in its body: it moves behind them."""
    body = loop.node.body
    behind: list[LogRun] = []
    closed: list[LogRun] = []
    for run in runs:
        top = _top(context, body, run.last)
        if top < barrier:
            exits = _exits(context, loop, run, body[top:barrier])
            if exits is not None:
                yield Handing(loop, (run,), Place(exits=exits))
            continue
        if all(_may_come_first(context, s, [*closed, run]) for s in body[barrier + 1 : top + 1]):
            behind.append(run)
            closed.append(run)
            continue
        if isinstance(loop, StepFunction) or _waits_beside(context, run, runs, body, barrier):
            continue
        found = _at_next(context, loop, run)
        if found is not None:
            closed += found.runs
            yield found
    if not behind:
        return
    last = max(_top(context, body, run.last) for run in behind)
    if any(_exits(context, loop, run, body[_top(context, body, run.last) : last + 1]) is None for run in behind):
        return
    between = body[barrier + 1 : last + 1]
    ways_out = dict.fromkeys(node for s in between for node in _ways_out(context, s))
    exits = tuple(node for node in ways_out if not _cuts_before(context, loop, node))
    if any(isinstance(node, ast.Raise | ast.Yield | ast.YieldFrom) for s in between for node in walk_block([s])):
        return  # an exception may come before the barrier
    mine = {s for run in closed for s in run.statements}
    left = [r for r in context.reads.within(body) if context.module.statement(r.node) not in mine]
    if loop.cut_by_loader and not left and not any(any(_ways_out(context, s)) for s in body):
        yield Handing(loop, tuple(behind), Place(goes=body[barrier]))
    else:
        yield Handing(loop, tuple(behind), Place(moves=(body[barrier], body[last]), exits=exits))


def _waits_beside(context: Context, run: LogRun, runs: Sequence[LogRun], body: list[ast.stmt], barrier: int) -> bool:
    """Whether a statement behind the barrier reads the device in each step of a run, and is a part of none."""
    logged = {statement for other in runs for statement in other.statements}
    blocks, here = [body[barrier + 1 :]], run.last
    while (block := context.module.block(here)) is not body:
        blocks.append(block)
        here = context.module.statement(context.module.parents[here])
    plain = (s for block in blocks for s in block if isinstance(s, _PLAIN) and s not in logged)
    return any(read.proven for statement in plain for read in context.reads.all_in([statement]))


def _at_loader(context: Context, loop: StepLoop, run: LogRun) -> Handing | None:
    """A run of a loop whose loader cuts the graph at each batch, and runs the closures there."""
    body = loop.node.body
    exits = _exits(context, loop, run, body[_top(context, body, run.last) :])
    return Handing(loop, (run,), Place(exits=exits)) if exits is not None else None


def _at_next(context: Context, loop: StepLoop, run: LogRun) -> Handing | None:
    """A run that no barrier can follow: that of the next pass runs the closure, and one behind the loop the last."""
    if run.handed.computed or loop.node.orelse:
        return None  # what the device still has to compute has no barrier behind it
    if any(isinstance(n, ast.Return | ast.Yield | ast.YieldFrom) for n in walk_block(loop.node.body)):
        return None
    return Handing(loop, (run,), Place(behind=loop.node))


def _before_the_last(context: Context, loop: StepLoop, run: LogRun) -> Handing | None:
    """A call of a journal: the barrier of the next pass runs it, or one behind the loop, or before that is left."""
    exits = _exits(context, loop, run, loop.node.body)
    is_cut = bool(loop.barriers or loop.cut_by_loader)
    return Handing(loop, (run,), Place(exits=exits, behind=loop.node)) if exits is not None and is_cut else None


def _top(context: Context, body: list[ast.stmt], statement: ast.stmt) -> int:
    return context.module.place_in(body, statement) or 0


def _exits(
    context: Context, loop: StepLoop | StepFunction, run: LogRun, statements: Sequence[ast.stmt]
) -> tuple[ast.stmt, ...] | None:
    """The ways out of the pass behind a run, before which a barrier has to stand; None where one ends the program."""
    found: list[ast.stmt] = []
    start = context.module.span(run.last).end
    for statement in statements:
        for node in _ways_out(context, statement):
            if context.module.span(node).start < start:
                continue
            if isinstance(node, ast.Continue) and loop.cut_by_loader and not loop.barriers:
                continue
            if isinstance(node, ast.Raise | ast.Expr):
                return None
            if not _cuts_before(context, loop, node):
                found.append(node)
    return tuple(found)


def _ways_out(context: Context, statement: ast.stmt) -> Iterator[ast.stmt]:
    """The statements that leave the pass; of a loop in it, those that leave that one, too."""
    todo: list[tuple[ast.AST, bool]] = [(statement, False)]
    while todo:
        node, is_inner = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Return | ast.Raise) or (isinstance(node, ast.Continue | ast.Break) and not is_inner):
            yield node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            if context.resolve(node.value.func) in ENDING:
                yield node
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield | ast.YieldFrom):
            yield node
        inner = is_inner or isinstance(node, LOOPS)
        todo.extend((child, inner) for child in context.module.children[node])


def _may_come_first(context: Context, statement: ast.stmt, runs: Sequence[LogRun]) -> bool:
    """Whether the barrier may as well stand behind a statement: ``count += 1``, ``scheduler.step()``."""
    mine = {s for run in runs for s in run.statements}
    todo: list[ast.stmt] = [statement]
    while todo:
        here = todo.pop()
        if here in mine:
            continue
        if isinstance(here, ast.If):
            if context.reads.of_expression(here.test) or not _is_light(context, here.test):
                return False
            todo += [*here.body, *here.orelse]
        elif isinstance(here, ast.Continue | ast.Break | ast.Return | ast.Pass):
            continue
        elif not isinstance(here, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Delete):
            return False
        elif context.reads.all_in([here]) or not _is_light(context, here):
            return False
    return True


def _is_light(context: Context, node: ast.AST) -> bool:
    """Whether code neither waits for the device nor does much: its calls are of the host, or small."""
    return all(_is_light_call(context, call) for call in walk_block([node]) if isinstance(call, ast.Call))


def _is_light_call(context: Context, call: ast.Call) -> bool:
    called = context.resolve(call.func) or ""
    if called.startswith(_BLIND):
        return True
    parent = context.module.parents[call]
    if isinstance(parent, ast.stmt) and is_shown(context, parent) is call:
        return True
    func = call.func
    if functions := context.loops.run_by(call):
        return all(_is_light_function(context, function) for function in functions)
    if not isinstance(func, ast.Attribute):
        return False
    return context.roles.is_(func.value, *_STEPPED) or func.attr in ("append", "update", "items", "keys", "values")


def _is_light_function(context: Context, function: Function) -> bool:
    """Whether a function only keeps and counts, ``meter.update(value, n)``: without branches, loops and reads."""
    own, body = context.of(function.facts), function.node.body
    is_straight = all(isinstance(s, (*_PLAIN, ast.Return, ast.Pass)) for s in body)
    calls = [node for node in walk_block(body) if isinstance(node, ast.Call)]
    is_blind = all((own.resolve(call.func) or "").startswith(_BLIND) for call in calls)
    return is_straight and is_blind and not function.node.decorator_list and not own.reads.all_in(body)
