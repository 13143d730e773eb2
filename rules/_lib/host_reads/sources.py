"""Where reads go on their way: names that are given what was read, and functions that hand it back.

``value = loss.item()`` and ``return loss.item()`` may leave the value on the device if everything that becomes of it
can: it is added up or kept by something that can hold it (`accumulation`), given to another such name, handed back by
another such function, or not used. Whoever needs the number now and then reads it there.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, KeysView, Mapping
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.held import Held, Kind
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import Binding, Scope
from xlaport.facts.reads import HostRead

from . import records
from .addends import Addend
from .device_values import Deferred
from .fillings import Form
from .keepers import Keeping, keeping
from .records import Others
from .refused import Refused
from .tracked import Variable
from .unzipped import Unzipped, unzipped


@dataclass(frozen=True)
class Definition:
    """An assignment, or a ``return``, of what was read. `loop` is the loop in each pass of which it runs."""

    node: ast.AST
    """The name that is bound, or the statement that returns."""
    addend: Addend
    reads: tuple[HostRead, ...]
    loop: StepLoop


Place = int | str | tuple[int, str] | None
"""An element of a tuple, a value of a dict, or one of a dict in a tuple; None for the whole."""


@dataclass(eq=False)
class Source:
    """What hands on what was read, as a whole or in parts: a name that is given it, or a function that returns it."""

    name: str
    home: Scope | None = None
    """Where the name is bound; None for a function."""
    function: FunctionNode | None = None
    loop: StepLoop | None = None
    """The loop in whose passes the function runs."""
    definitions: dict[ast.AST, dict[Place, Definition]] = field(default_factory=dict)
    """For each place where it is made: what was read, by its place."""
    others: Others = Others.NONE
    """What of it was not read, if it is a dict."""
    begins: bool = False
    """Whether a name holds something else at first, in some use."""
    puts: set[ast.AST] = field(default_factory=set)
    """The uses of a name that put a value into a dict: ``metrics["loss"] = loss.item()``."""
    gathered: dict[ast.Call, Unzipped] = field(default_factory=dict)
    """The calls of a function whose results are gathered by ``zip(*…)``."""

    @property
    def key(self) -> object:
        """Tells it from others."""
        return self.function or (self.home, self.name)

    @property
    def form(self) -> Form:
        """Whether it is a name, or what a function returns."""
        return Form.NAME if self.function is None else Form.RESULT

    @property
    def all_definitions(self) -> list[Definition]:
        """Those of all places."""
        return [definition for found in self.definitions.values() for definition in found.values()]

    @property
    def places(self) -> KeysView[Place]:
        """The places of what was read, in the order of the code."""
        return {place: None for found in self.definitions.values() for place in found}.keys()

    @property
    def is_whole(self) -> bool:
        """Whether all of it was read as one value."""
        return self.places == {None}

    @property
    def is_dict(self) -> bool:
        """Whether it is a dict."""
        return any(isinstance(place, str) for place in self.places)

    @property
    def elements(self) -> dict[int, dict[str | None, Place]]:
        """The places by the elements of a tuple, in the order of the code; of a dict among these, by its keys."""
        found: dict[int, dict[str | None, Place]] = {}
        for place in self.places:
            if isinstance(place, tuple):
                found.setdefault(place[0], {})[place[1]] = place
            elif isinstance(place, int):
                found.setdefault(place, {})[None] = place
        return found

    def held(self, place: Place = None) -> Held:
        """What a place holds on the device."""
        found = [each[place].addend for each in self.definitions.values() if place in each]
        kind = max((addend.kind for addend in found), default=Kind.FLOAT)
        return Held(kind, None if any(addend.guessed for addend in found) else 0)

    @property
    def reading(self) -> tuple[str, ...]:
        """How a dict of numbers is made of a dict."""
        keys = [place for place in self.places if isinstance(place, str)]
        return records.reading(keys, bool(self.others))


@dataclass(frozen=True)
class Use:
    """Where what was read is used: a name, or a call. `at_first` says what a name may hold instead, at first."""

    node: ast.expr
    source: Source
    held: Held
    at_first: tuple[Binding, ...] = ()
    reading: tuple[str, ...] | None = None
    """What makes a dict of numbers of it, if it is a dict. See `records.reading`."""
    keeping: Keeping | Refused | None = None
    """What the code of the project does that it is given to, if it is a dict; or why that needs numbers."""

    @property
    def is_dict(self) -> bool:
        """Whether it is a dict."""
        return self.reading is not None


def _loads_of(variable: Variable, device: set[ast.AST]) -> Iterator[tuple[ast.Name, set[ast.AST]]]:
    """The uses of a variable that some of its definitions on the device reach, with all that do. Raises `Refused`."""
    reached = variable.reached({})
    for use in variable.all_uses():
        places = reached.get(use, set())
        if not places:
            raise Refused("uses it at a time that is not known", use)
        if places.isdisjoint(device):
            continue
        if not isinstance(use.ctx, ast.Load):
            raise Refused("changes it as well", use)
        yield use, places


def uses_of_name(context: Context, source: Source) -> dict[ast.AST, Use]:
    """The uses of a name that may get what was read. Raises `Refused`."""
    assert source.home is not None
    variable = Variable(context, source.home, source.name)
    if any(definition.keys() != source.places for definition in source.definitions.values()):
        raise Refused("it has other values at times")
    device = set(source.definitions)
    found: dict[ast.AST, Use] = {}
    whole: list[ast.Name] = []
    for use, places in _loads_of(variable, device):
        first = tuple(b for b in variable.bindings if b.node in places - device)
        is_number = not source.is_dict and all(_is_plain(b.given) for b in first)
        if {b.node for b in first} != places - device or not (is_number or not first):
            raise Refused("may get something else there", use)
        if any(_may_stay(source, binding) for binding in first):
            raise Refused("may stay a whole number", use)
        source.begins = source.begins or bool(first)
        if not source.is_dict:
            found[use] = Use(use, source, source.held(), first)
        elif (beside := records.put_beside(context, use, source.places)) is not None:
            source.others = max(source.others, records.others(context, [beside]))
        elif use not in source.puts:
            whole.append(use)
    parts = [_use_of_dict(context, source, use, _is_last(context, source, use, whole)) for use in whole]
    return found | {use.node: use for use in parts if use is not None}


def uses_of_function(context: Context, source: Source, sites: Collection[ast.Call]) -> dict[ast.AST, Use]:
    """The calls of a function that stand for what was read. Raises `Refused` where one is out of sight."""
    if source.is_whole:
        return {call: Use(call, source, source.held()) for call in sites}
    if source.is_dict:
        found = [_use_of_dict(context, source, call, is_last=True) for call in sites]
        return {use.node: use for use in found if use is not None}
    for call in sites:
        statement = context.module.parents[call]
        if isinstance(statement, ast.Expr):
            continue
        target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        if isinstance(target, ast.Tuple) and all(isinstance(e, ast.Name) for e in target.elts):
            continue
        gathered = unzipped(context, call, source.places, source.loop) if source.loop is not None else None
        if gathered is None:
            raise Refused("keeps what it returns as a whole", call)
        source.gathered[call] = gathered
    return {}


def _is_last(context: Context, source: Source, use: ast.Name, uses: list[ast.Name]) -> bool:
    """Whether all other uses of a dict look at it before this one does, once it is made, and none keeps it."""
    module = context.module
    lines = [getattr(node, "lineno", 0) for node in source.definitions]
    here = module.statement(use)
    block = module.block(here)
    return (
        all(
            other is use or (max(lines) <= other.lineno <= use.lineno and not records.is_appended(context, other))
            for other in uses
        )
        and any(module.function(node) is module.function(use) for node in source.definitions)
        and here in block
    )


def _use_of_dict(context: Context, source: Source, node: ast.expr, is_last: bool) -> Use | None:
    """What a use of a dict stands for; None if it needs nothing of what was read. Raises `Refused`."""
    held = {place: source.held(place) for place in source.places if isinstance(place, str)}
    taken = records.element(context, node, held, bool(source.others))
    if taken is not None:
        return Use(taken[0], source, taken[1])
    if records.is_free(context, node):
        return None
    is_of_floats = source.others is not Others.ANY and {each.kind for each in held.values()} == {Kind.FLOAT}
    kept = keeping(context, node) if is_of_floats else None
    if not isinstance(kept, Keeping):
        records.check_whole(context, node, is_last)
    return Use(node, source, Held(), reading=source.reading, keeping=kept)


def _may_stay(source: Source, start: Binding) -> bool:
    """Whether a whole number may be the greatest of losses, and stay one: ``max(0, loss.item())``."""
    value = start.given
    is_whole = isinstance(value, ast.Constant) and type(value.value) is int
    return is_whole and any(definition.addend.extremes for definition in source.all_definitions)


def _is_plain(value: ast.expr | None) -> bool:
    """A number, or None."""
    if isinstance(value, ast.UnaryOp):
        return _is_plain(value.operand)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "float":
        return len(value.args) == 1 and isinstance(value.args[0], ast.Constant)
    return isinstance(value, ast.Constant) and (value.value is None or isinstance(value.value, int | float))


def may_be_none(use: Use) -> bool:
    """Whether a name may hold None where it is used."""
    values = [binding.given for binding in use.at_first]
    return any(isinstance(value, ast.Constant) and value.value is None for value in values)


def as_reads(uses: Mapping[ast.AST, Use]) -> dict[ast.AST, HostRead]:
    """The uses as what takes the place of reads."""
    return {node: Deferred(use.node, use.node, _how(use), True, use.held, use.reading) for node, use in uses.items()}


def _how(use: Use) -> str:
    return f"{use.source.name}()" if use.source.function is not None else use.source.name
