"""Values: what is known of an expression, as one record, and how two of them meet.

`PENDING` is no value yet: what it is made of has not been run. It neither helps nor hinders where others meet.
"""

from __future__ import annotations

import ast
import enum
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from xlaport.facts.held import NOTHING_HELD, Held, agreed

TENSOR = "torch.Tensor"
MODULE = "torch.nn.Module"
OPTIMIZER = "torch.optim.Optimizer"
CUTTING_OPTIMIZER = "optimizer whose step cuts the graph"
SCHEDULER = "torch.optim.lr_scheduler.LRScheduler"
SCALER = "torch.amp.GradScaler"
PACKED = "torch.nn.utils.rnn.PackedSequence"
ARRAY = "numpy.ndarray"
LOADER = "torch.utils.data.DataLoader"
DEVICE_LOADER = "loader of the device"
"""One whose batches are on the device already, as each target spells it."""
DATASET = "torch.utils.data.Dataset"
DEVICE = "torch.device"
ACCELERATOR = "accelerate.Accelerator"
STACK = "contextlib.ExitStack"
FABRIC = "lightning.Fabric"
NUMBER = "numbers.Number"
TEXT = "builtins.str"
NONE = "builtins.None"
OBJECT = "builtins.object"
"""Known to be of no type that is told apart here."""

A_LIST = "a list"
"""The evidence of a list: others may put something into it."""
A_NAMED_TUPLE = "a named tuple"
"""The evidence of one: its elements have names, and places."""

MOST_ALTERNATIVES = 6
"""An expression that may stand for more things may stand for any."""
MOST_OBJECTS = 8
"""An expression that may be one of more objects may be any."""
_MOST_KEYS = 24
"""The fields of a larger dict are not told apart."""
_MOST_PLACES = 24
"""Of a value that may be more texts and devices, the first ones are kept."""
_MOST_TURNS = 6
"""Of a number that changes at more places, the first ones are kept."""
DEEPEST = 3
"""How many containers within each other are told apart."""


PLACE = re.compile("cpu|cuda|gpu|tpu|xla|mps|auto|CUDA|Cuda")
"""How texts begin that name a device: it is known where these come from."""


class Device(enum.Enum):
    """Where a tensor lies, or the parameters of a module."""

    HOST = "host"
    ACCELERATOR = "accelerator"
    EITHER = "either"
    UNKNOWN = "unknown"


class Certainty(enum.IntEnum):
    """How sure a value is."""

    ASSUMED = 1
    """Where nothing says otherwise: what `forward()` gets is taken for a tensor, and might be a list of them."""
    PROVEN = 2


class Definition:
    """What a program defines and a value may stand for: a function, a class, a module (see `definitions`)."""

    __slots__ = ()

    @property
    def key(self) -> str:
        """Tells it from others, and puts them in an order."""
        return ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.key}>"


class Bound(NamedTuple):
    """A method with the value that it is bound to."""

    definition: Definition
    receiver: Value


class Partial(NamedTuple):
    """A function with arguments that it has got already; none of these values is another of the kind."""

    function: Value
    given: tuple[Value, ...]
    keywords: tuple[tuple[str | None, Value], ...]


Refers = str | Definition | Bound | Partial | None


class Site(NamedTuple):
    """Where an object is made: one object for all that pass there, but one for each name that a loop goes through.

    A loader is another one for each call of a function that makes one.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    turn: str = ""
    """In which pass of such a loop, and for which call."""

    @classmethod
    def of(cls, file: str, node: ast.expr | ast.stmt, turn: str = "") -> Site:
        """The place of an expression, or of a statement."""
        return cls(file, node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, turn)


KEPT, GIVEN = -1, -2
"""In the place of an object's last line: a container of parameters; what a parameter of a function stands for."""
SOMETHING = Site("", 0, 0, 0, 0)
"""A part of a module of which nothing is known."""
UNSEEN = SOMETHING._replace(turn="unseen")
"""A module that nobody is seen to make, whose parameters something asks for."""


class How(enum.IntEnum):
    """How a number becomes another one at a place, or a tensor a larger one."""

    JOINED = 0
    """Others are joined to it."""
    GOES_ON = 1
    """It is what it was, and something more: ``n += 1``."""
    EACH_TIME = 2
    """It is another one whenever that place is passed: a loop, ``next()``."""
    DRAWN = 3
    """It is drawn there; of a tensor, what is in it."""
    READ = 4
    """It is read from a tensor there."""
    COUNTED = 5
    """It goes on, and somebody keeps it: ``self.n += 1``, ``global n``."""
    COMPUTED = 6
    """It is computed from what goes on there."""


class Turn(NamedTuple):
    """A place at which it becomes another one."""

    site: Site
    how: How


