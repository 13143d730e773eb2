"""Numbers that are others in the next pass of a loop: what is counted, added to, or taken from a row of such numbers;
and tensors that are larger.

`Value.turns` has the places: where a number is counted or added to, and, once it is another in each pass, the loop; or
the call of ``next()`` that gives another one each time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence

from xlaport.analysis.frame import Frame
from xlaport.analysis.value import (
    DEEPEST,
    NUMBER,
    PENDING,
    TENSOR,
    Certainty,
    Device,
    How,
    Site,
    Turn,
    Value,
    together,
)  # fmt: skip
from xlaport.facts.change import A_FEW
from xlaport.facts.held import ONE_INTEGER

_NOTHING_ADDED = {ast.Add: 0, ast.Sub: 0, ast.Mult: 1, ast.Div: 1, ast.FloorDiv: 1}
KEEPING = frozenset("builtins." + name for name in "int float round abs max".split())
"""Functions whose result changes where an argument does."""


AS_MADE = frozenset({How.DRAWN, How.READ, How.COUNTED})


def as_made(turns: frozenset[Turn]) -> frozenset[Turn]:
    """Where a number is drawn, read or counted that is taken out of something, whatever else that is each time."""
    return frozenset(turn for turn in turns if turn.how in AS_MADE) if turns else turns


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
    return value._replace(turns=as_made(value.turns)) if value.turns else value


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
        turns=frozenset(
            turn
            for turn in value.turns
            if turn.how in AS_MADE or (turn.how is How.EACH_TIME and _holds(turn.site, here))
        )
    )


def computed(value: Value, operator: ast.operator, left: Value, right: Value) -> frozenset[Turn]:
    """Where a number changes that is computed from two; ``i % 2`` has few values. Of a tensor, where it is drawn, and
    where it is longer.
    """
    if value.type == TENSOR:
        drawn = as_made(together(left.turns, right.turns)) if value.device is Device.HOST else frozenset[Turn]()
        if isinstance(operator, ast.MatMult):
            return drawn
        return together(drawn, *(_longer(side) for side in (left, right) if side.type == TENSOR and side.turns))
    return frozenset() if _gives_few(operator, right) else together(left.turns, right.turns)


def _longer(tensor: Value) -> frozenset[Turn]:
    return tensor.turns - as_made(tensor.turns)


def _gives_few(operator: ast.operator, right: Value) -> bool:
    is_rest = isinstance(operator, ast.Mod | ast.BitAnd)
    return is_rest and isinstance(right.constant, int) and right.constant <= A_FEW


def of_any(values: Iterable[Value]) -> frozenset[Turn]:
    """Where one of several numbers changes."""
    return together(*(value.turns for value in values))


def of_smallest(node: ast.Call, values: Sequence[Value]) -> frozenset[Turn]:
    """Where the smallest of several numbers changes: not with a few, nor where it is the rest of what is done.

    ``min(size, total - done)`` is the same in all passes but the last ones.
    """
    if any(isinstance(value.constant, int) and value.constant <= A_FEW for value in values):
        return frozenset()
    changing = [part for part, value in zip(node.args, values, strict=False) if value.turns]
    are_rests = (isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) for part in changing)
    return frozenset() if len(changing) < len(values) and all(are_rests) else of_any(values)


def added(frame: Frame, value: Value, statement: ast.AugAssign | ast.Assign, operand: Value) -> Value:
    """What a number is that something has been added to: ``n += 1``, ``n = n + 1``."""
    operator = statement.op if isinstance(statement, ast.AugAssign) else getattr(statement.value, "op", None)
    neutral = next((neutral for kind, neutral in _NOTHING_ADDED.items() if isinstance(operator, kind)), None)
    if value.type != NUMBER or (operand.constant is not None and operand.constant == neutral):
        return value
    if isinstance(operator, ast.operator) and _gives_few(operator, operand):
        return value
    target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
    is_outer = isinstance(target, ast.Name) and target.id in frame.function.scope.elsewhere
    is_kept = isinstance(target, ast.Attribute) or is_outer
    return gone_on(frame, value, statement, How.COUNTED if is_kept else How.GOES_ON)


def gone_on(frame: Frame, value: Value, node: ast.AST, how: How = How.GOES_ON) -> Value:
    """What is what it was, and something more, or others joined to it."""
    if not isinstance(node, ast.expr | ast.stmt):
        return value
    return value._replace(turns=together(value.turns, frozenset(Turn(site, how) for site in frame.site(node))))


def joined_at(frame: Frame, value: Value, node: ast.Call) -> Value:
    """What a call gives that joins something to a tensor; one that it has given before goes on."""
    again = any(Turn(site, How.JOINED) in value.turns for site in frame.site(node))
    value = gone_on(frame, value, node, How.JOINED)
    return gone_on(frame, value, node) if again else value


def behind_pass(before: Mapping[str, Value], inside: Mapping[str, Value], after: dict[str, Value]) -> None:
    """Behind a pass of a loop, what something is joined to that it was before is a tensor, whatever it was at first."""
    for name, value in inside.items():
        goes_on = value.type == TENSOR and any(turn.how is How.GOES_ON for turn in value.turns)
        if goes_on and before.get(name, PENDING).is_unknown:
            after[name] = value._replace(certainty=Certainty.ASSUMED)


def assigned(frame: Frame, value: Value, statement: ast.Assign, is_of_itself: bool) -> Value:
    """What a target gets, and whether that is made of what it was: of another one, it does not go on."""
    if is_of_itself and any(turn.how in (How.JOINED, How.GOES_ON) for turn in value.turns):
        return gone_on(frame, value, statement)
    if value.type == TENSOR:
        return value
    turns = (turn._replace(how=How.COMPUTED) if turn.how is How.GOES_ON else turn for turn in value.turns)
    return value._replace(turns=frozenset(turns))


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
