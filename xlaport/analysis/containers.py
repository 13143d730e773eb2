"""Lists and dicts as values: what they hold when something has been put into them."""

from __future__ import annotations

from collections.abc import Sequence

from xlaport.analysis.value import (
    A_LIST,
    NUMBER,
    OBJECT,
    PENDING,
    TENSOR,
    TEXT,
    UNKNOWN,
    Value,
    each,
    held,
    join,
    joined,
    keyed,
)

_MOST_ELEMENTS = 64
"""Those of a longer list are not told apart: the thousand names of a data set's classes."""


def row(values: Sequence[Value]) -> tuple[tuple[Value, ...] | None, Value | None]:
    """The elements of a list, and what each of them is; where they are many, they are not told apart."""
    return (tuple(values), None) if len(values) <= _MOST_ELEMENTS else (None, joined(values))


def with_element(value: Value, added: Value) -> Value:
    """A list or dict with one more element; with numbers beside tensors, nobody knows what one of them is."""
    before = held(value)
    kinds = {NUMBER, TENSOR}
    is_mixed = before is not None and added.type in kinds and before.type in kinds - {added.type}
    return value._replace(elements=None, keys=None, element=UNKNOWN if is_mixed else join(before, added))


def under(value: Value, key: object) -> Value | None:
    """What stands under a key of a dict; None where that is not told."""
    return value.elements[value.keys.index(key)] if value.elements and value.keys and key in value.keys else None


def is_open(value: Value) -> bool:
    """Whether it is a dict with something under each key: ``defaultdict(list)``."""
    return value.elements is not None and value.element is not None


def of_default(value: Value, key: object) -> Value | None:
    """What stands under a key of such a dict that nothing is put under; of lists, another one for each key."""
    if not is_open(value) or value.element is None or not isinstance(key, str | int):
        return None
    objects = frozenset(site._replace(turn=f"{site.turn}[{key!r}]") for site in value.element.objects)
    return value.element._replace(objects=objects)


def is_keyed(value: Value) -> bool:
    """Whether it is a dict whose keys are told apart."""
    return value.elements is not None and (bool(value.keys) or not value.elements) and value.because != A_LIST


def with_key(value: Value, key: object, added: Value) -> Value:
    """A dict with something under a key: in the place of what was there."""
    if not is_keyed(value) or not isinstance(key, str | int):
        return with_element(value, added)
    fields = {**dict(zip(value.keys or (), value.elements or (), strict=True)), key: added}
    return keyed(value, fields)


def grown_under(value: Value, key: object, grown: Value) -> Value:
    """A container in which what stands under a key has grown; of an unknown key, it may be any of them."""
    if value.elements is None:
        return value._replace(element=join(value.element, grown))
    places = list(value.keys) if value.keys else list(range(len(value.elements)))
    if key is not None and key not in places:
        return with_key(value, key, grown)
    fields = zip(places, value.elements, strict=True)
    if is_open(value) and key is None:
        value = value._replace(element=join(value.element, grown))
    elements = (grown if key == place else join(one, grown) if key is None else one for place, one in fields)
    is_told_apart = bool(places) or is_open(value)
    found = tuple(one or UNKNOWN for one in elements)
    return value._replace(elements=found) if is_told_apart else with_element(value, grown)


def merged(value: Value, other: Value) -> Value:
    """A dict with what another one holds."""
    if value is PENDING or other is PENDING:
        return PENDING
    if other.elements is None or (other.keys is None and other.elements):
        return with_element(value, each(other))
    for key, added in zip(other.keys or (), other.elements, strict=True):
        value = with_key(value, key, added)
    return value


def of_constant(constant: object) -> Value:
    """The value of a number or a text, such as a key of a dict."""
    return Value(TEXT if isinstance(constant, str) else NUMBER, constant=constant)


def is_list(value: Value) -> bool:
    """Whether it is a list that the program makes."""
    return value.type == OBJECT and value.because.startswith((A_LIST, "builtins.list"))


def chained(sides: Sequence[Value]) -> Value | None:
    """What ``one + other`` is of a list and what has elements, too; None of other things."""
    element = joined(map(held, sides))
    of_elements = all(side.type == OBJECT and not side.keys for side in sides)
    return (
        Value(OBJECT, element=element, because=A_LIST, line=sides[0].line)
        if is_list(sides[0]) and of_elements
        else None
    )


def of_pairs(value: Value) -> Value:
    """The dict that is made of pairs of a key and a value; of a dict, that."""
    pairs = value.elements if value.elements is not None else (value.element or UNKNOWN,)
    parts = [pair.elements for pair in pairs if pair.elements is not None and len(pair.elements) == 2 and not pair.keys]
    if value.keys or not pairs or len(parts) < len(pairs):
        return value
    found = Value(value.type, elements=(), line=value.line)
    for key, held_so in parts:
        found = with_key(found, key.constant if value.elements is not None else None, held_so)
    return found