class Value(NamedTuple):
    """What is known of an expression. All of it may be unknown: `UNKNOWN`."""

    type: str | Definition | None = None
    """A type of this module, or a class of the program."""
    device: Device = Device.UNKNOWN
    refers: Refers = None
    """What a name stands for that is called or looked into: a library's qualified name, or the program's own."""
    objects: frozenset[Site] = frozenset()
    """The objects that it may be; none: any."""
    constant: object = None
    """A number or a text that it always is; None: not known, or None itself (which has its type)."""
    elements: tuple[Value, ...] | None = None
    """Those of a tuple or list, one by one; of a dict, its values."""
    keys: tuple[object, ...] | None = None
    """Of a dict, the numbers and texts that its values stand under, in the order of `elements`."""
    element: Value | None = None
    """What each element is, where they are not told apart; of a dict with fields, what is under all other keys."""
    alternatives: tuple[Value, ...] = ()
    """Of what has no one type, refers to no one thing, or is one of several texts: what it may be, by `_key`."""
    holds: Held = NOTHING_HELD
    """What a tensor holds, or a number; of a module, what it gives."""
    turns: frozenset[Turn] = frozenset()
    """Where it becomes another number in each pass of a loop, or is added to; of a tensor, a larger one: `passing`."""
    wide: bool = False
    """Whether an array or a tensor is known to hold floats of 64 bits."""
    detached: bool = False
    """Of a tensor, whether no gradient can come to what it was made of."""
    certainty: Certainty = Certainty.PROVEN
    because: str = ""
    """A phrase for what shows it."""
    line: int = 0
    """Where that stands, from 1."""
    is_optional: bool = False
    """Whether it may be None, where it is a number or a text that it always is otherwise."""
    places: frozenset[Site] = frozenset()
    """Where the texts stand that name a device, and what makes devices, one of which it may be; it may be others."""

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is known of it, but for `places`."""
        return self == UNKNOWN or (bool(self.places) and self._replace(places=frozenset()) == UNKNOWN)

    def or_at(self, places: frozenset[Site]) -> Value:
        """The same, where it may as well be what stands at some places."""
        if self is PENDING or places <= self.places:
            return self
        return self._replace(places=_some(self.places | places, _MOST_PLACES))


_T = TypeVar("_T", Site, Turn)
UNKNOWN = Value()
PENDING = Value(because="nothing has come here yet")
NOTHING = Value(NONE, because="None")


def join(one: Value | None, other: Value | None, depth: int = 0) -> Value | None:
    """What is one of two values. A number that may become a tensor (``total = 0``) may be a tensor."""
    if one is other or other is None:
        return one
    if one is None or one is PENDING:
        return other
    if other is PENDING:
        return one
    if one == other and type(one.constant) is type(other.constant):
        return one
    return _join(one, other, depth).or_at(one.places | other.places)


def _join(one: Value, other: Value, depth: int) -> Value:
    if one.type == NONE or other.type == NONE:
        found = other if one.type == NONE else one
        return found if found.constant is None else found._replace(is_optional=True)
    if one.alternatives or other.alternatives or _key(one) != _key(other):
        if (chosen := _alternatives(one, other)) is not None:
            return chosen
    kind = _type(one.type, other.type)
    shown = one if one.type == kind else other
    elements = keys = element = None
    if depth < DEEPEST:
        elements, keys, element = _elements(one, other, depth + 1)
    refers = _refers(one.refers, other.refers, depth + 1)
    if (kind, refers, elements, element) == (None, None, None, None):
        return UNKNOWN
    is_beside = kind == NUMBER and (one.constant is None) is not (other.constant is None)  # a constant is no object
    objects = one.objects | other.objects if is_beside or (one.objects and other.objects) else frozenset()
    device = _device(one, other) if kind is not None else Device.UNKNOWN
    if kind == TENSOR and objects == one.objects == other.objects and Device.HOST in (one.device, other.device):
        device = Device.HOST if objects else device  # the same object, of which more is known now
    same = one.constant == other.constant and type(one.constant) is type(other.constant)
    return Value(
        kind,
        device,
        refers,
        objects if len(objects) <= MOST_OBJECTS else frozenset(),
        one.constant if same else None,
        elements,
        keys,
        element,
        holds=agreed(one.holds, other.holds),
        turns=together(one.turns, other.turns) if kind in (NUMBER, TENSOR, ARRAY) else frozenset(),
        wide=one.wide and other.wide,
        detached=kind == TENSOR and all(side.detached or side.type == NUMBER for side in (one, other)),
        certainty=min(one.certainty, other.certainty),
        because=shown.because if kind is not None or one.because == other.because else "",
        line=shown.line if kind is not None else 0,
        is_optional=same and (one.is_optional or other.is_optional),
    )


def each_alternative(value: Value) -> tuple[Value, ...]:
    """What a value may be, one by one."""
    return value.alternatives or (value,)


def _alternatives(one: Value, other: Value) -> Value | None:
    """Two values side by side, if both stand for things that have a name; None where they do not, or are too many."""
    found: dict[str, Value] = {}
    for value in (*each_alternative(one), *each_alternative(other)):
        key = _key(value)
        if not key:
            return None
        found[key] = join(found.get(key), value) or value
    if len(found) > MOST_ALTERNATIVES:
        return None
    parts = tuple(found[key] for key in sorted(found))
    kind = TEXT if all(part.type == TEXT for part in parts) else None
    return Value(kind, alternatives=parts, certainty=min(one.certainty, other.certainty))


def _key(value: Value) -> str:
    """Tells values apart that are texts, or stand for modules or what somebody defines; empty for others."""
    if value.type == TEXT:
        return f"text {value.constant}" if isinstance(value.constant, str) else ""
    if value.type is not None and value.refers is None:
        named = value.type.key if isinstance(value.type, Definition) else MODULE if value.type == MODULE else ""
        return f"of {named}" if named else ""
    refers = value.refers
    if isinstance(refers, Partial):
        return f"partial {_key(refers.function)}"
    refers = refers.definition if isinstance(refers, Bound) else refers
    return refers.key if isinstance(refers, Definition) else refers or ""


def together(*turns: frozenset[Turn]) -> frozenset[Turn]:
    """The places at which one of several numbers changes."""
    return _some(frozenset[Turn]().union(*turns), _MOST_TURNS)


def _some(found: frozenset[_T], most: int) -> frozenset[_T]:
    """So many of them at the most, the first ones."""
    return found if len(found) <= most else frozenset(sorted(found)[:most])


def joined(values: Iterable[Value | None]) -> Value | None:
    """What is one of several values; None of none."""
    result: Value | None = None
    for value in values:
        result = join(result, value)
    return result


def held(value: Value) -> Value | None:
    """What its elements are, all of them together; None where it has none, or none that are known."""
    return value.element if value.elements is None else joined((*value.elements, value.element))


def each(value: Value) -> Value:
    """What one of the elements is that are gone through, or taken by a place that is not known."""
    return PENDING if value is PENDING else held(value) or UNKNOWN


def keyed(value: Value, fields: Mapping[Any, Value]) -> Value:
    """A dict with these fields; where they are many, they are not told apart."""
    others = value.element if value.elements is not None else None
    if len(fields) > _MOST_KEYS:
        return value._replace(elements=None, keys=None, element=joined((*fields.values(), others)))
    return value._replace(elements=tuple(fields.values()), keys=tuple(fields), element=others)


def _type(one: str | Definition | None, other: str | Definition | None) -> str | Definition | None:
    if one == other:
        return one
    if {one, other} == {OPTIMIZER, CUTTING_OPTIMIZER}:
        return OPTIMIZER
    return TENSOR if {one, other} == {TENSOR, NUMBER} else None


def _refers(one: Refers, other: Refers, depth: int) -> Refers:
    """What both refer to; of a method of two objects, with what it may be bound to."""
    if isinstance(one, Bound) and isinstance(other, Bound) and one.definition == other.definition:
        return Bound(one.definition, join(one.receiver, other.receiver, depth) or UNKNOWN)
    if isinstance(one, Partial) and isinstance(other, Partial) and depth <= DEEPEST:
        is_alike = len(one.given) == len(other.given) and [k for k, _ in one.keywords] == [k for k, _ in other.keywords]
        function = join(one.function, other.function, depth) if is_alike else None
        given = tuple(join(a, b, depth) or UNKNOWN for a, b in zip(one.given, other.given, strict=False))
        pairs = zip(one.keywords, other.keywords, strict=False)
        keywords = tuple((name, join(a, b, depth) or UNKNOWN) for (name, a), (_, b) in pairs)
        return Partial(function, given, keywords) if function is not None else None
    return one if one == other else None


def _device(one: Value, other: Value) -> Device:
    if one.device is other.device:
        return one.device
    if NUMBER in (one.type, other.type):
        return one.device if one.type == TENSOR else other.device
    if {one.device, other.device} == {Device.HOST, Device.UNKNOWN}:
        return Device.UNKNOWN
    return Device.EITHER


_Elements = tuple[tuple[Value, ...] | None, tuple[object, ...] | None, Value | None]


def _elements(one: Value, other: Value, depth: int) -> _Elements:
    if one.elements is not None and other.elements is not None and (one.keys or other.keys):
        if (one.keys or not one.elements) and (other.keys or not other.elements):
            return _fields(one, other, depth)
        return None, None, join(held(one), held(other), depth)
    if one.elements is not None and other.elements is not None and len(one.elements) == len(other.elements):
        parts = (join(a, b, depth) or UNKNOWN for a, b in zip(one.elements, other.elements, strict=True))
        return tuple(parts), None, join(one.element, other.element, depth)
    holders = [value for value in (one, other) if value.elements is not None or value.element is not None]
    if len(holders) < 2:  # what has no elements yet, such as ``[]``, has no other ones
        empty = all(value.elements == () for value in (one, other) if value not in holders)
        return None, None, each(holders[0]) if holders and empty else None
    return None, None, join(held(holders[0]), held(holders[1]), depth)


def _fields(one: Value, other: Value, depth: int) -> _Elements:
    """The fields of what is one of two dicts: what either has, where it has it."""
    fields = dict(zip(one.keys or (), one.elements or (), strict=True))
    for key, value in zip(other.keys or (), other.elements or (), strict=True):
        fields[key] = join(fields.get(key), value, depth) or UNKNOWN
    found = keyed(Value(elements=(), element=join(one.element, other.element, depth)), fields)
    return found.elements, found.keys, found.element
