"""Functions and classes across the files of a project: what a call runs, what an expression is an instance of."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.facts.module import FunctionNode
from xlaport.facts.names import Binding, How
from xlaport.facts.program import Facts, Place, View

_MAX_DEPTH = 6
_MAX_FILES = 120
"""A name that more files may use is not followed into them: nobody could check what becomes of it."""
_MAX_MAKERS = 25
_DATACLASSES = frozenset(
    {"dataclasses.dataclass", "pydantic.dataclasses.dataclass", "attr.s", "attrs.define", "attr.dataclass"}
)
_MODELS = frozenset(
    {"pydantic.BaseModel", "pydantic.BaseSettings", "typing.NamedTuple", "pydantic_settings.BaseSettings"}
)
_READERS = frozenset({"tyro.cli", "draccus.parse", "simple_parsing.parse"})
"""Functions that make an instance of the class that they are given."""


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


class Structure:
    """The functions and classes of the files in a view."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._instances: dict[tuple[Facts, ast.expr], Class | None] = {}

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
        return not self.view.is_alone and len(self.view.program.graph.users(facts.file, name)) > _MAX_FILES

    # -- functions -------------------------------------------------------------------------------------

    def run_by(self, facts: Facts, call: ast.Call) -> Function | None:
        """The function, method or ``__init__`` of the project that a call runs."""
        own = facts.roles.classes.run_by(call)
        if own is not None:
            return Function(facts, own)
        owner = self.class_named(facts, call.func)
        if owner is not None:
            return self.method(owner, "__init__")
        return self.function_named(facts, call.func)

    def function_named(self, facts: Facts, node: ast.expr) -> Function | None:
        """The function that an expression names: by an import, or as the method of an object."""
        if isinstance(node, ast.Name):
            found = facts.names.bindings(node)
            if len(found) == 1 and isinstance(found[0].node, FunctionNode):
                return Function(facts, found[0].node)
        definition = self._definition(facts, node)
        if definition is not None and isinstance(definition[1], FunctionNode):
            return Function(definition[0], definition[1])
        if isinstance(node, ast.Attribute):
            inherited = self._inherited(facts, node)
            owner = self.instance_of(facts, node.value) if inherited is None else None
            return self.method(owner, node.attr) if owner is not None else inherited
        return None

    def _inherited(self, facts: Facts, node: ast.Attribute) -> Function | None:
        """The method that ``super().name`` stands for, where it is in the project."""
        if not isinstance(node.value, ast.Call) or facts.names.resolve(node.value.func) != "builtins.super":
            return None
        around = facts.module.class_of(node)
        bases = self.bases(Class(facts, around))[1:] if around is not None else []
        return next((found for base in bases if (found := self.method(base, node.attr)) is not None), None)

    def _definition(self, facts: Facts, node: ast.expr) -> tuple[Facts, ast.AST] | None:
        place = self.place(facts, node) if isinstance(node, ast.Name | ast.Attribute) else None
        if place is None or place.rest:
            return None
        other = self.view.facts(place.file)
        found = other.names.root.bindings.get(place.name or "", []) if other is not None else []
        return (other, found[0].node) if other is not None and len(found) == 1 else None

    def calls_to(self, function: Function) -> list[CallSite]:
        """The calls in the project that run a function."""
        facts, node = function.facts, function.node
        found = [CallSite(facts, call) for call in facts.roles.calls_to(node)]
        if self.view.is_alone:
            return found
        parent = facts.module.parents[node]
        if parent is facts.module.tree:
            uses = self.references(facts, node.name)
        elif isinstance(parent, ast.ClassDef) and node.name == "__init__":
            uses = self.references(facts, parent.name)
        elif isinstance(parent, ast.ClassDef):
            uses = self._uses_of_method(Class(facts, parent), node.name)
        else:
            uses = []
        for other, use in uses:
            call = other.module.parents[use]
            if isinstance(call, ast.Call) and call.func is use:
                found.append(CallSite(other, call))
        return list(dict.fromkeys(found))

    def _uses_of_method(self, owner: Class, name: str) -> list[tuple[Facts, ast.expr]]:
        return [
            (facts, node)
            for facts in self.files_with(owner, name)
            if facts is not owner.facts
            for node in facts.loads.get(name, [])
            if (found := self.instance_of(facts, node.value)) is not None and self.is_related(found, owner)
        ]

    def files_with(self, owner: Class, name: str) -> list[Facts]:
        """The files in which an attribute of a class may be used on an object that is known to be its instance."""
        if self.view.is_alone:
            return [owner.facts]
        program = self.view.program
        word = name.encode("utf-8", "surrogatepass")
        bases = self.bases(owner)
        files = [f for base in bases for f in [base.facts.file, *program.graph.users(base.facts.file, base.node.name)]]
        wanted = [file for file in dict.fromkeys(files) if file == owner.facts.file or word in program.data(file)]
        if len(wanted) > _MAX_FILES:
            wanted = [base.facts.file for base in bases]
        return [facts for file in wanted if (facts := self.view.facts(file)) is not None]

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
        return found

    def parameter_of(self, call: ast.Call, function: Function, argument: ast.expr) -> str | None:
        """The parameter that a positional argument is for."""
        node = function.node
        names = [arg.arg for arg in [*node.args.posonlyargs, *node.args.args]]
        if names and self.is_bound(function, call):
            names = names[1:]
        position = next((i for i, given in enumerate(call.args) if given is argument), None)
        if position is None or any(isinstance(a, ast.Starred) for a in call.args[:position]):
            return None
        return names[position] if position < len(names) else None

    def is_bound(self, function: Function, call: ast.Call | None = None) -> bool:
        """Whether the first parameter is the object itself."""
        facts, node = function.facts, function.node
        if not isinstance(facts.module.parents[node], ast.ClassDef) or facts.names.is_static(node):
            return False
        func = call.func if call is not None else None
        return not (isinstance(func, ast.Attribute) and facts.names.class_named(func.value) is not None)

    def argument_for(self, site: CallSite, function: Function, parameter: str) -> ast.expr | None:
        """The expression that a call passes for a parameter; None where it passes none, or it is unsure."""
        for keyword in site.node.keywords:
            if keyword.arg == parameter:
                return keyword.value
        return next((a for a in site.node.args if self.parameter_of(site.node, function, a) == parameter), None)

    # -- classes ---------------------------------------------------------------------------------------

    def class_named(self, facts: Facts, node: ast.expr) -> Class | None:
        """The class of the project that an expression names."""
        own = facts.names.class_named(node)
        if own is not None:
            return Class(facts, own)
        definition = self._definition(facts, node)
        if definition is not None and isinstance(definition[1], ast.ClassDef):
            return Class(definition[0], definition[1])
        return None

    def bases(self, owner: Class) -> list[Class]:
        """A class and its base classes in the project, nearest first."""
        found = [owner]
        for current in found:
            for base in current.node.bases:
                other = self.class_named(current.facts, base)
                if other is not None and other not in found:
                    found.append(other)
        return found

    def is_related(self, one: Class, other: Class) -> bool:
        """Whether one of two classes derives from the other, so that they may share an attribute."""
        return one == other or one in self.bases(other) or other in self.bases(one)

    def method(self, owner: Class, name: str) -> Function | None:
        """The method of a class: its own, or that of a base class."""
        for candidate in self.bases(owner):
            found = [s for s in candidate.node.body if isinstance(s, FunctionNode) and s.name == name]
            if found:
                return Function(candidate.facts, found[-1])
        return None

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

    # -- instances -------------------------------------------------------------------------------------

    def instance_of(self, facts: Facts, node: ast.expr) -> Class | None:
        """The class of the project that an expression is an instance of."""
        key = facts, node
        if key not in self._instances:
            self._instances[key] = None
            self._instances[key] = self._instance(facts, node, 0)
        return self._instances[key]

    def _instance(self, facts: Facts, node: ast.expr, depth: int) -> Class | None:
        if depth > _MAX_DEPTH:
            return None
        if isinstance(node, ast.Call):
            return self._made_by(facts, node, depth)
        if isinstance(node, ast.Name):
            return self._named_instance(facts, node, depth)
        if isinstance(node, ast.Attribute):
            owner = self._instance(facts, node.value, depth + 1)
            if owner is not None:
                return self._attribute(owner, node.attr, depth)
            return self._imported(facts, node, depth)
        return None

    def _imported(self, facts: Facts, node: ast.expr, depth: int) -> Class | None:
        """The class of a value that another file made: ``config.cfg``."""
        place = self.place(facts, node)
        other = self.view.facts(place.file) if place is not None and not place.rest else None
        if place is None or other is None:
            return None
        found = other.names.root.bindings.get(place.name or "", [])
        if len(found) == 1 and found[0].how is How.ASSIGN and found[0].value is not None:
            return self._instance(other, found[0].value, depth + 1)
        return None

    def _made_by(self, facts: Facts, call: ast.Call, depth: int) -> Class | None:
        made = self.class_named(facts, call.func)
        if made is not None:
            return made
        if facts.names.resolve(call.func) in _READERS and call.args:
            return self.class_named(facts, call.args[0])
        function = self.function_named(facts, call.func) if isinstance(call.func, ast.Name | ast.Attribute) else None
        if function is None:
            return None
        if function.node.returns is not None:
            return self._annotated(function.facts, function.node.returns)
        returned = [
            self._instance(function.facts, n.value, depth + 1)
            for n in function.facts.module.nodes
            if isinstance(n, ast.Return) and n.value is not None
            if function.facts.module.function(n) is function.node
        ]
        return _the_one(returned)

    def _named_instance(self, facts: Facts, node: ast.Name, depth: int) -> Class | None:
        owner = facts.names.self_class(node)
        if owner is not None:
            return Class(facts, owner)
        found = [self._bound(facts, node, binding, depth) for binding in facts.names.bindings(node)]
        return _the_one(found)

    def _bound(self, facts: Facts, node: ast.Name, binding: Binding, depth: int) -> Class | None:
        """The class of what a binding gives a name."""
        if binding.how is How.ASSIGN and binding.value is not None:
            return self._instance(facts, binding.value, depth + 1)
        if binding.how is How.IMPORT:
            return self._imported(facts, node, depth)
        if binding.how is not How.PARAMETER or not isinstance(binding.node, ast.arg):
            return None
        if binding.node.annotation is not None:
            return self._annotated(facts, binding.node.annotation)
        function = facts.module.parents[facts.module.parents[binding.node]]
        if not isinstance(function, FunctionNode):
            return None
        return self._passed(Function(facts, function), binding.name, depth)

    def _passed(self, function: Function, parameter: str, depth: int) -> Class | None:
        """The class of which every call in the same file passes an instance."""
        given: list[Class | None] = []
        for call in function.facts.roles.calls_to(function.node):
            site = CallSite(function.facts, call)
            value = self.argument_for(site, function, parameter)
            given.append(self._instance(site.facts, value, depth + 2) if value is not None else None)
        return _the_one(given)

    def _attribute(self, owner: Class, name: str, depth: int) -> Class | None:
        """The class of what an object's attribute holds."""
        values: list[Class | None] = []
        for base in self.bases(owner):
            for statement in base.node.body:
                if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                    if statement.target.id == name:
                        return self._annotated(base.facts, statement.annotation)
            for value in base.facts.roles.classes.attribute_values(base.node, name):
                values.append(self._instance(base.facts, value, depth + 1) if value is not None else None)
        return _the_one(values)

    def _annotated(self, facts: Facts, node: ast.expr) -> Class | None:
        """The class that an annotation names, also as a string, or beside None."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = facts.names.root.bindings.get(node.value, [])
            if len(found) == 1 and isinstance(found[0].node, ast.ClassDef):
                return Class(facts, found[0].node)
            for spelled in facts.names.spelled_at_top(node.value) if node.value.isidentifier() else ():
                place = facts.program.lead(facts.file, spelled)
                other = self.view.facts(place.file) if isinstance(place, Place) and not place.rest else None
                there = other.names.root.bindings.get(getattr(place, "name", None) or "", []) if other else []
                if other is not None and len(there) == 1 and isinstance(there[0].node, ast.ClassDef):
                    return Class(other, there[0].node)
            return None
        if isinstance(node, ast.Subscript) and facts.names.resolve(node.value) in (
            "typing.Optional",
            "typing.Annotated",
        ):
            inner = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
            return self._annotated(facts, inner)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._annotated(facts, node.left) or self._annotated(facts, node.right)
        return self.class_named(facts, node) if isinstance(node, ast.Name | ast.Attribute) else None


def _the_one(found: list[Class | None]) -> Class | None:
    """The class that all of them are."""
    return found[0] if found and all(c is not None and c == found[0] for c in found) else None
