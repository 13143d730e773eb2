"""Reads of the last place, `logits[:, -1]`, of what is computed from a tensor whose last place is not written yet."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from xlaport.context import Context
from xlaport.facts.module import indices

from ..one_line import one_line
from .placed import device_of
from .source_places import LastRead, Made

_MAX_NAMES = 2
_SHORT = 40


def last_reads(
    context: Context,
    statements: Iterable[ast.stmt],
    is_source: Callable[[ast.expr], bool],
    axis: int | None,
    made: type[Made] = Made,
) -> list[LastRead]:
    """Where the statements, and the functions that they call, read the last place of what comes from a source."""
    return list(dict.fromkeys(made(context, context.view.own, is_source, axis, 0).reads(statements)))


def carried(
    context: Context, loop: ast.For | ast.AsyncFor | ast.While, is_source: Callable[[ast.expr], bool]
) -> str | None:
    """``cache`` of ``out, cache = model(tokens, cache)``: what a call that gets the source left in the last pass."""
    made = Made(context, context.view.own, is_source, None, 0)
    for statement in loop.body:
        for call in ast.walk(statement):
            if not isinstance(call, ast.Call):
                continue
            given = [*call.args, *(keyword.value for keyword in call.keywords)]
            if not any(made.gets(argument) for argument in given):
                continue
            for argument in given:
                if isinstance(argument, ast.Name) and _is_left(context, argument, call, is_source, 0):
                    return argument.id
    return None


def unseen(
    context: Context,
    loop: ast.For | ast.AsyncFor | ast.While,
    is_source: Callable[[ast.expr], bool],
    axis: int | None,
) -> str | None:
    """``model`` of ``out = model(tokens)`` where its code is not known, and the loop takes no last place of `out`."""
    made = Made(context, context.view.own, is_source, axis, 0)
    if any(not is_source(read.node.value) for read in made.reads(loop.body)):
        return None
    calls = [node for statement in loop.body for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return next(
        (
            context.module.segment(call.func)
            for call in calls
            if any(made.comes(given, 0) for given in [*call.args, *(k.value for k in call.keywords)])
            and made.is_unknown(call)
        ),
        None,
    )


def _is_left(
    context: Context, name: ast.Name, call: ast.Call, is_source: Callable[[ast.expr], bool], depth: int
) -> bool:
    """Whether a name may hold what a call gave, or a part of it, and not by way of the source."""
    if depth > _MAX_NAMES or is_source(name):
        return False
    for binding in context.names.reaching(name):
        for part in _values(binding.value) if binding.value is not None else ():
            if part is call:
                return True
            if isinstance(part, ast.Name) and _is_left(context, part, call, is_source, depth + 1):
                return True
    return False


def _values(node: ast.expr) -> Iterator[ast.AST]:
    """The parts that a value may be made of: not those that only choose between two."""
    todo: list[ast.AST] = [node]
    while todo:
        part = todo.pop()
        yield part
        todo += [part.body, part.orelse] if isinstance(part, ast.IfExp) else ast.iter_child_nodes(part)


def instead(
    context: Context, reads: list[LastRead], place: str, cut: ast.Subscript | None = None
) -> list[tuple[str, str, str]]:
    """What to write for some reads, what is there now, and in which line: with all of what is cut, where it is cut."""
    found: dict[tuple[str, str], str] = {}
    for read in reads:
        old = one_line(context.of(read.facts), read.node)
        found.setdefault((_instead(context, read, place, cut), old), context.line_of(read.facts, read.node))
    return [(new, old, line) for (new, old), line in found.items()]


def _instead(context: Context, read: LastRead, place: str, cut: ast.Subscript | None) -> str:
    """The same read at a place that a tensor of one element gives, on `{device}`."""
    value = read.node.value
    own = read.facts.module.segment(value)
    if cut is not None and any(node is cut for node in ast.walk(value)):
        own = own.replace(context.module.segment(cut), _whole(context, cut))
    base = own if len(own) <= _SHORT and "\n" not in own else "it"
    if "{device}" in place:
        place = place.replace("{device}", device_of(context.of(read.facts), value, read.node))
    if not read.plain:
        return f"{place} in dimension {read.axis}"
    squeezed = "" if read.keeps else f".squeeze({read.axis})"
    return f"{base}.index_select({read.axis}, {place}){squeezed}"


def _whole(context: Context, cut: ast.Subscript) -> str:
    """``x`` of ``x[:n]`` and of ``x[:, :n]``."""
    others = [element for element in indices(cut) if not isinstance(element, ast.Slice)]
    slices = [element for element in indices(cut) if isinstance(element, ast.Slice)]
    bounded = [element for element in slices if element.lower or element.upper or element.step]
    return context.module.segment(cut.value if not others and len(bounded) == 1 else cut)


def source_named(context: Context, name: ast.Name) -> Callable[[ast.expr], bool]:
    """Whether an expression is a name, as it stands in one scope."""
    home = context.names.home(name)
    return lambda node: isinstance(node, ast.Name) and node.id == name.id and context.names.home(node) is home
