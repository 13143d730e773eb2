"""A file whose text has changed since its project was analysed: it alone is run again.

What other files give it stays, and what it takes of them: they are seen as they are on disk.
"""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

from xlaport.analysis.analysis import Analysis
from xlaport.analysis.call_graph import Passed, Sites
from xlaport.analysis.definitions import Cell, Class, Function, Going
from xlaport.analysis.events import Event, Given, Kind, Objects
from xlaport.analysis.frame import Apart
from xlaport.analysis.order import done_by
from xlaport.analysis.value import PLACE, UNKNOWN, Bound, Definition, Partial, Site, Value
from xlaport.facts.module import last_name
from xlaport.facts.program import Facts

_Path = tuple[str, ...]
_D = TypeVar("_D", Function, Class)


class Changed(Analysis):
    """The analysis of a file in its new text, which rests on that of the project with the old one."""

    def __init__(self, project: Analysis, own: Facts) -> None:
        super().__init__(project.program, own)
        self.project = project
        self.file = own.file
        self.modules = {file: module for file, module in project.modules.items() if file != own.file}
        self.parts = ChainMap({}, project.parts)
        self.of_host = set(project.of_host)
        self.moved = set(project.moved)
        self._now: dict[Definition, Definition] = {}
        """What stands now in the place of a definition of the old text."""
        self._old: dict[Definition, Definition] = {}
        """And the other way round."""
        self._sites: dict[Site, Site] = {}
        """Where the objects are made now that the old text made: at the same call of the same definition."""
        self._before: dict[_Path, list[Function | Class]] = {}
        before = project.facts(own.file)
        if before is not None:
            now = _places(own)
            self._sites = {site: now[call] for call, site in _places(before).items() if call in now}
            held = project.parts.items()
            moved = {s for s, now in self._sites.items() if s != now}
            changed = {self._sites.get(h, h): self._moved(p) for h, p in held if h in moved or not moved.isdisjoint(p)}
            self.parts = ChainMap({}, changed, project.parts)
            for definition in project.defined.get(own.file, ()):
                self._before.setdefault(_path(before, definition.node), []).append(definition)
        self.run([own.file])

    def facts_of(self, node: ast.AST) -> Facts:
        """The file that a node stands in."""
        own = self.facts(self.file)
        return own if own is not None and node in own.module.parents else self.project.facts_of(node)

    def value_at(self, node: ast.AST) -> Value | None:
        """What an expression was found to be, of any file."""
        value = self.values.get(node)
        if value is None and (value := self.project.values.get(node)) is not None:
            value = self.translated(value)
        return value

    def given_to(self, site: Site) -> Given | None:
        """What the call gets that makes an object, in any file."""
        found = self.project.given_to(site) if site.file != self.file else None
        if found is None:
            return super().given_to(site)
        keywords = {name: self.translated(value) for name, value in found.keywords.items()}
        return Given(tuple(map(self.translated, found.arguments)), keywords)

    def all_given(self) -> Iterable[Site]:
        """The objects that this is noted of, in any file."""
        return [*super().all_given(), *(site for site in self.project.all_given() if site.file != self.file)]

    def function_at(self, node: ast.AST) -> Function | None:
        """The function of a definition, of any file."""
        return super().function_at(node) or self.project.function_at(node)

    def class_at(self, node: ast.ClassDef) -> Class | None:
        """The class of a definition, of any file."""
        return super().class_at(node) or self.project.class_at(node)

    def heirs(self, kind: Class) -> Iterable[Class]:
        """The classes that derive from one directly; of this file, those that stand now."""
        now = (heir if heir.file != self.file or heir.home is self else self._now.get(heir) for heir in kind.heirs)
        return [heir for heir in now if isinstance(heir, Class)]

    def run_by(self, call: ast.Call) -> Mapping[Function, Passed]:
        """The functions one of which a call runs, of any file, each with what it passes."""
        now = {
            self._now.get(old, old): passed
            for old, passed in self.project.run_by(call).items()
            if old.file != self.file or old in self._now
        }
        return super().run_by(call) or {f: passed for f, passed in now.items() if isinstance(f, Function)}

    def contents(self, site: Site) -> Cell:
        """What is put into the containers that are made at a place: of this file, as it is now."""
        if site.file != self.file:
            return self.project.contents(site)
        is_new = site not in self._contents
        cell = super().contents(site)
        for old in [old for old, now in self._sites.items() if now == site] if is_new else ():
            if (foreign := self.project.contents(old).foreign) is not None:
                cell.put(self.translated(foreign), "")
        return cell

    def going_on(self, place: ast.AST) -> Iterable[Function]:
        """What runs at a place without being called there in words, of any file."""
        return super().going_on(place) or [self.now(function) for function in self.project.going_on(place)]

    def places(self, function: Function) -> Mapping[ast.AST, Function]:
        """The places where a function runs without being called in words, in this file as it is now."""
        old = self._old.get(function, function)
        others = self.project.places(old) if isinstance(old, Function) else {}
        kept = {place: here for place, here in others.items() if here.file != self.file}
        return {**super().places(function), **kept}

    def wrappers(self, function: Function) -> Iterable[Function]:
        """What decorators have put around a function, as that is now."""
        return super().wrappers(function) or list(map(self.now, self.project.wrappers(self._before_now(function))))

    def wrapped(self, wrapper: Function) -> Iterable[Function]:
        """The functions that one has been put around, in this file as they are now."""
        others = (f for f in self.project.wrapped(self._before_now(wrapper)) if f.file != self.file)
        return [*super().wrapped(wrapper), *others]

    def _before_now(self, function: Function) -> Function:
        old = self._old.get(function, function)
        return old if isinstance(old, Function) else function

    def sites(self, definition: Function | Class) -> Sites:
        """The calls of a function or class, in this file as it is now."""
        old = self._old.get(definition, definition)
        others = self.project.sites(old) if isinstance(old, Function | Class) else {}
        kept = {call: caller for call, caller in others.items() if caller.file != self.file}
        return {**super().sites(definition), **kept}

    def apart(self, function: Function, given: Mapping[str, Value], place: str) -> Apart | None:
        """What a function does for one of its calls; of another file, by what that is on disk."""
        if function.home is self:
            return super().apart(function, given, place)
        found = self.project.apart(function, given, place)
        if found is None:
            return None
        result = Cell(self, function.file)
        result.put(self.translated(found.result.value), function.file)
        return found._replace(result=result)

    def translated(self, value: Value | None) -> Value:
        """What a cell of the project holds, with what stands now in the place of the old definitions."""
        if value is None:
            return UNKNOWN
        refers, kind = value.refers, value.type
        if isinstance(refers, Bound):
            now = self._now.get(refers.definition, refers.definition)
            value = value._replace(refers=Bound(now, self.translated(refers.receiver)))
        elif isinstance(refers, Partial):
            given = tuple(map(self.translated, refers.given))
            keywords = tuple((name, self.translated(given)) for name, given in refers.keywords)
            value = value._replace(refers=Partial(self.translated(refers.function), given, keywords))
        elif isinstance(refers, Going):
            value = value._replace(refers=Going(self.now(refers.function)))
        elif isinstance(refers, Definition) and refers in self._now:
            value = value._replace(refers=self._now[refers])
        if isinstance(kind, Definition) and kind in self._now:
            value = value._replace(type=self._now[kind])
        if value.objects or value.places or value.turns:
            turns = frozenset(turn._replace(site=self.moved_site(turn.site)) for turn in value.turns)
            objects, places = self._moved(value.objects), self._moved(value.places)
            value = value._replace(objects=objects, places=places, turns=turns)
        if value.alternatives:
            value = value._replace(alternatives=tuple(map(self.translated, value.alternatives)))
        if value.elements is not None:
            value = value._replace(elements=tuple(map(self.translated, value.elements)))
        return value if value.element is None else value._replace(element=self.translated(value.element))

    def now(self, definition: _D) -> _D:
        """What stands now in the place of a definition of the old text."""
        found = self._now.get(definition)
        return found if isinstance(found, type(definition)) else definition

    def entrances(self) -> Iterator[Function]:
        """What runs by itself: of the other files, as they are on disk."""
        yield from super().entrances()
        yield from (function for function in self.project.entrances() if function.file != self.file)

    def leading_here(self) -> Iterable[Function]:
        """Of what runs by itself, what may run a function of this file: what else happens is told with other files."""
        found: set[Function] = set()
        todo = self.functions_in(self.file)
        while todo:
            function = todo.pop()
            if function not in found:
                found.add(function)
                todo += [*self.sites(function).values(), *self.places(function).values()]
        return [entrance for entrance in self.entrances() if entrance in found]

    @cached_property
    def done(self) -> Mapping[Function, frozenset[Kind]]:
        """What functions do, themselves and in what they call; those of other files, as they are on disk."""
        functions = (f for defined in self.defined.values() for f in defined if isinstance(f, Function))
        own = done_by({function: function.events for function in functions}, self.project.done)
        return ChainMap(own, dict(self.project.done))

    def events_of(self, function: Function) -> Iterable[Event]:
        """What a function does; of another file, with what stands now in the place of the old definitions."""
        return function.events if function.home is self else map(self._now_of, function.events)

    def _now_of(self, event: Event) -> Event:
        now = self._now.get(event.callee) if event.callee is not None else None
        handed = {name: (source, self._moved(objects)) for name, (source, objects) in event.handed.items()}
        objects, other = self._moved(event.objects), self._moved(event.other)
        return event._replace(objects=objects, other=other, callee=now or event.callee, handed=handed)

    def defined_by(self, file: str, name: str, reader: Function) -> Function | Class | Value:
        """What a file defines under a qualified name; what other files define is as it is on disk."""
        if file == self.file:
            return super().defined_by(file, name, reader)
        known = self.project.modules.get(file) is not None
        return self.project.defined_by(file, name, reader) if known else UNKNOWN

    def moved_site(self, site: Site) -> Site:
        """Where something stands now that the old text has at a place."""
        now = self._sites.get(site._replace(turn=""))
        return site if now is None else now._replace(turn=site.turn)

    def _moved(self, objects: Objects) -> Objects:
        return frozenset(map(self.moved_site, objects))

    def noted(self, definition: Function | Class) -> None:
        """Put a definition in the place of the old one: what other files have given that one, they give it."""
        super().noted(definition)
        own = self.facts(definition.file)
        assert own is not None
        left = self._before.get(_path(own, definition.node))
        if not left:
            return
        old = left.pop(0)
        self._now[old] = definition
        self._old[definition] = old
        if isinstance(definition, Class) and isinstance(old, Class):
            definition.heirs.update((heir, None) for heir in old.heirs if heir.file != definition.file)
            self._give(old.attributes, definition.attribute)
            self.moved |= {definition} if old in self.project.moved else set()
        elif isinstance(definition, Function) and isinstance(old, Function):
            self._give(old.cells, definition.variable)
            self._give({"sent": old.sent}, lambda _: definition.sent)
            if self._give(old.given, definition.parameter):
                self._called.add(definition)

    def _give(self, cells: dict[str, Cell], cell_of: Callable[[str], Cell]) -> bool:
        """Put what has come from other files into the new cells; whether that is anything."""
        given = {name: cell.foreign for name, cell in cells.items() if cell.foreign is not None}
        for name, value in given.items():
            cell_of(name).put(self.translated(value), "")
        return bool(given)


