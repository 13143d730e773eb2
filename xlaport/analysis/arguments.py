"""What a call passes to a function of the program, parameter by parameter."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xlaport.analysis import value as types
from xlaport.analysis.definitions import Function, defaults, parameters
from xlaport.analysis.frame import Frame
from xlaport.analysis.places import setting
from xlaport.analysis.value import UNKNOWN, Value, each, keyed


class Argument(NamedTuple):
    """What a parameter gets."""

    parameter: str
    value: Value | None
    """None: what the caller got itself, of which nothing is known."""
    written: ast.expr | None = None
    """The expression that is passed, where one stands in the call."""
    is_default: bool = False


def passed_by(
    frame: Frame,
    function: Function,
    arguments: Sequence[Value],
    keywords: Mapping[str | None, Value],
    node: ast.AST | None,
    bound_to: ast.expr | None,
) -> Iterator[Argument]:
    """What a call passes."""
    given = getattr(function.node, "args", None)
    if not isinstance(given, ast.arguments):
        return
    written = written_for(node, len(arguments))
    if written[:1] == [None] and None not in written[1:]:
        written[0] = bound_to
    positional = [p.arg for p in (*given.posonlyargs, *given.args)]
    open_ = [p.arg for p in parameters(given)]
    """The parameters that nothing has been passed for."""
    rest: list[Value] = []
    is_whole = True
    for place, (value, source) in enumerate(_spread(arguments, written)):
        if isinstance(source, ast.Starred):
            given_so = None if _is_own_rest(frame, source.value) else each(value)
            yield from (Argument(name, given_so) for name in positional[place:] if name not in keywords)
            open_ = [name for name in open_ if name not in positional or name in keywords]
            is_whole = False
            break
        if place < len(positional):
            yield Argument(positional[place], value, source)
            open_.remove(positional[place])
        else:
            rest.append(value)
    if given.vararg is not None and is_whole:
        yield Argument(given.vararg.arg, Value(types.OBJECT, elements=tuple(rest)))
    by_name = {k.arg: k.value for k in node.keywords} if isinstance(node, ast.Call) else {}
    more: dict[object, Value] = {}
    for keyword, value in keywords.items():
        if keyword is None:
            spread = [k.value for k in node.keywords if k.arg is None] if isinstance(node, ast.Call) else []
            given_so = None if spread and all(_is_own_rest(frame, one) for one in spread) else UNKNOWN
            names = [name for name in open_ if name not in keywords]
            at = {name: setting(frame, value, node, name) for name in names if node is not None}
            yield from (Argument(name, given_so.or_at(at[name]) if given_so and at else given_so) for name in names)
        elif keyword in open_:
            yield Argument(keyword, value, by_name.get(keyword))
            open_.remove(keyword)
        elif given.kwarg is not None:
            more[keyword] = value
    if given.kwarg is not None and None not in keywords:
        yield Argument(given.kwarg.arg, keyed(Value(types.OBJECT), more))
    if None not in keywords:
        for name, default in defaults(given).items():
            if name in open_:
                yield Argument(name, frame.around.value_at(default) or UNKNOWN, is_default=True)


def _is_own_rest(frame: Frame, node: ast.expr) -> bool:
    """Whether a function hands on what it got by ``*args`` or ``**kwargs``, of which nothing is known."""
    given = getattr(frame.function.node, "args", None)
    if not isinstance(node, ast.Name) or not isinstance(given, ast.arguments):
        return False
    value = frame.variables.get(node.id)
    is_rest = any(rest is not None and rest.arg == node.id for rest in (given.vararg, given.kwarg))
    return is_rest and (value is None or value.element is None)


def written_for(node: ast.AST | None, count: int) -> list[ast.expr | None]:
    """The expressions of the last of so many arguments; None for those in front that do not stand in the brackets."""
    written = node.args if isinstance(node, ast.Call) else []
    return [*[None] * (count - len(written)), *written[max(len(written) - count, 0) :]]


def _spread(arguments: Sequence[Value], written: Sequence[ast.expr | None]) -> Iterator[tuple[Value, ast.expr | None]]:
    """The positional arguments of a call, with those that a star spreads one by one, where they are known."""
    for value, source in zip(arguments, written, strict=True):
        if isinstance(source, ast.Starred) and value.elements is not None:
            yield from ((element, None) for element in value.elements)
        else:
            yield value, source


def told_apart(node: ast.Call, arguments: Sequence[Value]) -> list[Value]:
    """What a call passes; of what a star spreads, nothing is known."""
    written = written_for(node, len(arguments))
    return [UNKNOWN if isinstance(w, ast.Starred) else v for v, w in zip(arguments, written, strict=True)]
