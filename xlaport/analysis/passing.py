"""Numbers that are others in the next pass of a loop: what is counted, added to, or taken from a row of such numbers;
and tensors that are larger.

`Value.turns` has the places: where a number is counted or added to, and, once it is another in each pass, the loop; or
the call of ``next()`` that gives another one each time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from xlaport.analysis.frame import Frame
from xlaport.analysis.value import DEEPEST, NUMBER, How, Site, Turn, Value, together
from xlaport.facts.change import A_FEW
from xlaport.facts.held import ONE_INTEGER

_NOTHING_ADDED = {ast.Add: 0, ast.Sub: 0, ast.Mult: 1, ast.Div: 1, ast.FloorDiv: 1}
KEEPING = frozenset("builtins." + name for name in "int float round abs max".split())
"""Functions whose result changes where an argument does."""


def at(frame: Frame, node: ast.expr | ast.stmt) -> frozenset[Turn]:
    """A loop, a counter or a call of ``next()`` as the place where numbers change."""
    return frozenset(Turn(site, How.EACH_TIME) for site in frame.site(node))


def counter(turns: frozenset[Turn], bounds: Sequence[Value]) -> Value:
    """One of the numbers that a counter gives, such as ``range(n)``; a few are met soon."""
    known = [bound.constant for bound in bounds if isinstance(bound.constant, int)]
    is_few = bool(known) and len(known) == len(bounds) and 0 not in known[2:] and len(range(*known)) <= A_FEW
    return Value(NUMBER, holds=ONE_INTEGER, because="counts a range", turns=frozenset() if is_few else turns)


def taken(value: Value, turns: frozenset[Turn], depth: int = 0) -> Value:
    """One of a row of values, another one each time: what is a number that changes in the row, changes there."""
    if any(turn.how is How.EACH_TIME for turn in value.turns):
        return value._replace(turns=together(value.turns, turns))
    if value.elements is None or value.keys is not None or depth >= DEEPEST:
        return value
    return value._replace(elements=tuple(taken(element, turns, depth + 1) for element in value.elements))


def by_place(value: Value) -> Value:
    """What is taken of a row by its place, which need not be another one each time."""
    return value._replace(turns=frozenset()) if value.turns else value


def taken_from(row: Value, value: Value, turns: frozenset[Turn]) -> Value:
    """What a loop takes from a row; of more than a few numbers that are written there, each is another one."""
    if row.elements is not None and not row.keys and value.type == NUMBER:
        if len({element.constant for element in row.elements}) > A_FEW:
            return value._replace(turns=together(value.turns, turns))
    return taken(value, turns)


def yielded(value: Value, frame: Frame, node: ast.Yield) -> Value:
    """One of the row that a generator gives: a number is another one in each pass of a loop around the ``yield``."""
    if not value.turns:
        return value
    (here,) = frame.site(node)
    return value._replace(
        turns=frozenset(turn for turn in value.turns if turn.how is How.EACH_TIME and _holds(turn.site, here))
    )


def computed(operator: ast.operator, left: Value, right: Value) -> frozenset[Turn]:
    """Where a number changes that is computed from two; ``i % 2`` has few values."""
    if isinstance(operator, ast.Mod | ast.BitAnd) and isinstance(right.constant, int) and right.constant <= A_FEW:
        return frozenset()
    return together(left.turns, right.turns)


def of_any(values: Iterable[Value]) -> frozenset[Turn]:
    """Where one of several numbers changes."""
    return together(*(value.turns for value in values))


def added(frame: Frame, value: Value, statement: ast.AugAssign | ast.Assign, operand: Value) -> Value:
    """What a number is that something has been added to: ``n += 1``, ``n = n + 1``."""
    operator = statement.op if isinstance(statement, ast.AugAssign) else getattr(statement.value, "op", None)
    neutral = next((neutral for kind, neutral in _NOTHING_ADDED.items() if isinstance(operator, kind)), None)
    if value.type != NUMBER or (operand.constant is not None and operand.constant == neutral):
        return value
    return gone_on(frame, value, statement)


def gone_on(frame: Frame, value: Value, node: ast.AST, how: How = How.GOES_ON) -> Value:
    """What is what it was, and something more, or others joined to it."""
    if not isinstance(node, ast.expr | ast.stmt):
        return value
    return value._replace(turns=together(value.turns, frozenset(Turn(site, how) for site in frame.site(node))))


def assigned(frame: Frame, value: Value, statement: ast.Assign, is_of_itself: bool) -> Value:
    """What a target gets, and whether that is made of what it was: of another one, it does not go on."""
    if is_of_itself and any(turn.how is not How.EACH_TIME for turn in value.turns):
        return gone_on(frame, value, statement)
    return value._replace(turns=frozenset(turn for turn in value.turns if turn.how is not How.GOES_ON))


def carry(frame: Frame, loop: ast.For | ast.AsyncFor | ast.While) -> None:
    """At the begin of a further pass: what goes on from the one before is another in each."""
    (turn,) = at(frame, loop)
    for name, value in frame.variables.items():
        if value.turns or value.keys:
            frame.variables[name] = _carried(value, turn)


def _carried(value: Value, loop: Turn, depth: int = 0) -> Value:
    if any(turn.how is How.GOES_ON and _holds(loop.site, turn.site) for turn in value.turns):
        return value._replace(turns=together(value.turns, frozenset({loop})))
    if not value.elements or not value.keys or depth >= DEEPEST:
        return value
    elements = tuple(_carried(element, loop, depth + 1) for element in value.elements)
    is_same = all(one is other for one, other in zip(elements, value.elements, strict=True))
    return value if is_same else value._replace(elements=elements)


def _holds(loop: Site, place: Site) -> bool:
    """Whether a place lies within a loop."""
    return loop.file == place.file and loop.line <= place.line <= place.end_line <= loop.end_line
