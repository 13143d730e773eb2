"""Parameters of two modules that are one: what ties them, and the moves that make two of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import NamedTuple

from xlaport.analysis.definitions import Function, parameters
from xlaport.analysis.events import Event, Kind, Objects
from xlaport.analysis.order import Known, executed, whole
from xlaport.analysis.value import Site
from xlaport.facts.vocabulary import LAYER_PARAMETERS

IsSure = Callable[[tuple[ast.AST, ...]], bool]
"""Whether code runs whenever a module is made, by the calls that lead to it."""


class Tied(NamedTuple):
    """Two parameters that are one."""

    tie: Event
    making: tuple[ast.AST, ...] = ()
    """The calls that lead to the making of the module that ties its own parts; none where something else ties them."""
    inside: tuple[ast.AST, ...] = ()
    """The calls from there to what ties, and that."""
    made: Objects = frozenset()
    """The module that ties its own parts, or whose parts are tied from outside."""
    is_sure: bool = True
    """Whether nothing may have been put in the place of one of the two since."""
    move: Event | None = None
    """What parts them."""


def tied(
    function: Function, known: Known, then: Iterable[Function] = (), is_sure: IsSure = lambda nodes: True
) -> list[Tied]:
    """The parameters that are one when a function has run, and those that have been, until a move that parts them.

    That may be in one of the functions that come `then`, if any do. What is tied again behind a move is none of these.
    """
    found: list[Tied] = []
    moved: set[Site] = set()
    makings: dict[ast.AST, Objects] = {}
    for event in (event for one in (function, *then) for event in executed(one, known)):
        if event.kind is Kind.CALL and isinstance(event.callee, Function) and event.callee.name == "__init__":
            makings[event.node] = _made(event, event.callee)
            moved -= whole(makings[event.node], known.parts)
        elif event.kind is Kind.TIE:
            last = next((at for at in range(len(event.way), 0, -1) if event.way[at - 1] in makings), 0)
            inside = (*event.way[last:], event.node)
            made = makings[event.way[last - 1]] if last else _holder(event, known)
            one, is_certain = Tied(event, event.way[:last], inside, made), is_sure(inside)
            found = [other for each in found if (other := _behind(one, is_certain, each)) is not None]
            objects = event.objects | event.other
            if event.other and event.other.isdisjoint(event.objects) and moved.isdisjoint(objects):
                found.append(one)
        elif event.kind is Kind.MOVE and event.objects:
            found = _parted(found, event, [whole(frozenset({site}), known.parts) for site in event.objects])
            moved |= whole(event.objects, known.parts)
    return found


def _holder(tie: Event, known: Known) -> Objects:
    """``model`` of ``model.out.weight = …``, which need not be the only one of its class."""
    node = tie.node.value if isinstance(tie.node, ast.Attribute) else tie.node
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or tie.way:
        return frozenset()  # another function's names stand for several
    value = known.value_at(node.value)
    return value.objects if value is not None else frozenset()


def _made(call: Event, callee: Function) -> Objects:
    """The object that a call of a constructor makes."""
    given = getattr(callee.node, "args", None)
    own = parameters(given) if isinstance(given, ast.arguments) else []
    _, objects = call.handed.get(own[0].arg, ("", frozenset())) if own else ("", frozenset[Site]())
    return objects


def _behind(one: Tied, is_certain: bool, other: Tied) -> Tied | None:
    """What is known of a tie behind another one, which puts something in the place of one of the two, or may do so."""
    is_of_it = one.making == other.making
    if not one.making:
        is_of_it = not one.made or not other.made or not one.made.isdisjoint(other.made)
    is_target = one.tie.attribute == other.tie.attribute and not other.tie.objects.isdisjoint(one.tie.objects)
    is_like = one.tie.attribute == other.tie.attribute or other.tie.attribute not in LAYER_PARAMETERS
    if not is_of_it or not (is_target or (is_like and not other.tie.other.isdisjoint(one.tie.objects))):
        return other
    return None if is_certain or other.move is not None else other._replace(is_sure=False)


def _parted(found: list[Tied], move: Event, wholes: list[Objects]) -> list[Tied]:
    """What is tied behind a move: of several modules that are made in one place, it moves the first."""
    behind: list[Tied] = []
    told: set[tuple[ast.AST, Objects]] = set()
    for one in found:
        is_part = all(one.tie.objects <= each and not one.tie.other.isdisjoint(each) for each in wholes)
        is_moved = is_part and (not one.made or any(not one.made.isdisjoint(each) for each in wholes))
        if one.move is None and is_moved and (one.tie.node, one.made) not in told:
            told.add((one.tie.node, one.made))
            one = one._replace(move=move)
        behind.append(one)
    return behind
