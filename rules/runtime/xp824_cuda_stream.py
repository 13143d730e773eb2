"""XP824: streams of CUDA, and the events that order them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.module import is_elif
from xlaport.rule import Applicability, Edit, Finding, Harm, ReplaceStatement, Rule, replaced_by
from xlaport.wording import Text

from .._lib.blocks import lifted
from .._lib.removal import is_effect_free, removal
from .._lib.runtime.saying import say

_MAKERS = frozenset({"torch.cuda.Stream", "torch.cuda.streams.Stream", "torch.Stream"})
_ASKING = frozenset({"torch.cuda.current_stream", "torch.cuda.default_stream"})
_EVENTS = frozenset({"torch.cuda.Event", "torch.cuda.streams.Event", "torch.Event"})
_SWITCHES = frozenset({"torch.cuda.stream", "torch.cuda.StreamContext"})
_SETTERS = frozenset({"torch.cuda.set_stream"})
_ORDERING = frozenset({"wait_stream", "wait_event", "synchronize", "record", "record_event", "wait"})
"""Methods of streams and events that only say what runs after what."""
_TAKING = frozenset({"wait_stream", "wait_event", "record_stream", "record", "wait"})
"""Methods that take a stream or an event."""


@dataclass
class _Held:
    """A stream or an event that has a name, with what becomes of the statements that use it."""

    made: ast.Assign
    orders: list[ast.stmt] = field(default_factory=list)
    """The statements that only order."""
    blocks: list[ast.With] = field(default_factory=list)
    """What runs in the stream."""
    obstacle: Text | None = None
    """What is said of one that stays."""

    def edits(self, context: Context) -> list[Edit]:
        """What takes it out."""
        lifts: list[Edit] = [lifted(context, block, block.body) for block in self.blocks]
        return [*_removed(context, [self.made, *self.orders]), *lifts]


class Streams(Rule):
    """Remove streams: what runs in them runs in its order.

    ## What it does
    Removes `torch.cuda.Stream()`, `with torch.cuda.stream(s):` around its block, `wait_stream()`, `wait_event()`,
    `synchronize()` of a stream, `record_stream()`, and the events that only order streams. A stream is removed with all
    of its uses or not at all.

    ## Why
    A stream raises without an NVIDIA GPU. XLA runs one graph after the other, and copies to the TPU run beside them
    anyway: what streams order is in order. To load the next batch while a step runs, use `pl.MpDeviceLoader`.

    ## Example
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            batch = batch.to("cuda", non_blocking=True)
        torch.cuda.current_stream().wait_stream(stream)

    becomes

        batch = batch.to("cuda", non_blocking=True)

    ## When it is wrong
    Where the program checks whether a stream has finished: such a stream is reported.

    ## When it is left alone
    Streams that are passed on, or whose end is checked: then all uses of that stream stay, and it is reported.

    ## Sources
    - Measured on PyTorch 2.9 without an NVIDIA GPU, for each name of `rules/cuda_api.toml`.
    - PyTorch, CUDA semantics: https://docs.pytorch.org/docs/stable/notes/cuda.html

    ## Related
    XP204, XP212, XP202.
    """

    code = "XP824"
    name = "cuda-stream"
    summary = "streams of CUDA go, and what runs in them stays"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = ("Stream", "stream", "Event")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each stream or event, and for what is ordered without a name."""
        for made in context.module.nodes:
            held = _held(context, made)
            if held is None:
                continue
            assert isinstance(made, ast.Assign)
            if held.obstacle is None:
                text = say("XP824.held", what=_shown(made.value), name=ast.unparse(made.targets[0]))
                yield self.finding(context.span(made.value), text, *_first(held.edits(context)))
            elif not _is_call(context, made.value, _EVENTS):
                yield self.finding(context.place(made.value), held.obstacle)
        yield from self._nameless(context)

    def _nameless(self, context: Context) -> Iterator[Finding]:
        """``torch.cuda.current_stream().synchronize()``, ``with torch.cuda.stream(torch.cuda.Stream()):``."""
        for node in context.module.nodes:
            if isinstance(node, ast.Expr) and isinstance(call := node.value, ast.Call):
                if _orders_without_name(context, call):
                    text = say("XP824.nameless", what=f"{ast.unparse(call.func)}()")
                    yield self.finding(context.span(call), text, removal(context, node))
            elif isinstance(node, ast.With) and len(node.items) == 1 and not node.items[0].optional_vars:
                call = node.items[0].context_expr
                if _is_call(context, call, _SWITCHES) and all(_is_nameless(context, a) for a in _arguments(call)):
                    text = say("XP824.nameless", what=ast.unparse(call))
                    yield self.finding(context.span(call), text, lifted(context, node, node.body))


def _shown(made: ast.expr) -> str:
    return f"{ast.unparse(made).partition('(')[0]}()"


def _orders_without_name(context: Context, call: ast.Call) -> bool:
    if _is_call(context, call, _SETTERS):
        return all(_is_nameless(context, a) for a in _arguments(call))
    func = call.func
    if not isinstance(func, ast.Attribute) or not all(_is_nameless(context, a) for a in _arguments(call)):
        return False
    return func.attr in _ORDERING and _is_nameless(context, func.value)


def _arguments(call: ast.expr) -> list[ast.expr]:
    return [*call.args, *(k.value for k in call.keywords)] if isinstance(call, ast.Call) else []


