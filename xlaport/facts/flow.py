"""What takes the texts that name a device, and the devices that a program makes; and what they are compared with.

The analysis tells of each value which of them it may be (`Value.places`), by whatever way they came there. Here it is
told of each of them where it is such a value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from xlaport.analysis.places import SPLITTING, Places, in_display
from xlaport.analysis.value import PLACE, Site, Value
from xlaport.facts.module import last_name
from xlaport.facts.program import Facts, View
from xlaport.facts.sinks import ITEMS, Sink, SinkKind, sink_at
from xlaport.facts.spot import Spot
from xlaport.facts.structure import structure_of

__all__ = ["SPLITTING", "Flow", "Reach", "Sink", "SinkKind", "Spot"]

_QUIET = frozenset({"builtins.print", "builtins.len", "builtins.isinstance", "builtins.repr", "builtins.type"})
_MATCHING = frozenset({"re.match", "re.fullmatch", "re.search", "fnmatch.fnmatch"})
_ASKING = frozenset({"startswith", "find", "count", *SPLITTING})
_USES = (ast.Call, ast.Compare, ast.Match, ast.Subscript)
_WRITTEN = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call)


@dataclass
class Reach:
    """Where something is that names a device."""

    sinks: list[Sink] = field(default_factory=list)
    """What takes it for a device."""
    comparisons: list[Spot] = field(default_factory=list)
    """The texts that it is compared with, or tested against by ``startswith`` and ``in``."""
    lists: list[Spot] = field(default_factory=list)
    """The ``choices`` of an option, and the texts of a ``Literal[…]``, that it is one of."""
    unknown: list[Spot] = field(default_factory=list)
    """Uses that leave the project or the analysis, or that look something up by it."""


class Flow:
    """Tells of what is written in the files of a view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.structure = structure_of(view)

    def reach(self, start: ast.expr, facts: Facts | None = None) -> Reach:
        """Where a value is; it is in the file that is looked at, unless said otherwise."""
        own = facts or self.view.own
        written = Site.of(own.file, start)
        places = self.places(start, own)
        found = Reach()
        for site in [written] if written in places or not places else sorted(places):
            uses = self._uses.get(site, _Uses())
            found.sinks += uses.sinks
            found.unknown += uses.unknown
            for spot in filter(None, map(self.spot, uses.together)):
                (found.lists if _is_offered(spot) else found.comparisons).append(spot)
        return found

    def together(self, start: Spot) -> list[Spot]:
        """A text, and those that it is compared with or chosen from, and what these are, and so on."""
        found = {Site.of(start.facts.file, start.node): None}
        todo = list(found)
        for site in todo:
            new = [other for other in self._uses.get(site, _Uses()).together if other not in found]
            found.update(dict.fromkeys(new))
            todo += new
        return [spot for spot in map(self.spot, found) if spot is not None]

    def places(self, node: ast.expr, facts: Facts) -> Places:
        """Where the texts and devices are written that an expression may be."""
        value = self.structure.value(facts, node)
        return _plain(value.places) if value is not None else Places()

    def spot(self, site: Site) -> Spot | None:
        """What is written at a place."""
        own = self.view.own
        return spot_at(site, own if site.file == own.file else self.structure.analysis(own).facts(site.file))

    def sink(self, value: ast.expr) -> Sink | None:
        """The sink that an expression stands in directly."""
        return sink_at(self.structure, self.view.own, value)

    @property
    def _uses(self) -> dict[Site, _Uses]:
        """Of each place, where in the program something is that is written there."""
        own = self.view.own
        return own.once("uses of devices in all files", lambda: self._all_uses(own))

    def _all_uses(self, own: Facts) -> dict[Site, _Uses]:
        analysis, apart = self.structure.analysis(own), own.program.apart
        found: dict[Site, _Uses] = {}
        for facts in analysis.files():
            for site, uses in _uses_in(facts).items():
                now = site if facts is own else analysis.moved_site(site)
                near = [] if facts.file in apart else [other for other in uses.together if other.file not in apart]
                together = near if facts is own else map(analysis.moved_site, near)
                unknown = [] if facts.file in apart else uses.unknown
                found.setdefault(now, _Uses()).add(_Uses(uses.sinks, dict.fromkeys(together), unknown))
        return found


# -- one file ------------------------------------------------------------------------------------------


@dataclass
class _Uses:
    """Where something is that is written at one place."""

    sinks: list[Sink] = field(default_factory=list)
    together: dict[Site, None] = field(default_factory=dict)
    """What it is compared with, or chosen from."""
    unknown: list[Spot] = field(default_factory=list)

    def add(self, other: _Uses) -> None:
        """Take the uses of another file, too."""
        self.sinks += other.sinks
        self.together.update(other.together)
        self.unknown += other.unknown


def _uses_in(facts: Facts) -> dict[Site, _Uses]:
    """The uses of one file, by what is written anywhere."""
    return facts.once("uses of devices", lambda: _Finder(facts).found())


