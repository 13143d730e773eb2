"""Writes a loop that generates with a context of a fixed size: a buffer, and on the device, how much of it is written.

What stands behind is seen by no place before it, if the model is causal. One shape, one graph, and nothing is read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.finding import Import
from xlaport.rule import Edit, InsertStatement, RemoveStatement, Replace, ReplaceStatement, Span, Trait
from xlaport.target import Symbol

from .fixed_context import FixedContext

_TORCH = Import("torch", "torch")
_LENGTH = ("length", "filled", "tokens_so_far")
_WINDOW = ("window", "places", "window_places")
_FIRST = ("first", "begin", "window_begin")
_MISSING = ("missing", "new_tokens", "missing_tokens")


def written(context: Context, fixed: FixedContext) -> tuple[tuple[Edit, ...], tuple[Import, ...]]:
    """The edits, and the imports that they need; no edits where a place cannot be written."""
    names = [_free(context, fixed.loop, wanted) for wanted in (_LENGTH, _WINDOW, _FIRST, _MISSING)]
    places = [node for node, _ in fixed.uses.cuts] + fixed.uses.wholes + fixed.uses.reads + fixed.uses.own_reads
    if None in names or not all(map(context.editable, [fixed.loop, fixed.joined, *places, *fixed.opened])):
        return (), ()
    writing = _Writing(context, fixed, *map(str, names))
    return tuple(writing.edits()), tuple(dict.fromkeys(writing.imports))


def _free(context: Context, node: ast.AST, wanted: tuple[str, ...]) -> str | None:
    return next((name for name in wanted if context.names.is_free(name, node)), None)


class _Writing:
    def __init__(
        self, context: Context, fixed: FixedContext, length: str, window: str, first: str, missing: str
    ) -> None:
        self.context, self.fixed = context, fixed
        self.passes = fixed.passes if isinstance(fixed.loop, ast.For) else missing
        self.length, self.window, self.first = length, window, first
        self.size = context.module.segment(fixed.size) if fixed.size is not None else None
        if isinstance(fixed.size, ast.Constant):
            self.size = str(fixed.size.value)
        self.imports: list[Import] = []

    def edits(self) -> Iterator[Edit]:
        """All edits, in no order."""
        fixed, span = self.fixed, self.context.span
        yield InsertStatement(span(fixed.loop), self._before(), before=True)
        if isinstance(fixed.loop, ast.While):
            head = Span(span(fixed.loop).start, span(fixed.loop.test).end)
            yield Replace(head, f"for _ in range({self.passes})")
        yield from self._barriers()
        if self.size is not None:
            places = (self.context.module.place_in(fixed.loop.body, node) for node, _ in fixed.uses.cuts)
            at = span(fixed.loop.body[min(place or 0 for place in places)])
            size = self.size if self.size.replace(".", "").replace("_", "").isalnum() else f"({self.size})"
            yield InsertStatement(at, f"{self.first} = ({self.length} - {size}).clamp(min=0)", before=True)
        cut = f"{fixed.name}.index_select(1, {self.first} + {self.window})"
        for node, _ in fixed.uses.cuts:
            if isinstance(node, ast.If):
                target = next(n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
                yield ReplaceStatement(span(node), f"{target.id} = {cut}")
            else:
                yield Replace(span(node), cut)
        for whole in fixed.uses.wholes:
            yield Replace(span(whole), f"{fixed.name}[:, :-1]")
        last = f"{self.length} - 1" if self.size is None else f"{self.length} - {self.first} - 1"
        yield from (self._selected(read, last) for read in fixed.uses.reads)
        yield from (self._selected(read, f"{self.length} - 1") for read in fixed.uses.own_reads)
        for read in fixed.opened:
            yield Replace(span(read), self.context.module.segment(read.value))
        if any(isinstance(node, ast.Break | ast.Continue) for node in walk_block(fixed.loop.body)):
            yield InsertStatement(span(fixed.loop), f"{fixed.name} = {fixed.name}.narrow(1, 0, int({self.length}))")

    def _before(self) -> str:
        name, passes = self.fixed.name, self.passes
        call = self.fixed.joined.value
        assert isinstance(call, ast.Call)
        join, rest = self.context.module.segment(call.func), f", *{name}.shape[2:]" if self.fixed.are_rows else ""
        tensor = self._torch("tensor")
        lines = [f"{passes} = {self.fixed.passes}"] if isinstance(self.fixed.loop, ast.While) else []
        lines += [f"{self.length} = {tensor}([{name}.size(1)], device={name}.device)  # what is written of {name}"]
        if self.size is not None:
            places = f"min({self.size}, {name}.size(1) + {passes} - 1)"
            lines.append(f"{self.window} = {self._torch('arange')}({places}, device={name}.device)")
        lines.append(f"{name} = {join}(({name}, {name}.new_zeros({name}.size(0), {passes}{rest})), dim=1)")
        if self.context.target.is_a(Trait.LAZY_GRAPH):
            lines.append(f"{self._sync()}()")
        return "\n".join(lines)

    def _barriers(self) -> Iterator[Edit]:
        """The new token is written, and what cut the graph before that cuts it behind."""
        joined = self.fixed.joined
        known = self.context.loops.step_loop(self.fixed.loop)
        calls = filter(self.context.loops.stepping.is_barrier, known.barriers if known is not None else ())
        barriers = [self.context.module.statement(call) for call in calls]
        early = [s for s in barriers if isinstance(s, ast.Expr) and s.lineno < joined.lineno]
        yield from (RemoveStatement(self.context.span(statement)) for statement in early)
        name, whole, added = self.fixed.name, self.context.span(joined), self.context.span(self.fixed.added)
        before = f"{name}, {self.length} = {name}.index_copy(1, {self.length}, "
        yield Replace(Span(whole.start, added.start), before)
        yield Replace(Span(added.end, whole.end), f"), {self.length} + 1")
        if early and len(early) == len(barriers):
            yield InsertStatement(whole, f"{self._sync()}()")

    def _selected(self, read: ast.Subscript, place: str) -> Edit:
        """``logits.index_select(1, …)`` before the index of ``logits[:, -1, :]``."""
        module = self.context.module
        at = module.text.index("[", module.span(read.value).end)
        return Replace(Span(at, at), f".index_select(1, {place})")

    def _torch(self, attribute: str) -> str:
        text, imports = self.context.spell(Symbol(_TORCH, attribute), self.fixed.loop)
        self.imports += imports
        return text

    def _sync(self) -> str:
        text, imports = self.context.symbol("sync", self.fixed.loop)
        self.imports += imports
        return text
