"""XP212: time that is taken by a pair of CUDA's events."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.loops import LoopKind
from xlaport.rule import (
    Applicability,
    Edit,
    Finding,
    Harm,
    Import,
    InsertStatement,
    RemoveStatement,
    Replace,
    ReplaceStatement,
    Rule,
    Trait,
)
from xlaport.target import Symbol
from xlaport.wording import Text

from .._lib.step.for_device import waiting
from .._lib.step.saying import say
from .._lib.step.traces import traces_around
from .._lib.step.waiting import SYNCHRONIZE

_EVENTS = frozenset({"torch.cuda.Event", "torch.cuda.streams.Event", "torch.Event"})
_CLOCK = Symbol(Import("time", "time"), "perf_counter")
_BARRIER = "XP204"


@dataclass
class _Pair:
    """The events of a function that measure times together."""

    makers: list[ast.Assign] = field(default_factory=list)
    records: list[tuple[str, ast.Expr]] = field(default_factory=list)
    waits: list[ast.Expr] = field(default_factory=list)
    """``end.synchronize()``"""
    elapsed: list[ast.Call] = field(default_factory=list)
    obstacle: ast.AST | None = None
    """A use that is more than taking a time."""


class EventTiming(Rule):
    """Take the time by the clock, with the device waited for, where CUDA's events took it.

    ## What it does
    Events that are made, recorded and compared in one function become numbers: `start.record()` becomes
    `torch_xla.sync()`, `xm.wait_device_ops()` and `start = time.perf_counter()`, and `start.elapsed_time(end)` becomes
    `(end - start) * 1000`, which is in milliseconds as before.

    ## Why
    `record()` raises without an NVIDIA GPU. On a TPU work waits in a graph until `torch_xla.sync()` runs it, and runs
    beside the program until something waits for it.

    ## Example
        def measure(model, x):
            start = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            start.record()
            model(x)
            end.record()
            return start.elapsed_time(end)

    becomes

        def measure(model, x):
            torch_xla.sync()
            xm.wait_device_ops()
            start = time.perf_counter()
            model(x)
            torch_xla.sync()
            xm.wait_device_ops()
            end = time.perf_counter()
            return (end - start) * 1000

    ## When it is wrong
    The clock also counts what Python takes to build the graph, and the first steps compile: leave them out of the
    times. In a loop, host and TPU take turns: time many steps at once, or every n-th. In a training step nothing is
    rewritten, since the calls would split the step's graph; in a trace they would raise.

    ## When it is left alone
    Events that are handed to another function or kept in an object; events in a training step or a trace; what another
    library calls an event.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.

    ## Related
    XP204, XP210, XP824.
    """

    code = "XP212"
    name = "event-timing"
    summary = "times by CUDA's events are taken by the clock, with the device waited for"
    applicability = Applicability.UNSAFE
    harm = Harm.WRONG
    traits = (Trait.LAZY_GRAPH,)
    words = ("elapsed_time",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for the events of each function."""
        for pair in _pairs(context):
            first = pair.makers[0]
            obstacle = _obstacle(context, pair)
            if obstacle is not None:
                yield self.finding(context.place(first.value), obstacle, applicability=Applicability.MANUAL)
                continue
            edits = _edits(context, pair)
            if edits is None:
                continue  # another rule is about to write the wait
            yield self.finding(context.span(first.value), say("XP212.clock"), *edits[0], imports=edits[1])


def _pairs(context: Context) -> Iterator[_Pair]:
    """The events of each function that take times, all together."""
    found: dict[ast.AST | None, _Pair] = {}
    for made in context.module.nodes:
        if not isinstance(made, ast.Assign) or len(made.targets) != 1:
            continue
        names, values = _parts(made)
        if not values or not all(_is_timed(context, value) for value in values):
            continue
        pair = found.setdefault(context.module.function(made), _Pair())
        pair.makers.append(made)
        for name in names:
            _collect(context, pair, made, name)
    yield from (pair for pair in found.values() if pair.elapsed or (pair.obstacle and pair.records))


def _parts(made: ast.Assign) -> tuple[list[ast.expr], list[ast.expr]]:
    target, value = made.targets[0], made.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return target.elts, value.elts
    return [target], [value]


def _is_timed(context: Context, value: ast.expr) -> bool:
    return (
        isinstance(value, ast.Call)
        and context.resolve(value.func) in _EVENTS
        and any(k.arg == "enable_timing" for k in value.keywords)
    )


def _collect(context: Context, pair: _Pair, made: ast.Assign, name: ast.expr) -> None:
    """Note how an event is used."""
    home = context.names.home(name) if isinstance(name, ast.Name) else None
    if home is None or not isinstance(name, ast.Name) or not _is_local(context, made, name):
        pair.obstacle = pair.obstacle or made
        return
    for use in context.names.uses(home, name.id):
        method = context.module.parents[use]
        call = context.module.parents[method]
        if isinstance(method, ast.Call) and use in method.args and _is_elapsed(method):
            continue  # the other event has it
        statement = context.module.parents[call]
        is_called = isinstance(method, ast.Attribute) and isinstance(call, ast.Call) and call.func is method
        if is_called and isinstance(call, ast.Call) and _is_elapsed(call):
            if not context.editable(call):
                pair.obstacle = pair.obstacle or use
            elif call not in pair.elapsed:
                pair.elapsed.append(call)
        elif is_called and isinstance(call, ast.Call) and isinstance(statement, ast.Expr) and _is_bare(call, "record"):
            if all(statement is not other for _, other in pair.records):
                pair.records.append((name.id, statement))
        elif (
            is_called
            and isinstance(call, ast.Call)
            and isinstance(statement, ast.Expr)
            and _is_bare(call, "synchronize")
        ):
            if statement not in pair.waits:
                pair.waits.append(statement)
        else:
            pair.obstacle = pair.obstacle or use


