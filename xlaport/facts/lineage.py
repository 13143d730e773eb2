"""The classes of a project and how they derive from each other, and where top-level names are used."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from xlaport.facts import known
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.facts.program import Facts, Place, View

_MAX_FILES = 120
"""A name that more files may use is not followed into them: nobody could check what becomes of it."""
_MAX_USING = 24
"""The same of an attribute: in each of these files it takes much to say whose it is."""
_MAX_DERIVED = 12
"""A class that more files use is the base of a library's classes: they have little in common."""
_MAX_MAKERS = 25
_MAX_CHOICES = 3
"""How often a name for a class may be given another name."""
_DATACLASSES = frozenset(
    {"dataclasses.dataclass", "pydantic.dataclasses.dataclass", "attr.s", "attrs.define", "attr.dataclass"}
)
_MODELS = frozenset(
    {"pydantic.BaseModel", "pydantic.BaseSettings", "typing.NamedTuple", "pydantic_settings.BaseSettings"}
)
_PLAIN_BASES = frozenset({"builtins.object", "abc.ABC", "torch.nn.Module"})
"""Classes of libraries that have no method of a step."""


@dataclass(frozen=True)
class Function:
    """A function and the file that it is in."""

    facts: Facts
    node: FunctionNode


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


class Lineage:
    """The classes of the files in a view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._bases: dict[Class, list[Class]] = {}
        self._derived: dict[Class, list[Class]] = {}
        self._methods: dict[tuple[Class, str], Function | None] = {}
        self._classes: dict[ast.expr, Class | None] = {}

    # -- references ------------------------------------------------------------------------------------

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
        return self.users(facts, name) > _MAX_FILES

    def users(self, facts: Facts, name: str) -> int:
        """How many other files may use a top-level name of a file."""
        return 0 if self.view.is_alone else len(self.view.program.graph.users(facts.file, name))

    def definition(self, facts: Facts, node: ast.expr) -> tuple[Facts, ast.AST] | None:
        """The one statement of the project that defines what an expression stands for, by an import."""
        place = self.place(facts, node) if isinstance(node, ast.Name | ast.Attribute) else None
        if place is None or place.rest:
            return None
        other = self.view.facts(place.file)
        found = other.names.root.bindings.get(place.name or "", []) if other is not None else []
        return (other, found[0].node) if other is not None and len(found) == 1 else None

    # -- files ------------------------------------------------------------------------------------------

    def files_with(self, owner: Class, attribute: str) -> list[Facts]:
        """The files with an attribute in which an object may be used that is known to be an instance of a class."""
        return self._files_using(owner, lambda file: self.view.program.says_attribute(file, attribute))

    def files_naming(self, owner: Class) -> list[Facts]:
        """The files in which an object may be used that is known to be an instance of a class, or of one like it.

        Their texts hold the name, be it within that of a derived class or of a function that makes an instance.
        """
        names = [c.node.name.encode("utf-8", "surrogatepass") for c in (owner, *self.derived(owner))]
        return self._files_using(owner, lambda file: any(name in self.view.program.data(file) for name in names))

    def _files_using(self, owner: Class, says: Callable[[str], bool]) -> list[Facts]:
        if self.view.is_alone:
            return [owner.facts]
        wanted = self._paths_using(owner, says)
        if len(wanted) > _MAX_USING:
            wanted = [base.facts.file for base in self.bases(owner)]
        return [facts for file in wanted if (facts := self.view.facts(file)) is not None]

    def _paths_using(self, owner: Class, says: Callable[[str], bool]) -> list[str]:
        graph = self.view.program.graph
        # Who makes an instance of a derived class need not know the class itself.
        classes = [*self.bases(owner), *self.derived(owner)]
        files = [f for c in classes for f in [c.facts.file, *graph.users(c.facts.file, c.node.name)]]
        return [file for file in dict.fromkeys(files) if file == owner.facts.file or says(file)]

    def is_attribute_everywhere(self, owner: Class, attribute: str) -> bool:
        """Whether too many files may use an attribute of a class for `files_with` to give them all."""
        if self.view.is_alone:
            return False
        says = self.view.program.says_attribute
        return len(self._paths_using(owner, lambda file: says(file, attribute))) > _MAX_USING

    # -- classes ---------------------------------------------------------------------------------------

    def class_named(self, facts: Facts, node: ast.expr) -> Class | None:
        """The class of the project that an expression names."""
        if node not in self._classes:
            self._classes[node] = self._class_named(facts, node)
        return self._classes[node]

    def classes_named(self, facts: Facts, node: ast.expr, depth: int = 0) -> tuple[Class, ...]:
        """The classes of the project one of which an expression names, as branches or a dict of them choose.

        None where it may name another.
        """
        only = self.class_named(facts, node)
        if only is not None or depth > _MAX_CHOICES:
            return (only,) if only is not None else ()
        values: list[ast.expr | None] = []
        if isinstance(node, ast.IfExp):
            values = [node.body, node.orelse]
        elif isinstance(node, ast.Name):
            values = [b.value if b.how is How.ASSIGN else None for b in facts.names.reaching(node)]
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            table = facts.names.assigned(node.value)
            values = list(table.values) if isinstance(table, ast.Dict) and None not in table.keys else []
        found = [self.classes_named(facts, v, depth + 1) if v is not None else () for v in values]
        return tuple(dict.fromkeys(owner for owners in found for owner in owners)) if all(found) else ()

    def made(self, owner: Class) -> list[CallSite]:
        """The calls that make an instance of a class."""
        name = owner.node.name
        own = owner.facts
        found = [CallSite(own, call) for call in own.module.calls if own.names.class_named(call.func) is owner.node]
        few = self.view.is_alone or len(self.view.program.graph.users(own.file, name)) <= _MAX_MAKERS
        for facts, node in self.references(own, name) if few else ():
            call = facts.module.parents[node]
            if isinstance(call, ast.Call) and call.func is node:
                found.append(CallSite(facts, call))
        return [*found, *self.chosen(owner)]

    def chosen(self, owner: Class) -> list[CallSite]:
        """The calls of what may be one of several classes: ``kind()`` behind ``kind = Net if … else Other``."""
        own, name = owner.facts, owner.node.name
        uses = [(own, use) for use in own.names.uses(own.names.root, name)] + self.references(own, name)
        choosing = dict.fromkeys(facts for facts, use in uses if _is_choice(facts, use))
        return [
            CallSite(facts, call)
            for facts in choosing
            for call in facts.module.calls
            if self.class_named(facts, call.func) is None and owner in self.classes_named(facts, call.func)
        ]

    def _class_named(self, facts: Facts, node: ast.expr) -> Class | None:
        own = facts.names.class_named(node)
        if own is not None:
            return Class(facts, own)
        definition = self.definition(facts, node)
        if definition is not None and isinstance(definition[1], ast.ClassDef):
            return Class(definition[0], definition[1])
        return None

    def bases(self, owner: Class) -> list[Class]:
        """A class and its base classes in the project, nearest first. Do not change the list: it is kept."""
        if owner not in self._bases:
            found = self._bases[owner] = [owner]
            for current in found:
                for base in current.node.bases:
                    other = self.class_named(current.facts, base)
                    if other is not None and other not in found:
                        found.append(other)
        return self._bases[owner]

    def is_related(self, one: Class, other: Class) -> bool:
        """Whether one of two classes derives from the other, so that they may share an attribute."""
        return one == other or one in self.bases(other) or other in self.bases(one)

    def method(self, owner: Class, name: str) -> Function | None:
        """The method of a class: its own, or that of a base class."""
        key = owner, name
        if key not in self._methods:
            self._methods[key] = self._method(owner, name)
        return self._methods[key]

    def _method(self, owner: Class, name: str) -> Function | None:
        for candidate in self.bases(owner):
            found = [s for s in candidate.node.body if isinstance(s, FunctionNode) and s.name == name]
            if found:
                return Function(candidate.facts, found[-1])
        return None

    def lacks(self, owner: Class, name: str) -> bool:
        """Whether the instances of a class have no such attribute for sure: to ask for it raises."""
        bases = self.bases(owner)
        return all(
            not base.node.decorator_list
            and not base.node.keywords
            and all(self._is_plain_base(base, node) for node in base.node.bases)
            and not base.facts.classes.attribute_values(base.node, name)
            for base in bases
        ) and not any(self.method(owner, asked) for asked in (name, "__getattr__", "__getattribute__"))

    def _is_plain_base(self, owner: Class, node: ast.expr) -> bool:
        plain = owner.facts.names.resolve(node) in _PLAIN_BASES
        return plain or self.class_named(owner.facts, node) is not None

    def assigned(self, owners: Iterable[Class], name: str) -> list[tuple[Facts, ast.expr | None]]:
        """All that is assigned to an attribute of some classes, once each, with its file; None: something else."""
        found = {
            id(value): (owner.facts, value)
            for owner in owners
            for value in owner.facts.classes.attribute_values(owner.node, name)
        }
        return list(found.values())

    def fields(self, owner: Class) -> list[str] | None:
        """The parameters of a class whose ``__init__`` is made of its annotated fields; None for other classes."""
        if self.method(owner, "__init__") is not None:
            return None
        bases = self.bases(owner)
        if not any(self._makes_fields(base) for base in bases):
            return None
        found: dict[str, None] = {}
        for base in reversed(bases):
            for statement in base.node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    found[statement.target.id] = None
        return list(found)

    def _makes_fields(self, owner: Class) -> bool:
        resolve = owner.facts.names.resolve
        decorators = [d.func if isinstance(d, ast.Call) else d for d in owner.node.decorator_list]
        return any(resolve(d) in _DATACLASSES for d in decorators) or any(
            resolve(base) in _MODELS for base in owner.node.bases
        )

    def derived(self, owner: Class) -> list[Class]:
        """The classes of the project that derive from a class, nearest first; none where they may be many.

        Do not change the list: it is kept.
        """
        if owner not in self._derived:
            self._derived[owner] = self._find_derived(owner)
        return self._derived[owner]

    def _find_derived(self, owner: Class) -> list[Class]:
        found = [owner]
        for current in found:
            own = current.facts
            if self.users(own, current.node.name) > _MAX_DERIVED:
                return []
            for node in own.classes.definitions:
                if any(own.names.class_named(b) is current.node for b in node.bases):
                    found += [Class(own, node)] if Class(own, node) not in found else []
            for facts, use in self.references(own, current.node.name):
                parent = facts.module.parents[use]
                if isinstance(parent, ast.ClassDef) and any(use is base for base in parent.bases):
                    found += [Class(facts, parent)] if Class(facts, parent) not in found else []
        return found[1:]

    def derives(self, owner: Class, bases: frozenset[str]) -> bool:
        """Whether a class derives from one of the named classes of libraries."""
        return any(name in bases for name in self._named_bases(owner))

    def keeps_itself(self, owner: Class, methods: Iterable[str]) -> bool:
        """Whether methods that a module has by itself give the module back: the class has none of its own."""
        return self.is_module(owner) and all(self.method(owner, method) is None for method in methods)

    def is_module(self, owner: Class) -> bool:
        """Whether a class derives from ``torch.nn.Module``, or from one of torch's modules."""
        return any(known.is_module(name) for name in self._named_bases(owner))

    def _named_bases(self, owner: Class) -> list[str]:
        return [
            name
            for current in self.bases(owner)
            for base in current.node.bases
            if (name := current.facts.names.resolve(base)) is not None
        ]

    def overrides(self, function: Function) -> list[Function]:
        """The methods that stand in a method's place in the classes derived from its own."""
        owner = function.facts.module.parents[function.node]
        if not isinstance(owner, ast.ClassDef):
            return []
        return [
            Function(other.facts, statement)
            for other in self.derived(Class(function.facts, owner))
            for statement in other.node.body
            if isinstance(statement, FunctionNode) and statement.name == function.node.name
        ]


def _is_choice(facts: Facts, use: ast.expr) -> bool:
    """Whether a use of a class gives it another name, or makes it one of several."""
    return isinstance(facts.module.parents[use], ast.Assign | ast.IfExp | ast.Dict)