class _Finder:
    """Goes through the calls and the questions of a file."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.structure = structure_of(facts.view)
        self._found: dict[Site, _Uses] = {}

    def found(self) -> dict[Site, _Uses]:
        """All that are found."""
        for node in self.facts.module.of_type(*_USES):
            if isinstance(node, ast.Call):
                self._call(node)
            elif isinstance(node, ast.Compare):
                self._compared([self._of(side, in_display) for side in (node.left, *node.comparators)])
            elif isinstance(node, ast.Subscript):
                self._lost(self._of(node.slice), node.slice)
            elif isinstance(node, ast.Match):
                parts = (part for case in node.cases for part in ast.walk(case.pattern))
                texts = [p for p in parts if isinstance(p, ast.Constant) and PLACE.match(str(p.value))]
                self._compared([self._of(node.subject), Places(Site.of(self.facts.file, text) for text in texts)])
        return self._found

    def _of(self, node: ast.expr, places: Callable[[Value], Places] = lambda value: value.places) -> Places:
        value = self.structure.value(self.facts, node)
        return _plain(places(value)) if value is not None else Places()

    def _uses(self, places: Places) -> Iterator[_Uses]:
        return (self._found.setdefault(site, _Uses()) for site in places)

    def _compared(self, sides: list[Places]) -> None:
        for side in sides:
            others = Places().union(*(other for other in sides if other is not side))
            for uses in self._uses(side):
                uses.together.update(dict.fromkeys(sorted(others)))
            self._offered(side)

    def _lost(self, places: Places, node: ast.expr) -> None:
        for uses in self._uses(places):
            uses.unknown.append(Spot(self.facts, node))

    def _call(self, call: ast.Call) -> None:
        called, last = self.facts.names.resolve(call.func), last_name(call.func)
        if isinstance(call.func, ast.Attribute):
            receiver = self._of(call.func.value)
            if receiver and last in _ASKING:
                self._compared([receiver, *(self._of(argument, in_display) for argument in call.args)])
            if receiver and last in SPLITTING and _wants_rest(self.facts, call):
                self._lost(receiver, call)
        if called in _MATCHING and len(call.args) > 1:
            self._compared([self._of(argument) for argument in call.args[:2]])
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            value = self.structure.value(self.facts, argument)
            if value is None or not (value.places or value.keys):
                continue
            fields = dict(zip(value.keys or (), value.elements or (), strict=False))
            for item, part in [(None, value), *((key, each) for key, each in fields.items() if key in ITEMS)]:
                places = _plain(part.places)
                sink = sink_at(self.structure, self.facts, argument, item) if places else None
                if sink is not None:
                    for uses in self._uses(places):
                        uses.sinks.append(sink)
                    self._offered(places)
                elif item is None and called not in _QUIET and self._is_foreign(call):
                    self._lost(places, argument)

    def _is_foreign(self, call: ast.Call) -> bool:
        runs = self.structure.runs(self.facts, call)
        return not runs and not self.structure.classes_named(self.facts, call.func)

    def _offered(self, places: Places) -> None:
        """Note that something may be one of the choices of an option, or of the texts of a ``Literal[…]``."""
        analysis = self.structure.analysis(self.facts)
        offered = Places(site for site in places if _is_offered(spot_at(site, analysis.facts(site.file))))
        for these, others in ((places, offered), (offered, places)):
            for uses in self._uses(these):
                uses.together.update(dict.fromkeys(sorted(others)))


def spot_at(site: Site, facts: Facts | None) -> Spot | None:
    """What is written at a place of a file."""
    node = _written(facts).get(site) if facts is not None else None
    return Spot(facts, node) if facts is not None and node is not None else None


def _written(facts: Facts) -> dict[Site, ast.expr]:
    def found() -> dict[Site, ast.expr]:
        nodes = (node for node in facts.module.of_type(*_WRITTEN) if isinstance(node, ast.expr))
        whole = (node for node in nodes if not isinstance(facts.module.parents[node], ast.JoinedStr))
        return {Site.of(facts.file, node): node for node in whole}

    return facts.once("what names devices, by place", found)


def _is_offered(spot: Spot | None) -> bool:
    """Whether a text is one of the choices of an option, or of a ``Literal[…]``."""
    for parent in spot.facts.module.ancestors(spot.node) if spot is not None else ():
        if isinstance(parent, ast.Subscript):
            return last_name(parent.value) == "Literal"
        if isinstance(parent, ast.keyword):
            return parent.arg in ("choices", "type")
        if not isinstance(parent, ast.Tuple | ast.List | ast.Set | ast.Call):
            return False
    return False


def _wants_rest(facts: Facts, call: ast.Call) -> bool:
    """Whether something else is taken of a text that is split than its first part."""
    parent = facts.module.parents[call]
    if isinstance(parent, ast.Subscript):
        return not (isinstance(parent.slice, ast.Constant) and parent.slice.value == 0)
    return isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Tuple | ast.List)


def _plain(places: Places) -> Places:
    return Places(site._replace(turn="") for site in places)