def _is_bare(call: ast.Call, method: str) -> bool:
    """``end.record()``, without a stream."""
    return isinstance(call.func, ast.Attribute) and call.func.attr == method and not call.args and not call.keywords


def _is_event(context: Context, value: ast.expr) -> bool:
    values = value.elts if isinstance(value, ast.Tuple) else [value]
    return all(_is_timed(context, v) for v in values)


def _is_local(context: Context, made: ast.Assign, name: ast.Name) -> bool:
    """Whether a name is an event wherever it is used, and no other function or file may use it."""
    function = context.module.function(made)
    home = context.names.home(name)
    if home is None or not all(b.value is not None and _is_event(context, b.value) for b in home.bindings[name.id]):
        return False
    if any(context.module.function(use) is not function for use in context.names.uses(home, name.id)):
        return False
    program, own = context.view.program, context.view.own
    return not (function is None and context.view.importers and program.used_elsewhere(own.file, [name.id]))


def _is_elapsed(call: ast.Call) -> bool:
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "elapsed_time"
    return is_method and len(call.args) == 1 and isinstance(call.args[0], ast.Name)


def _obstacle(context: Context, pair: _Pair) -> Text | None:
    """Why the events stay."""
    sync, wait = (context.symbol(name, pair.makers[0])[0] for name in ("sync", "wait_device_ops"))
    use = pair.obstacle
    for _, record in pair.records if use is None else ():
        line = context.line(record)
        loop = context.loops.around(record)
        if loop is not None and loop.kind is LoopKind.TRAIN:
            return say("XP212.step", sync=sync, wait=wait, line=line)
        if traces_around(context, record):
            return say("XP212.trace", sync=sync, wait=wait, line=line)
        if _is_one_line(context, record):
            use = record
            break
    recorded = {name for name, _ in pair.records}
    for call in pair.elapsed:
        assert isinstance(call.func, ast.Attribute)
        sides = [call.func.value, *call.args]
        if any(isinstance(side, ast.Name) and side.id not in recorded for side in sides):
            use = use or call
    return say("XP212.by_hand", sync=sync, wait=wait, line=context.line(use)) if use is not None else None


def _is_one_line(context: Context, statement: ast.stmt) -> bool:
    block = context.module.block(statement)
    return any(other is not statement and other.lineno == statement.lineno for other in block)


def _edits(context: Context, pair: _Pair) -> tuple[list[Edit], tuple[Import, ...]] | None:
    imports: dict[Import, None] = {}
    clock, more = context.spell(_CLOCK, pair.makers[0])
    imports.update(dict.fromkeys(more))
    edits: list[Edit] = [RemoveStatement(context.span(made)) for made in pair.makers]
    edits += [RemoveStatement(context.span(wait)) for wait in pair.waits]
    for name, record in pair.records:
        wait, wait_imports = waiting(context, record)
        block = context.module.block(record)
        at = block.index(record)
        behind = block[at + 1 :]
        if _BARRIER in context.codes and any(
            _asks_cuda(context, s) for s in [*block[max(at - 1, 0) : at], *behind[:2]]
        ):
            return None
        last = _last_wait(context, behind, pair)
        if at and _waits(context, block[at - 1]):
            edits.append(ReplaceStatement(context.span(record), f"{name} = {clock}()"))
        elif last is not None:
            edits.append(RemoveStatement(context.span(record)))
            edits.append(InsertStatement(context.span(last), f"{name} = {clock}()"))
        else:
            edits.append(ReplaceStatement(context.span(record), f"{wait}\n{name} = {clock}()"))
            imports.update(dict.fromkeys(wait_imports))
    for call in pair.elapsed:
        assert isinstance(call.func, ast.Attribute)
        text = f"({ast.unparse(call.args[0])} - {ast.unparse(call.func.value)}) * 1000"
        edits.append(Replace(context.span(call), f"({text})" if _binds_closer(context, call) else text))
    return edits, tuple(imports)


def _binds_closer(context: Context, call: ast.expr) -> bool:
    """Whether what stands around a call would take a part of the product that takes its place."""
    around = context.module.parents[call]
    if isinstance(around, ast.BinOp):
        return around.right is call or isinstance(around.op, ast.Pow)
    return isinstance(around, ast.Attribute | ast.Subscript | ast.UnaryOp)


def _asks_cuda(context: Context, statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and context.resolve(call.func) in SYNCHRONIZE


def _waits(context: Context, statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    wait = context.target.symbol("wait_device_ops").qualified
    return isinstance(call, ast.Call) and context.resolve(call.func) in {wait, *SYNCHRONIZE}


def _last_wait(context: Context, statements: list[ast.stmt], pair: _Pair) -> ast.stmt | None:
    """The wait that follows at once: ``torch_xla.sync()`` and ``xm.wait_device_ops()`` behind ``end.record()``."""
    for statement in statements:
        call = statement.value if isinstance(statement, ast.Expr) else None
        if _waits(context, statement):
            return statement
        is_barrier = isinstance(call, ast.Call) and context.resolve(call.func) in context.target.barriers
        if not is_barrier and statement not in pair.waits:
            return None
    return None
