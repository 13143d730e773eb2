"""Functions and classes across the files of a project: what a call runs, what an expression is an instance of.

They are what `xlaport.analysis` knows, with the files that they stand in.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from xlaport.analysis import definitions
from xlaport.analysis.analysis import Analysis
from xlaport.analysis.call_graph import Passed
from xlaport.analysis.definitions import parameters
from xlaport.analysis.of_file import analysis_of
from xlaport.analysis.value import MODULE, NONE, TENSOR, Bound, Site, Value, each_alternative
from xlaport.facts import known
from xlaport.facts.classes import Classes, default
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts, Place, View

_MAX_FILES = 120
"""A name that more files may use is not followed into them: nobody could check what becomes of it."""


@dataclass(frozen=True)
class Function:
    """A function and the file that it is in."""

    facts: Facts
    node: FunctionNode

    @property
    def path(self) -> tuple[str, ...]:
        """The file, and the names of what the function stands in, and its own: the same in each text of the file."""
        around = [p for p in self.facts.module.ancestors(self.node) if isinstance(p, FunctionNode | ast.ClassDef)]
        return (self.facts.file, *(parent.name for parent in reversed(around)), self.node.name)


@dataclass(frozen=True)
class Class:
    """A class and the file that it is in."""

    facts: Facts
    node: ast.ClassDef


@dataclass(frozen=True)
class CallSite:
    """A call and the file that it is in."""

    facts: Facts
    node: ast.Call


def structure_of(view: View) -> Structure:
    """The structure of the files in a view; one for all views of files that are as they are on disk."""
    seen = view.own.view
    return seen.once("structure", lambda: Structure(seen))


class Structure:
    """The functions and classes of the files in a view. See `structure_of`."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._bases: dict[Class, list[Class]] = {}
        self._derived: dict[Class, list[Class]] = {}
        self._calls: dict[Function, list[CallSite]] = {}
        self._held: dict[Facts, Classes] = {}

    # -- the analysis ----------------------------------------------------------------------------------

    def analysis(self, facts: Facts) -> Analysis:
        """The analysis that a file is part of, as this view sees it."""
        own = analysis_of(self.view.own)
        return own if own.modules.get(facts.file) and own.facts(facts.file) is facts else analysis_of(facts)

    def value(self, facts: Facts, node: ast.AST) -> Value | None:
        """What an expression may be."""
        return self.analysis(facts).value_at(node)

    def _class(self, analysis: Analysis, kind: definitions.Class) -> Class | None:
        kind = analysis.now(kind)
        facts = analysis.facts(kind.file)
        return Class(facts, kind.node) if facts is not None and kind.node in facts.module.parents else None

    def function_of(self, analysis: Analysis, function: object) -> Function | None:
        """A function of an analysis, with its file; None for what is no function that is defined by a name."""
        if not isinstance(function, definitions.Function) or not isinstance(function.node, FunctionNode):
            return None
        facts = analysis.facts(function.file)
        return Function(facts, function.node) if facts is not None else None

    def _kind(self, owner: Class) -> tuple[Analysis, definitions.Class | None]:
        analysis = self.analysis(owner.facts)
        return analysis, analysis.class_at(owner.node)

    def _sites(self, analysis: Analysis, definition: definitions.Function | definitions.Class) -> Iterator[CallSite]:
        wrappers = analysis.wrappers(definition) if isinstance(definition, definitions.Function) else ()
        for call, caller in analysis.sites(definition).items():
            facts = analysis.facts(caller.file)
            if facts is not None and caller not in wrappers:  # these run where it is called
                yield CallSite(facts, call)

    # -- functions -------------------------------------------------------------------------------------

    def runs(self, facts: Facts, call: ast.Call) -> list[Function]:
        """The functions of the project one of which a call runs: of an object that is called, its ``__call__()``."""
        analysis = self.analysis(facts)
        found = (self.function_of(analysis, function) for function in analysis.run_by(call))
        return [function for function in found if function is not None]

    def run_by(self, facts: Facts, call: ast.Call) -> Function | None:
        """The one function, method or ``__init__`` of the project that a call runs; not that of an object."""
        found = self.runs(facts, call)
        return found[0] if len(found) == 1 and not self.instances_of(facts, call.func) else None

    def function_named(self, facts: Facts, node: ast.expr) -> Function | None:
        """The function that an expression names: by an import, or as the method of an object."""
        analysis = self.analysis(facts)
        value = analysis.value_at(node)
        refers = value.refers if value is not None else None
        return self.function_of(analysis, refers.definition if isinstance(refers, Bound) else refers)

    def method_of_self(self, facts: Facts, call: ast.Call) -> Function | None:
        """The method that ``self.name()`` runs in the class where it stands; a derived class may have its own."""
        func = call.func
        if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name):
            return None
        owner = facts.names.self_class(func.value)
        return self.method(Class(facts, owner), func.attr) if owner is not None else None

    def calls_to(self, function: Function) -> list[CallSite]:
        """The calls in the project that run a function, or that of a class which it derives from or the other way.

        Those of a module that is called, `calls_of_objects` gives.
        """
        if function not in self._calls:
            self._calls[function] = list(dict.fromkeys(self._calls_to(function)))
        return list(self._calls[function])

    def _calls_to(self, function: Function) -> Iterator[CallSite]:
        for site in self._sites_of(function):
            if not any(self.is_module(owner) for owner in self.instances_of(site.facts, site.node.func)):
                yield site
        owner, name = function.facts.module.parents[function.node], function.node.name
        if not isinstance(owner, ast.ClassDef) or name.startswith("__"):
            return
        here = Class(function.facts, owner)
        for other in self._alike(here, name):  # what is called on an object of a base class may be one of this class
            for site in self._sites_of(other):
                func = site.node.func
                asked = self.instances_of(site.facts, func.value) if isinstance(func, ast.Attribute) else ()
                if any(self.is_related(one, here) for one in asked):
                    yield site

    def _alike(self, owner: Class, name: str) -> Iterator[Function]:
        """The methods of a name of a class's bases, and of the classes that derive from it."""
        around = (*self.bases(owner)[1:], *self.derived(owner))
        return (own for kind in around if (own := _own_method(kind, name)) is not None)

    def _sites_of(self, function: Function) -> Iterator[CallSite]:
        analysis = self.analysis(function.facts)
        found = analysis.function_at(function.node)
        return self._sites(analysis, found) if found is not None else iter(())

    def calls_of_objects(self, owner: Class) -> list[CallSite]:
        """The calls of the instances of a class that are called like functions: those of a module run its forward."""
        name = "forward" if self.is_module(owner) else "__call__"
        method = self.method(owner, name)
        return [
            site
            for site in (self._sites_of(method) if method is not None else ())
            if any(self.is_related(one, owner) for one in self.instances_of(site.facts, site.node.func))
        ]

    def _passed(self, call: ast.Call, function: Function) -> Passed:
        """What a call passes to a function, or to that of another class in its place."""
        run = self.analysis(function.facts).run_by(call)
        for other, passed in run.items():
            if other.node is function.node:
                return passed
        for other, passed in run.items():  # by the places of its parameters
            given = getattr(other.node, "args", None)
            if isinstance(given, ast.arguments):
                pairs = zip(parameters(given), parameters(function.node.args), strict=False)
                names = {theirs.arg: own.arg for theirs, own in pairs}
                return {names.get(name, name): written for name, written in passed.items()}
        return {}

    def parameter_of(self, call: ast.Call, function: Function, argument: ast.expr) -> str | None:
        """The parameter that an argument is for."""
        passed = self._passed(call, function)
        return next((name for name, written in passed.items() if written is argument), None)

    def argument_for(self, site: CallSite, function: Function, parameter: str) -> ast.expr | None:
        """The expression that a call passes for a parameter; None where it passes none, or it is unsure."""
        return self._passed(site.node, function).get(parameter)

    def given(self, site: CallSite, function: Function, parameter: str) -> tuple[Facts, ast.expr | None]:
        """What a call passes for a parameter, or its default, with the file that it is in; None if it is unsure."""
        passed = self._passed(site.node, function)
        if parameter in passed:
            return site.facts, passed[parameter]
        return function.facts, default(function.node.args, parameter)

    # -- classes ---------------------------------------------------------------------------------------

    def instance_of(self, facts: Facts, node: ast.expr) -> Class | None:
        """The class of the project that an expression is an instance of."""
        found = self.instances_of(facts, node)
        return found[0] if len(found) == 1 else None

    def instances_of(self, facts: Facts, node: ast.expr) -> tuple[Class, ...]:
        """The classes of the project one of which an expression is an instance of; none where it may be another."""
        owner = facts.names.self_class(node) if isinstance(node, ast.Name) else None
        if owner is not None:
            return (Class(facts, owner),)
        return self._classes(facts, node, lambda value: value.type)

    def class_named(self, facts: Facts, node: ast.expr) -> Class | None:
        """The class of the project that an expression names."""
        found = self.classes_named(facts, node)
        return found[0] if len(found) == 1 else None

    def classes_named(self, facts: Facts, node: ast.expr) -> tuple[Class, ...]:
        """The classes of the project one of which an expression names; none where it may name another."""
        return self._classes(facts, node, lambda value: value.refers)

    def _classes(self, facts: Facts, node: ast.expr, part: Callable[[Value], object]) -> tuple[Class, ...]:
        """The classes that a part of a value is, in each of its alternatives; none where it may be something else."""
        analysis = self.analysis(facts)
        value = analysis.value_at(node)
        kinds = [part(one) for one in each_alternative(value) if one.type != NONE] if value is not None else []
        found = [self._class(analysis, kind) if isinstance(kind, definitions.Class) else None for kind in kinds]
        return tuple(one for one in found if one is not None) if all(found) else ()

    def made(self, owner: Class) -> list[CallSite]:
        """The calls that make an instance of a class, or of another one of the project."""
        analysis, kind = self._kind(owner)
        sites = self._sites(analysis, kind) if kind is not None else ()
        return [site for site in sites if self.instances_of(site.facts, site.node)]

    def made_at(self, facts: Facts, node: ast.expr) -> list[CallSite]:
        """The calls that make the objects one of which an expression is; none where it may be another."""
        value = self.value(facts, node)
        if value is None or value.type in (TENSOR, MODULE):  # a part of an object has that for its own
            return []
        found = [made for site in sorted(value.objects) if (made := self.made_there(facts, site)) is not None]
        return list(dict.fromkeys(found)) if len(found) == len(value.objects) else []

    def made_there(self, facts: Facts, site: Site) -> CallSite | None:
        """The call that makes an object, as a file sees it."""
        there = self.analysis(facts).facts(site.file)
        call = calls_by_site(there).get(site._replace(turn="")) if there else None
        return CallSite(there, call) if there and call else None

    def bases(self, owner: Class) -> list[Class]:
        """A class and its base classes in the project, nearest first. Do not change the list: it is kept."""
        if owner not in self._bases:
            analysis, kind = self._kind(owner)
            line = (self._class(analysis, base) for base in kind.line()) if kind is not None else [owner]
            self._bases[owner] = [base for base in line if base is not None]
        return self._bases[owner]

    def derived(self, owner: Class) -> list[Class]:
        """The classes of the project that derive from a class, nearest first. Do not change the list: it is kept."""
        if owner not in self._derived:
            analysis, kind = self._kind(owner)
            todo = [kind] if kind is not None else []
            met = set(todo)
            for current in todo:
                new = [heir for heir in analysis.heirs(current) if heir not in met]
                met.update(new)
                todo += new
            found = (self._class(analysis, heir) for heir in todo[1:])
            self._derived[owner] = [heir for heir in found if heir is not None]
        return self._derived[owner]

    def is_related(self, one: Class, other: Class) -> bool:
        """Whether one of two classes derives from the other, so that they may share an attribute."""
        return one == other or one in self.bases(other) or other in self.bases(one)

    def method(self, owner: Class, name: str) -> Function | None:
        """The method of a class: its own, or that of a base class."""
        return next((own for base in self.bases(owner) if (own := _own_method(base, name)) is not None), None)

    def overrides(self, function: Function) -> list[Function]:
        """The methods that stand in a method's place in the classes derived from its own."""
        owner = function.facts.module.parents[function.node]
        if not isinstance(owner, ast.ClassDef):
            return []
        heirs = self.derived(Class(function.facts, owner))
        return [own for heir in heirs if (own := _own_method(heir, function.node.name)) is not None]

    def of_libraries(self, owner: Class) -> tuple[str, ...]:
        """The names of the library classes that a class derives from."""
        _, kind = self._kind(owner)
        return tuple(kind.of_libraries()) if kind is not None else ()

    def derives(self, owner: Class, bases: frozenset[str]) -> bool:
        """Whether a class derives from one of the named classes of libraries."""
        return not bases.isdisjoint(self.of_libraries(owner))

    def is_module(self, owner: Class) -> bool:
        """Whether a class derives from ``torch.nn.Module``, or from one of torch's modules."""
        return any(map(known.is_module, self.of_libraries(owner)))

    def keeps_itself(self, owner: Class, methods: Iterable[str]) -> bool:
        """Whether methods that a module has by itself give the module back: the class has none of its own."""
        return self.is_module(owner) and all(self.method(owner, method) is None for method in methods)

    def assigned(self, owners: Iterable[Class], name: str) -> list[tuple[Facts, ast.expr | None]]:
        """All that is assigned to an attribute of some classes, once each, with its file; None: something else."""
        found = {
            id(value): (owner.facts, value)
            for owner in owners
            for value in self.classes(owner.facts).attribute_values(owner.node, name)
        }
        return list(found.values())

    def classes(self, facts: Facts) -> Classes:
        """What the classes of a file hold."""
        if facts not in self._held:

            def instance_class(node: ast.expr) -> ast.ClassDef | None:
                owner = self.instance_of(facts, node)
                return owner.node if owner is not None and owner.facts is facts else None

            self._held[facts] = Classes(facts.module, facts.names, instance_class)
        return self._held[facts]

    def attributes_of(self, owners: Iterable[Class]) -> list[str]:
        """The names of all that is assigned to an attribute of some classes."""
        names = (name for owner in owners for name in self.classes(owner.facts).attributes_of(owner.node))
        return list(dict.fromkeys(names))

    def is_buffer(self, owners: Iterable[Class], name: str) -> bool:
        """Whether one of some classes registers an attribute as a buffer: ``register_buffer("mean", …)``."""
        return any(self.classes(owner.facts).is_buffer(owner.node, name) for owner in owners)

    # -- names and files -------------------------------------------------------------------------------

    def place(self, facts: Facts, node: ast.expr) -> Place | None:
        """The top-level name of a file of the project that an expression leads to, by an import."""
        found = {facts.program.lead(facts.file, name) for name in facts.names.spelled(node)}
        place = found.pop() if len(found) == 1 else None
        return place if isinstance(place, Place) and place.name is not None else None

    def references(self, facts: Facts, name: str) -> list[tuple[Facts, ast.expr]]:
        """The expressions in other files that stand for a top-level name of a file."""
        if self.view.is_alone or self.is_everywhere(facts, name):
            return []
        found: list[tuple[Facts, ast.expr]] = []
        for file in self.view.program.graph.users(facts.file, name):
            other = self.view.facts(file)
            if other is not None:
                found += [(other, node) for node in other.references.get((facts.file, name), [])]
        return found

    def is_everywhere(self, facts: Facts, name: str) -> bool:
        """Whether too many files may use a top-level name of a file to follow it into them."""
        return not self.view.is_alone and len(self.view.program.graph.users(facts.file, name)) > _MAX_FILES

    def files_with(self, owner: Class, attribute: str) -> list[Facts]:
        """The files with an attribute in which an object may be used that is known to be an instance of a class."""
        return [facts for facts in self.analysis(owner.facts).files() if attribute in facts.module.attributes]


def calls_by_site(facts: Facts) -> dict[Site, ast.Call]:
    """The calls of a file, by their places."""
    return facts.once("calls by site", lambda: {Site.of(facts.file, call): call for call in facts.module.calls})


def _own_method(owner: Class, name: str) -> Function | None:
    found = [s for s in owner.node.body if isinstance(s, FunctionNode) and s.name == name]
    return Function(owner.facts, found[-1]) if found else None
