"""Loops through names that are written there: each pass is told apart from the others.

``for part, data in (("train", a), ("valid", b))`` makes two loaders at one place.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from xlaport.analysis.containers import is_open, of_constant, with_key
from xlaport.analysis.folding import truth
from xlaport.analysis.frame import Frame
from xlaport.analysis.value import A_NAMED_TUPLE, OBJECT, TEXT, Value, join

_MOST = 6
_LEAVING = (ast.Break, ast.Continue, ast.Return)


def gone_through(frame: Frame, value: Value, body: Sequence[ast.stmt] = ()) -> tuple[Value, ...]:
    """What a loop goes through, where each of it is a name, or has one; nothing of others, and within such a loop."""
    if frame.turn or is_open(value):
        return ()
    found = value.elements or ()
    if value.keys and value.because != A_NAMED_TUPLE:
        found = tuple(map(of_constant, value.keys))
    is_told_apart = 0 < len(found) <= _MOST and all(map(_has_name, found)) and not _may_leave(body)
    return found if is_told_apart else ()


def _has_name(value: Value) -> bool:
    return any(part.type == TEXT and part.constant is not None for part in (value, *(value.elements or ())))


def _may_leave(statements: Sequence[ast.stmt]) -> bool:
    """Whether a pass may be left before its end."""
    return any(isinstance(node, _LEAVING) for statement in statements for node in ast.walk(statement))


def passes(frame: Frame, names: Sequence[Value], nodes: Sequence[ast.AST]) -> Iterator[Value]:
    """The names, one for each pass; behind the last one, some nodes have the values that they had in all of them."""
    inside = [part for node in nodes for part in ast.walk(node) if isinstance(part, ast.expr)]
    values, found = frame.around.values, dict[ast.AST, Value]()
    for turn, name in enumerate(names, start=1):
        frame.turn = str(turn)
        yield name
        for part in inside:
            if part in values:
                found[part] = join(found.get(part), values[part]) or values[part]
    frame.turn = ""
    values.update(found)


def comprehended(
    frame: Frame,
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
    names: Sequence[Value],
    parts: Sequence[ast.expr],
    assign: Callable[[ast.expr, Value, bool], None],
    all_of: Callable[[Sequence[ast.expr]], list[Value]],
) -> Value:
    """What a comprehension gives that goes through names: a dict by these, or each of its elements."""
    found, generator = Value(OBJECT, elements=(), because="a display", line=node.lineno), node.generators[0]
    for name in passes(frame, names, [generator.target, *generator.ifs, *parts]):
        assign(generator.target, name, True)
        if any(truth(value) is False for value in all_of(generator.ifs)):
            continue
        *key, value = all_of(parts)
        added = with_key(found, key[0].constant, value) if key else None
        kept = frame.kept(value, node, generator.iter) if added is None else value
        found = added or found._replace(elements=(*(found.elements or ()), kept))
    return found