def _path(facts: Facts, node: ast.AST) -> _Path:
    """The names of a definition and of those around it."""
    around = (node, *facts.module.ancestors(node))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    return tuple(getattr(each, "name", "<lambda>") for each in around if isinstance(each, kinds))


_MAKING = (ast.Call, ast.List, ast.Dict, ast.Constant, ast.JoinedStr, ast.BinOp)
_CHANGING = (ast.For, ast.AsyncFor, ast.While, ast.AugAssign, ast.Assign)
"""Statements in which numbers become others."""


def _told_by(facts: Facts, node: ast.expr | ast.stmt) -> str:
    """What a place is told from others by, some of which go while it stays."""
    if isinstance(node, ast.Call):
        return last_name(node.func) or ""
    if isinstance(node, ast.Assign | ast.AugAssign):
        return ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
    if isinstance(node, ast.List | ast.Dict | ast.stmt):
        return type(node).__name__
    line = slice(facts.module.line_start(node.lineno), facts.module.line_end(node.lineno))
    return f"{getattr(node, 'value', '')!r} in {facts.module.text[line]}"


def _places(facts: Facts) -> dict[tuple[_Path, str, int], Site]:
    """Where a file makes something, or a number changes: by the definitions around it, and how often the like of it
    has been there.
    """
    found: dict[tuple[_Path, str, int], Site] = {}
    count: dict[tuple[_Path, str], int] = {}
    for node in facts.module.of_type(*_MAKING, *_CHANGING):
        is_text = isinstance(node, ast.Constant) and not PLACE.match(str(node.value))
        is_plain = isinstance(node, ast.Assign) and not isinstance(node.value, ast.BinOp)
        if is_text or is_plain or not isinstance(node, ast.expr | ast.stmt):
            continue
        key = _path(facts, node), _told_by(facts, node)
        count[key] = count.get(key, -1) + 1
        found[(*key, count[key])] = Site.of(facts.file, node)
    return found