def _is_nameless(context: Context, node: ast.expr) -> bool:
    """``torch.cuda.current_stream()``."""
    return _is_call(context, node, _ASKING | _MAKERS) and is_effect_free(context, *_arguments(node))


def _is_call(context: Context, node: ast.AST, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Call) and context.resolve(node.func) in names


# -- what has a name -----------------------------------------------------------------------------------


def _held(context: Context, made: ast.AST) -> _Held | None:
    """The stream or the event that a statement makes."""
    if not isinstance(made, ast.Assign) or len(made.targets) != 1:
        return None
    value, target = made.value, made.targets[0]
    if not _is_call(context, value, _MAKERS | _ASKING | _EVENTS) or not isinstance(target, ast.Name | ast.Attribute):
        return None
    timed = any(k.arg == "enable_timing" for k in value.keywords) if isinstance(value, ast.Call) else False
    if timed or not is_effect_free(context, *_arguments(value)):
        return None
    held = _Held(made)
    uses = _uses(context, target)
    if uses is None:
        held.obstacle = say("XP824.unknown", what=_shown(value), name=ast.unparse(target))
    for use in uses or ():
        statement = _ordering(context, use)
        if isinstance(statement, ast.With):
            held.blocks.append(statement)
        elif statement is None:
            line = context.line(use)
            held.obstacle = say("XP824.left", what=_shown(value), name=ast.unparse(target), line=line)
            break
        elif statement not in held.orders:
            held.orders.append(statement)
    return held


def _removed(context: Context, statements: list[ast.stmt]) -> list[Edit]:
    """The edits that take out several statements, and an ``if`` that guards nothing else."""
    gone = list(statements)
    while (guard := next((p for s in gone if (p := _emptied(context, s, gone)) is not None), None)) is not None:
        gone = [s for s in gone if s not in guard.body] + [guard]
    edits: list[Edit] = []
    for statement in gone:
        block = context.module.block(statement)
        is_last = len(block) > 1 and statement is block[0] and all(other in gone for other in block)
        edits.append(ReplaceStatement(context.span(statement), "pass") if is_last else removal(context, statement))
    return edits


def _emptied(context: Context, statement: ast.stmt, gone: list[ast.stmt]) -> ast.If | None:
    """The ``if`` around a statement that has nothing left."""
    guard = context.module.parents[statement]
    if not isinstance(guard, ast.If) or guard.orelse or is_elif(context.module, guard) or len(guard.body) < 2:
        return None
    return guard if all(s in gone for s in guard.body) and is_effect_free(context, guard.test) else None


def _uses(context: Context, target: ast.Name | ast.Attribute) -> list[ast.expr] | None:
    """All uses of a name, or of an attribute of ``self``; None where not all of them are seen."""
    if isinstance(target, ast.Name):
        home = context.names.home(target)
        if home is None or len(home.bindings[target.id]) != 1:
            return None
        own = context.view.own
        if home is context.names.root and context.view.importers:
            if context.view.program.used_elsewhere(own.file, [target.id]):
                return None
        return list(context.names.uses(home, target.id))
    owner = context.module.class_of(target)
    if owner is None or not isinstance(target.value, ast.Name) or target.value.id != "self":
        return None
    same = [n for n in context.module.nodes if isinstance(n, ast.Attribute) and n.attr == target.attr]
    same = [n for n in same if context.resolve(n) is None]
    is_own = all(
        isinstance(n.value, ast.Name) and n.value.id == "self" and context.module.class_of(n) is owner for n in same
    )
    written = re.compile(rb"(?<!cuda)\.%s\b(?!\()" % target.attr.encode())
    elsewhere = any(written.search(context.view.program.data(file)) for file in context.view.importers)
    if not is_own or elsewhere or sum(isinstance(n.ctx, ast.Store) for n in same) != 1:
        return None
    return [n for n in same if isinstance(n.ctx, ast.Load)]


def _ordering(context: Context, use: ast.expr) -> ast.stmt | None:
    """The statement that a use stands in: an order, or the block that runs in a stream; None for anything else."""
    call = context.module.parents[use]
    if isinstance(call, ast.Attribute) and call.attr in _ORDERING:
        call = context.module.parents[call]
    if not isinstance(call, ast.Call):
        return None
    statement = context.module.parents[call]
    if isinstance(statement, ast.withitem):
        block = context.module.parents[statement]
        is_plain = isinstance(block, ast.With) and len(block.items) == 1 and statement.optional_vars is None
        if isinstance(block, ast.With) and is_plain and _is_call(context, call, _SWITCHES):
            return block
        return None
    if not isinstance(statement, ast.Expr):
        return None
    func = call.func
    takes = isinstance(func, ast.Attribute) and func.attr in _TAKING | _ORDERING
    owner = [func.value] if isinstance(func, ast.Attribute) else []
    others = [part for part in [*_arguments(call), *owner] if part is not use]
    if not (takes or _is_call(context, call, _SETTERS)):
        return None
    if not all(_is_nameless(context, part) or is_effect_free(context, part) for part in others):
        return None
    return statement


def _first(edits: list[Edit]) -> list[Edit]:
    """The edits of this round: those that lie inside of others, if there are such, since a block is lifted as it is."""
    spans = [span for edit in edits if (span := replaced_by(edit)) is not None]
    nested = [
        edit
        for edit in edits
        if (own := replaced_by(edit)) is not None and any(s is not own and s != own and s.contains(own) for s in spans)
    ]
    return nested or edits
