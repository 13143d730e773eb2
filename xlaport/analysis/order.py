"""The order of execution: events of functions in the places of their calls, and what is asked of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import chain
from typing import NamedTuple, Protocol

from xlaport.analysis.definitions import Function, parameters
from xlaport.analysis.events import Event, Kind, Objects
from xlaport.analysis.value import GIVEN, SOMETHING, Definition, Site, Value

_CACHING = frozenset({"lru_cache", "cache", "cached_property"})
"""Decorators of a function that runs once, and gives the same again."""
_DEEPEST = 12
"""How many calls within each other are followed."""
_WITH_WAY = frozenset({Kind.TIE, Kind.TAKE, Kind.KEEP, Kind.MARK, Kind.MOVE, Kind.COPY})
_MOST = 20_000
"""How many events are put in order at most."""


class Known(Protocol):
    """What is asked of an analysis."""

    @property
    def parts(self) -> Mapping[Site, Objects]:
        """The modules that a module holds."""

    @property
    def done(self) -> Mapping[Function, frozenset[Kind]]:
        """What functions do, themselves and in what they call."""

    def events_of(self, function: Function) -> Iterable[Event]:
        """What a function does, in order."""

    def value_at(self, node: ast.AST) -> Value | None:
        """What an expression was found to be."""


def done_by(
    events: Mapping[Function, Iterable[Event]], others: Mapping[Function, frozenset[Kind]]
) -> dict[Function, frozenset[Kind]]:
    """What functions with these events do, themselves and in what they call; `others`: what is known of others."""
    callers: dict[Definition, list[Function]] = {}
    found: dict[Function, frozenset[Kind]] = {}
    for function, own in events.items():
        kinds = {event.kind for event in own} - {Kind.CALL}
        for callee in {event.callee for event in own if event.callee is not None}:
            callers.setdefault(callee, []).append(function)
            if isinstance(callee, Function):
                kinds |= others.get(callee, frozenset())
        found[function] = frozenset(kinds)
    todo = [function for function, kinds in found.items() if kinds]
    while todo:
        callee = todo.pop()
        for caller in callers.get(callee, ()):
            if not found[callee] <= found[caller]:
                found[caller] |= found[callee]
                todo.append(caller)
    return found


def executed(function: Function, known: Known) -> Iterator[Event]:
    """The events of a function and of all that it calls, in the order in which they run; branches one after the other.

    What came by a parameter is what this very call gives.
    """
    left = _MOST
    given = getattr(function.node, "args", None)
    own = parameters(given) if isinstance(given, ast.arguments) else []
    unknown = {one.arg: frozenset({_site_of(function, one)}) for one in own}
    for event in _executed(function, known, unknown, (), (), set()):
        yield event
        left -= 1
        if not left:
            return


def given_site(function: Function, name: str) -> Site | None:
    """What a parameter stands for while nobody gives anything for it."""
    given = getattr(function.node, "args", None)
    own = parameters(given) if isinstance(given, ast.arguments) else []
    return next((_site_of(function, one) for one in own if one.arg == name), None)


def _site_of(function: Function, parameter: ast.arg) -> Site:
    return Site(function.file, parameter.lineno, parameter.col_offset, GIVEN, GIVEN)


def _executed(
    function: Function,
    known: Known,
    given: Mapping[str, Objects],
    around: tuple[Function, ...],
    way: tuple[ast.AST, ...],
    kept: set[tuple[Function, frozenset[tuple[str, Objects]]]],
) -> Iterator[Event]:
    if function in around or len(around) > _DEEPEST:
        return
    for event in known.events_of(function):
        if event.parameter in given:
            event = event._replace(objects=given[event.parameter])
        elif event.parameter and around and any(site.end_line == GIVEN for site in event.objects):
            event = event._replace(objects=frozenset())  # this very call gives something unknown
        if event.giver in given:
            event = event._replace(other=given[event.giver])
        if event.kind in _WITH_WAY:
            event = event._replace(way=way)
        yield event
        if event.kind is Kind.CALL and isinstance(event.callee, Function) and known.done.get(event.callee):
            handed = {name: given.get(source, objects) for name, (source, objects) in event.handed.items()}
            if not _CACHING.isdisjoint(event.callee.decorators):
                call = event.callee, frozenset(handed.items())
                if call in kept:
                    continue
                kept.add(call)
            yield from _executed(event.callee, known, handed, (*around, function), (*way, event.node), kept)


class Entered(Known, Protocol):
    """What is asked of an analysis that says what runs by itself, too."""

    def leading_here(self) -> Iterable[Function]:
        """What runs by itself, as far as it may lead to the file that is asked about."""


def entered(known: Entered, kinds: Set[Kind]) -> Iterator[tuple[Function, list[Function]]]:
    """What runs by itself and does something of these kinds, each with what runs behind it.

    Of a class that nobody in sight uses, the other methods run behind its constructor.
    """
    found = [one for one in known.leading_here() if known.done.get(one, frozenset()) & kinds]
    for one in found:
        is_made = one.name == "__init__" and one.owner is not None
        yield one, [other for other in found if other.owner is one.owner and other is not one] if is_made else []


class Taken(NamedTuple):
    """Parameters that an optimizer takes of a module that has not moved before."""

    take: Event
    moves: tuple[Event, ...] = ()
    """The moves behind it, each of something that has not moved before."""
    is_idle: bool = True
    """Whether nothing runs the module before these, nor looks at its parameters."""
    may_move: bool = False
    """Whether something unknown moves, which it may be."""


def taken(
    function: Function, known: Known, then: Iterable[Function] = (), kinds: frozenset[Kind] = frozenset({Kind.TAKE})
) -> Iterator[Taken]:
    """Each time that an optimizer takes parameters of a module that has not moved, with its move later on.

    That may be in one of the functions that come `then`, if any do.
    """
    moved: set[Site] = set()
    again: set[ast.AST] = set()
    waiting: list[tuple[Taken, Objects]] = []
    later = (event._replace(way=(one.node, *event.way)) for one in then for event in executed(one, known))
    for event in chain(executed(function, known), later):
        if event.kind in kinds and (event.node in again or not event.objects & moved):
            left = whole(event.objects, known.parts) - (frozenset() if event.node in again else moved)
            again.add(event.node)  # by then, what it is taken of is made again, too
            waiting.append((Taken(event), left))
        elif event.kind is Kind.PREPARE:
            waiting = [(one, left) for one, left in waiting if one.moves or not _may_be(event.objects, left)]
            moved |= whole(event.objects, known.parts)
        elif event.kind in (Kind.RUN, Kind.USE):
            for place, (one, left) in enumerate(waiting):  # many wait, and few of them are run
                if one.is_idle and not one.moves and not event.objects.isdisjoint(left):
                    waiting[place] = one._replace(is_idle=False), left
        elif event.kind is Kind.MOVE:
            waiting = [_behind(event, one, left, known.parts) for one, left in waiting]
            moved |= whole(event.objects, known.parts)
    yield from (one for one, _ in waiting if one.moves or not one.may_move)


def _may_be(objects: Objects, left: Objects) -> bool:
    """Whether what is prepared may be what was taken: something unknown may be what somebody gives."""
    return not objects.isdisjoint(left) or (not objects and any(site.end_line == GIVEN for site in left))


def _behind(move: Event, one: Taken, left: Objects, parts: Mapping[Site, Objects]) -> tuple[Taken, Objects]:
    """What has been taken, and what of it has not moved, behind a move."""
    if not move.objects:
        return (one if one.may_move else one._replace(may_move=True)), left
    if not _moves_all(move.objects, left, parts):
        return one, left
    return one._replace(moves=(*one.moves, move)), left - whole(move.objects, parts)


def perhaps_taken_too_early(function: Function, known: Known) -> Iterator[tuple[Event, Event]]:
    """Parameters that an optimizer takes, with each later move that may be one of theirs: of something unknown, or of
    one of several.
    """
    moved: set[Site] = set()
    taken: list[tuple[Event, Objects]] = []
    for event in executed(function, known):
        if event.kind is Kind.TAKE and not event.objects & moved:
            taken.append((event, whole(event.objects, known.parts) - moved))
        elif event.kind is Kind.MOVE:
            may_be = (not event.objects or _moves_some(event.objects, left, known.parts) for _, left in taken)
            yield from ((early, event) for (early, _), may in zip(taken, may_be, strict=True) if may)
            moved |= whole(event.objects, known.parts)


def _moves_some(objects: Objects, taken: Objects, parts: Mapping[Site, Objects]) -> bool:
    """Whether a move is one of what was taken, if of several objects it moves a certain one."""
    return not whole(objects, parts).isdisjoint(taken) and not _moves_all(objects, taken, parts)


def _moves_all(objects: Objects, taken: Objects, parts: Mapping[Site, Objects]) -> bool:
    """Whether a move is one of what was taken, whichever of several objects it moves."""
    certain = taken - {SOMETHING}
    return bool(objects) and all(whole(frozenset({site}), parts) & certain for site in objects)


def kept_too_long(function: Function, known: Known) -> Iterator[tuple[Event, Event, Event]]:
    """Parameters that something keeps, that a move replaces, and that are used after it: these three events."""
    moved: set[Site] = set()
    kept: dict[Site, tuple[Event, Objects]] = {}
    lost: dict[Site, tuple[Event, Event]] = {}
    for event in executed(function, known):
        if event.kind is Kind.KEEP:
            _keep(event, whole(event.objects, known.parts) - moved, kept, lost)
        elif event.kind is Kind.MOVE:
            for site, (early, left) in kept.items():
                if _moves_all(event.objects, left, known.parts):
                    lost.setdefault(site, (early, event))
            moved |= whole(event.objects, known.parts)
        elif event.kind in (Kind.USE, Kind.TAKE):
            keepers = event.objects & kept.keys()
            if keepers and keepers <= lost.keys() and all(event.objects - keepers <= kept[site][1] for site in keepers):
                yield (*lost[min(keepers)], event)


def _keep(
    event: Event, left: Objects, kept: dict[Site, tuple[Event, Objects]], lost: dict[Site, tuple[Event, Event]]
) -> None:
    """Note what keeps parameters from here on: what is filled from another container is as old as that."""
    others = event.objects & kept.keys()
    for site in event.other:
        lost.pop(site, None)
        if others and others <= lost.keys():
            lost[site] = lost[min(others)]
        kept[site] = event, left | event.other


def copied_at_once(function: Function, known: Known) -> Iterator[tuple[Event, Event]]:
    """Copies of the weights of one module into another, with no step since both came to the device: with that move."""
    moved: dict[Site, Event] = {}
    for event in executed(function, known):
        if event.kind is Kind.CUT:
            moved.clear()
        elif event.kind is Kind.MOVE and len(event.objects) == 1:
            moved |= dict.fromkeys(event.objects - moved.keys(), event)
        elif event.kind is Kind.COPY and len(event.objects) == len(event.other) == 1:
            both = event.objects | event.other
            if event.objects != event.other and both <= moved.keys():
                yield event, next(move for site, move in reversed(moved.items()) if site in both)
                moved.clear()  # what is done about the first of several copies serves them all


def whole(objects: Objects, parts: Mapping[Site, Objects]) -> Objects:
    """Objects with all their parts."""
    found: set[Site] = set()
    todo = list(objects)
    while todo:
        site = todo.pop()
        if site not in found:
            found.add(site)
            todo += parts.get(site, ())
    return frozenset(found)
