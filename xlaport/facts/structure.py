"""Functions and classes across the files of a project: what a call runs, what an expression is an instance of."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.classes import default
from xlaport.facts.lineage import CallSite, Class, Function, Lineage
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import Binding, How
from xlaport.facts.program import Facts, Place, View
from xlaport.facts.rebound import bound
from xlaport.facts.role import but_none, is_none

__all__ = ["CallSite", "Class", "Function", "Structure", "structure_of"]

_MAX_DEPTH = 6
_MAX_USERS = 5
_LISTS = frozenset({"torch.nn.ModuleList", "builtins.list", "builtins.tuple", "builtins.reversed"})


def structure_of(view: View) -> Structure:
    """The structure of the files in a view."""
    return view.once("structure", lambda: Structure(view))


class Structure(Lineage):
    """The functions and classes of the files in a view. See `structure_of`."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._run: dict[ast.Call, Function | None] = {}
        self._calls: dict[Function, list[CallSite]] = {}
        self._object_calls: dict[Class, list[CallSite]] = {}
        self._elsewhere: dict[Facts, dict[ast.expr, tuple[Class, ...]]] = {}

    # -- functions -------------------------------------------------------------------------------------

    def run_by(self, facts: Facts, call: ast.Call) -> Function | None:
        """The function, method or ``__init__`` of the project that a call runs."""
        if call not in self._run:
            self._run[call] = self._run_by(facts, call)
        return self._run[call]

    def _run_by(self, facts: Facts, call: ast.Call) -> Function | None:
        own = facts.classes.run_by(call)
        if own is not None:
            return Function(facts, own)
        owners = self.classes_named(facts, call.func)
        if owners:
            makers = dict.fromkeys(self.method(owner, "__init__") for owner in owners)
            return next(iter(makers)) if len(makers) == 1 else None
        return self.function_named(facts, call.func)

    def function_named(self, facts: Facts, node: ast.expr) -> Function | None:
        """The function that an expression names: by an import, or as the method of an object."""
        if isinstance(node, ast.Name):
            found = facts.names.bindings(node)
            if len(found) == 1 and isinstance(found[0].node, FunctionNode):
                return Function(facts, found[0].node)
        definition = self.definition(facts, node)
        if definition is not None and isinstance(definition[1], FunctionNode):
            return Function(definition[0], definition[1])
        if isinstance(node, ast.Attribute):
            inherited = self._inherited(facts, node)
            owner = self.instance_of(facts, node.value) if inherited is None else None
            return self.method(owner, node.attr) if owner is not None else inherited or self._of_class(facts, node)
        return None

    def _of_class(self, facts: Facts, node: ast.Attribute) -> Function | None:
        """The method of ``Graph.load``, if its class may call it."""
        owner = self.class_named(facts, node.value)
        found = self.method(owner, node.attr) if owner is not None else None
        return found if found is not None and found.facts.names.needs_no_instance(found.node) else None

    def _inherited(self, facts: Facts, node: ast.Attribute) -> Function | None:
        """The method that ``super().name`` stands for, where it is in the project."""
        if not isinstance(node.value, ast.Call) or facts.names.resolve(node.value.func) != "builtins.super":
            return None
        around = facts.module.class_of(node)
        bases = self.bases(Class(facts, around))[1:] if around is not None else []
        return next((found for base in bases if (found := self.method(base, node.attr)) is not None), None)

    def calls_to(self, function: Function) -> list[CallSite]:
        """The calls in the project that run a function."""
        if function not in self._calls:
            self._calls[function] = self._calls_to(function)
        return list(self._calls[function])

    def _calls_to(self, function: Function) -> list[CallSite]:
        facts, node = function.facts, function.node
        found = [CallSite(facts, call) for call in facts.classes.calls_to(node)]
        parent = facts.module.parents[node]
        if isinstance(parent, ast.ClassDef) and node.name == "__init__":
            found += self._made_by_derived(Class(facts, parent))
        if isinstance(parent, ast.ClassDef) and node.name == "__call__":
            found += [] if self.is_module(Class(facts, parent)) else self.calls_of_objects(Class(facts, parent))
        if parent is facts.module.tree:
            uses = self.references(facts, node.name)
        elif isinstance(parent, ast.ClassDef) and node.name == "__init__":
            uses = self.references(facts, parent.name)
            found += self.chosen(Class(facts, parent))
        elif isinstance(parent, ast.ClassDef):
            uses = self.uses_of_method(Class(facts, parent), node.name)
        else:
            uses = []
            found += self._calls_of_returned(function)
        for other, use in uses:
            call = other.module.parents[use]
            if isinstance(call, ast.Call) and call.func is use:
                found.append(CallSite(other, call))
        return list(dict.fromkeys(found))

    def is_called_everywhere(self, function: Function) -> bool:
        """Whether too many files may call a function for `calls_to` to give all calls."""
        facts, node = function.facts, function.node
        parent = facts.module.parents[node]
        if isinstance(parent, ast.ClassDef) and node.name != "__init__":
            return self.is_attribute_everywhere(Class(facts, parent), node.name)
        name = parent.name if isinstance(parent, ast.ClassDef) else node.name
        return (parent is facts.module.tree or isinstance(parent, ast.ClassDef)) and self.is_everywhere(facts, name)

    def _calls_of_returned(self, function: Function) -> list[CallSite]:
        """The calls of a function that another one defines and returns: of ``step`` behind ``step = make_step(…)``."""
        maker = function.facts.module.function(function.node)
        if maker is None or not function.facts.module.hands_out(maker, function.node.name):
            return []
        found: list[CallSite] = []
        for made in self.calls_to(Function(function.facts, maker)):
            parents = made.facts.module.parents
            parent = parents[made.node]
            for use in made.facts.names.uses_of(parent.targets[0]) if isinstance(parent, ast.Assign) else ():
                call = parents[use]
                if isinstance(call, ast.Call) and call.func is use:
                    found.append(CallSite(made.facts, call))
        return found

    def calls_of_objects(self, owner: Class) -> list[CallSite]:
        """The calls of the instances of a class that are called like functions: those of a module run its forward."""
        if owner not in self._object_calls:
            self._object_calls[owner] = [
                CallSite(facts, call)
                for facts in self.files_naming(owner)
                for call in facts.module.calls
                if isinstance(call.func, ast.Name | ast.Attribute)
                and any(self.is_related(found, owner) for found in self.instances_of(facts, call.func))
            ]
        return list(self._object_calls[owner])

    def _made_by_derived(self, owner: Class) -> list[CallSite]:
        """The calls that run the ``__init__`` of a class for an instance of a class derived from it."""
        found: list[CallSite] = []
        for derived in self.derived(owner):
            init = next((s for s in derived.node.body if isinstance(s, FunctionNode) and s.name == "__init__"), None)
            if init is None:
                found += self.made(derived)
                continue
            for call in ast.walk(init):
                func = call.func if isinstance(call, ast.Call) else None
                if isinstance(call, ast.Call) and isinstance(func, ast.Attribute) and func.attr == "__init__":
                    inherited = self._inherited(derived.facts, func)
                    if inherited is not None and inherited.facts.module.parents[inherited.node] is owner.node:
                        found.append(CallSite(derived.facts, call))
        return found

    def uses_of_method(self, owner: Class, name: str) -> list[tuple[Facts, ast.expr]]:
        """The expressions that stand for a method of an object."""
        return [
            (facts, node)
            for facts in self.files_with(owner, name)
            for node in facts.loads.get(name, [])
            if any(self.is_related(found, owner) for found in self._asked(facts, node))
        ]

    def _asked(self, facts: Facts, node: ast.Attribute) -> tuple[Class, ...]:
        """The classes one of which an expression gets a method of: ``x.load``, ``Graph.load``."""
        named = self.class_named(facts, node.value) if self._of_class(facts, node) is not None else None
        return self.instances_of(facts, node.value) or (() if named is None else (named,))

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
        """Whether the first parameter is the object itself, or its class."""
        facts, node = function.facts, function.node
        if not isinstance(facts.module.parents[node], ast.ClassDef) or facts.names.is_static(node):
            return False
        if facts.names.needs_no_instance(node):
            return True
        func = call.func if call is not None else None
        return not (isinstance(func, ast.Attribute) and facts.names.class_named(func.value) is not None)

    def argument_for(self, site: CallSite, function: Function, parameter: str) -> ast.expr | None:
        """The expression that a call passes for a parameter; None where it passes none, or it is unsure."""
        for keyword in site.node.keywords:
            if keyword.arg == parameter:
                return keyword.value
        return next((a for a in site.node.args if self.parameter_of(site.node, function, a) == parameter), None)

    def given(self, site: CallSite, function: Function, parameter: str) -> tuple[Facts, ast.expr | None]:
        """What a call passes for a parameter, or its default, with the file that it is in; None if it is unsure."""
        if site.facts is function.facts:
            return site.facts, site.facts.classes.argument_for(site.node, function.node, parameter)
        passed = self.argument_for(site, function, parameter)
        if passed is not None:
            return site.facts, passed
        unsure = any(k.arg is None for k in site.node.keywords) or any(
            isinstance(a, ast.Starred) for a in site.node.args
        )
        return function.facts, None if unsure else default(function.node.args, parameter)

    # -- instances -------------------------------------------------------------------------------------

    def instance_of(self, facts: Facts, node: ast.expr) -> Class | None:
        """The class of the project that an expression is an instance of."""
        found = self.instances_of(facts, node)
        return found[0] if len(found) == 1 else None

    def instances_of(self, facts: Facts, node: ast.expr) -> tuple[Class, ...]:
        """The classes of the project one of which an expression is an instance of; none where it may be another."""
        known = self._known_instances(facts)
        if node not in known:
            known[node] = ()
            known[node] = self._instances(facts, node, 0)
        return known[node]

    def _known_instances(self, facts: Facts) -> dict[ast.expr, tuple[Class, ...]]:
        """The answers for a file. Those that see it as it sees itself are kept, and go, with the file."""
        if facts.view is not self.view:
            return self._elsewhere.setdefault(facts, {})
        fresh: dict[ast.expr, tuple[Class, ...]] = {}
        return facts.once("instances", lambda: fresh)

    def _instances(self, facts: Facts, node: ast.expr, depth: int) -> tuple[Class, ...]:
        if depth > _MAX_DEPTH:
            return ()
        node = but_none(node)
        if isinstance(node, ast.Call):
            return self._made_by(facts, node, depth)
        if isinstance(node, ast.Name):
            return self._named_instance(facts, node, depth)
        if isinstance(node, ast.IfExp):
            return _joined(self._instances(facts, side, depth + 1) for side in (node.body, node.orelse))
        if isinstance(node, ast.Attribute):
            owners = self._instances(facts, node.value, depth + 1)
            if owners:
                return _joined(self._attribute(owner, node.attr, depth) for owner in owners)
            return self._imported(facts, node, depth)
        return ()

    def _imported(self, facts: Facts, node: ast.expr, depth: int) -> tuple[Class, ...]:
        """The class of a value that another file made: ``config.cfg``."""
        place = self.place(facts, node)
        other = self.view.facts(place.file) if place is not None and not place.rest else None
        if place is None or other is None:
            return ()
        found = other.names.root.bindings.get(place.name or "", [])
        if len(found) == 1 and found[0].how is How.ASSIGN and found[0].value is not None:
            return self._instances(other, found[0].value, depth + 1)
        return ()

    def _made_by(self, facts: Facts, call: ast.Call, depth: int) -> tuple[Class, ...]:
        made = self.classes_named(facts, call.func)
        if made:
            return made
        if facts.names.resolve(call.func) in torch_api.OPTION_READERS and call.args:
            return _known(self.class_named(facts, call.args[0]))
        if isinstance(call.func, ast.Attribute) and call.func.attr in torch_api.MODULE_KEEPING_METHODS:
            owners = self._instances(facts, call.func.value, depth + 1)
            if owners and all(self.keeps_itself(owner, {call.func.attr}) for owner in owners):
                return owners
        function = self.function_named(facts, call.func) if isinstance(call.func, ast.Name | ast.Attribute) else None
        if function is None:
            return ()
        if function.node.returns is not None:
            return _known(self.annotated(function.facts, function.node.returns))
        values = [n.value for n in function.facts.module.returns(function.node) if n.value is not None]
        return _joined(self._instances(function.facts, value, depth + 1) for value in values)

    def _named_instance(self, facts: Facts, node: ast.Name, depth: int) -> tuple[Class, ...]:
        owner = facts.names.self_class(node)
        if owner is not None:
            return (Class(facts, owner),)
        found, reaching = bound(facts.names, node), facts.names.reaching(node)
        if reaching and set(reaching) <= set(found.bindings):
            return self._bound_by(facts, node, reaching, depth)  # what else the name may stand for comes later
        owners = self._bound_by(facts, node, found.bindings, depth)
        return () if found.again and not all(self.keeps_itself(owner, found.methods) for owner in owners) else owners

    def _bound_by(self, facts: Facts, node: ast.Name, bindings: Iterable[Binding], depth: int) -> tuple[Class, ...]:
        known = (b for b in bindings if b.value is None or not is_none(b.value))
        return _joined(self._bound(facts, node, binding, depth) for binding in known)

    def _bound(self, facts: Facts, node: ast.Name, binding: Binding, depth: int) -> tuple[Class, ...]:
        """The class of what a binding gives a name."""
        if binding.how is How.ASSIGN and binding.value is not None:
            return self._instances(facts, binding.value, depth + 1)
        if binding.how is How.IMPORT:
            return self._imported(facts, node, depth)
        if binding.how is How.FOR and binding.value is not None:
            return self._items(facts, binding.value, depth + 1)
        if binding.how is not How.PARAMETER or not isinstance(binding.node, ast.arg):
            return ()
        if binding.node.annotation is not None:
            return _known(self.annotated(facts, binding.node.annotation))
        function = facts.module.function_of(binding.node)
        return self._passed(Function(facts, function), binding.name, depth) if function is not None else ()

    def _items(self, facts: Facts, node: ast.expr, depth: int) -> tuple[Class, ...]:
        """The classes of what a list of modules holds: of each ``layer`` in ``self.layers``."""
        if depth > _MAX_DEPTH:
            return ()
        if isinstance(node, ast.Call):
            name = facts.names.resolve(node.func)
            return self._items(facts, node.args[0], depth + 1) if name in _LISTS and len(node.args) == 1 else ()
        if isinstance(node, ast.ListComp | ast.GeneratorExp):
            return self._instances(facts, node.elt, depth + 1)
        if isinstance(node, ast.List | ast.Tuple):
            return _joined(self._instances(facts, element, depth + 1) for element in node.elts)
        found: list[tuple[Class, ...]] = []
        if isinstance(node, ast.Attribute):
            for owner in self._instances(facts, node.value, depth + 1):
                values = self.assigned(self.bases(owner), node.attr)
                found += [self._items(where, v, depth + 1) if v is not None else () for where, v in values]
        elif isinstance(node, ast.Name):
            for binding in facts.names.bindings(node):
                value = binding.value if binding.how is How.ASSIGN else None
                found.append(self._items(facts, value, depth + 1) if value is not None else ())
        return _joined(found)

    def _passed(self, function: Function, parameter: str, depth: int) -> tuple[Class, ...]:
        """The class of which every call passes an instance: of those in the same file, where there are any."""
        sites = [CallSite(function.facts, call) for call in function.facts.classes.calls_to(function.node)]
        if not sites and self.users(function.facts, function.node.name) <= _MAX_USERS:
            sites = self.calls_to(function)
        values = [(site.facts, self.argument_for(site, function, parameter)) for site in sites]
        return _joined(self._instances(facts, v, depth + 2) if v is not None else () for facts, v in values)

    def _attribute(self, owner: Class, name: str, depth: int) -> tuple[Class, ...]:
        """The class of what an object's attribute holds."""
        values: list[tuple[Facts, ast.expr | None]] = []
        for base in self.bases(owner):
            annotation = base.facts.classes.declared(base.node, name)
            if annotation is not None:
                return _known(self.annotated(base.facts, annotation))
            values += [(base.facts, value) for value in base.facts.classes.attribute_values(base.node, name)]
        if any(value is None for _, value in values):
            return ()
        return _joined(self._instances(facts, value, depth + 1) for facts, value in values if value is not None)

    def annotated(self, facts: Facts, node: ast.expr) -> Class | None:
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
            return self.annotated(facts, inner)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.annotated(facts, node.left) or self.annotated(facts, node.right)
        return self.class_named(facts, node) if isinstance(node, ast.Name | ast.Attribute) else None


def _known(found: Class | None) -> tuple[Class, ...]:
    return (found,) if found is not None else ()


def _joined(found: Iterable[tuple[Class, ...]]) -> tuple[Class, ...]:
    """The classes of what may be one of several values; none where one of them is not known: then no other is asked."""
    joined: dict[Class, None] = {}
    for classes in found:
        if not classes:
            return ()
        joined.update(dict.fromkeys(classes))
    return tuple(joined)
