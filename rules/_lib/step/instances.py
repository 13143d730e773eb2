"""Which class of the project the module belongs to that an expression holds, and which call made it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.answers import Answers
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import Binding, How
from xlaport.facts.program import Facts, Place
from xlaport.facts.role import is_none
from xlaport.facts.roles import dotted
from xlaport.facts.structure import CallSite, Class, Function

from .moves import last_move

_MAX_DEPTH = 12
PARALLEL = frozenset(
    {"torch.nn.DataParallel", "torch.nn.parallel.DataParallel", "torch.nn.parallel.DistributedDataParallel"}
)
_SAME = frozenset({"torch.compile", "copy.deepcopy", "copy.copy"})


@dataclass(frozen=True)
class Instance:
    """An object of a class of the project."""

    owner: Class
    made: CallSite | None
    """The call that makes it, where there is but one."""
    inside: str = ""
    """How it is reached from the expression: ``.module`` of a wrapper."""
    is_moved: bool = False
    """It is on the device already: ``model = Net().to(device)``."""
    is_sure: bool = True
    """False where an annotation says so, which an object of a derived class satisfies, too."""


def instance_of(context: Context, facts: Facts, node: ast.expr) -> Instance | None:
    """The object that an expression stands for; None where it is not known, or may be one of several classes."""
    found = instances_of(context, facts, node)
    return found[0] if len(found) == 1 else None


def instances_of(context: Context, facts: Facts, node: ast.expr) -> tuple[Instance, ...]:
    """The objects that an expression may stand for, one for each class; none where one of them is not known."""
    return _Search(context).of(facts, node)


def possible_instances(context: Context, facts: Facts, node: ast.expr) -> tuple[Instance, ...]:
    """The objects that an expression may stand for, as far as they are known, beside what is not."""
    return _Search(context, is_partial=True).of(facts, node)


def stripped(node: ast.expr) -> ast.expr:
    """The module that a chain of methods hands back: ``Net()`` of ``Net().train().to(device)``."""
    while (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in torch_api.MODULE_KEEPING_METHODS
    ):
        node = node.func.value
    return node


class _Search:
    def __init__(self, context: Context, is_partial: bool = False) -> None:
        self.context = context
        self.structure = context.flow.structure
        self._is_partial = is_partial
        self._answers: Answers[tuple[Instance, ...]] = Answers((), _MAX_DEPTH + 1)

    def of(self, facts: Facts, node: ast.expr) -> tuple[Instance, ...]:
        is_moved = last_move(self.context.of(facts), node) is not None
        node = stripped(node)
        found = self._answers.of(node, lambda: self._found(facts, node), ())
        return tuple(replace(each, is_moved=True) for each in found) if is_moved else found

    def _found(self, facts: Facts, node: ast.expr) -> tuple[Instance, ...]:
        if isinstance(node, ast.Call):
            return self._made_by(facts, node)
        if isinstance(node, ast.Name):
            return self._name(facts, node)
        if isinstance(node, ast.Attribute):
            return self._attribute(facts, node)
        if isinstance(node, ast.IfExp):
            return self._joined(self.of(facts, part) for part in (node.body, node.orelse))
        return ()

    def _made_by(self, facts: Facts, call: ast.Call) -> tuple[Instance, ...]:
        name = facts.names.resolve(call.func)
        if name in _SAME and call.args:
            return self.of(facts, call.args[0])
        if name in PARALLEL and call.args:
            inner = self.of(facts, call.args[0])
            return tuple(replace(each, inside=f".module{each.inside}") for each in inner)
        owner = self._class(facts, call.func)
        owners = (owner,) if owner is not None else self.structure.classes_named(facts, call.func)
        if owners:
            return tuple(Instance(each, CallSite(facts, call)) for each in owners)
        function = self.structure.run_by(facts, call)
        if function is None and isinstance(call.func, ast.Attribute):
            giver = self._class(facts, call.func.value)  # Net.from_pretrained(…)
            function = self.structure.method(giver, call.func.attr) if giver is not None else None
        return self._returned(function) if function is not None else ()

    def _class(self, facts: Facts, node: ast.expr) -> Class | None:
        """The class that an expression names, ``cls`` in a class method, or ``model.Net`` before ``model = …``."""
        owner = self.structure.class_named(facts, node)
        if owner is not None:
            return owner
        rest: list[str] = []
        while isinstance(node, ast.Attribute):
            rest.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        method = facts.module.function(node)
        if not rest and method is not None and facts.names.self_class(node) is not None:
            around = facts.names.self_class(node)
            return Class(facts, around) if around is not None and _is_class_method(facts, method) else None
        found = facts.names.reaching(node)
        if self._is_partial:  # (a function may have given a module's name something else, before)
            found = tuple(binding for binding in found if binding.how is How.IMPORT)
        if len(found) != 1 or found[0].how is not How.IMPORT or found[0].qualified is None:
            return None
        place = facts.program.lead(facts.file, ".".join([found[0].qualified, *rest]))
        other = self.structure.view.facts(place.file) if isinstance(place, Place) and not place.rest else None
        if not isinstance(place, Place) or other is None:
            return None
        bound = other.names.root.bindings.get(place.name or "", [])
        definition = bound[0].node if len(bound) == 1 else None
        return Class(other, definition) if isinstance(definition, ast.ClassDef) else None

    def _returned(self, function: Function) -> tuple[Instance, ...]:
        module = function.facts.module
        if module.yields(function.node):
            return ()
        values = [node.value for node in module.returns(function.node) if node.value is not None]
        return self._joined(self.of(function.facts, value) for value in values)

    def _name(self, facts: Facts, node: ast.Name) -> tuple[Instance, ...]:
        found: list[tuple[Instance, ...]] = []
        for binding in facts.names.reaching(node):
            if binding.value is not None and is_none(binding.value):
                continue
            if binding.how is How.ASSIGN and binding.value is not None and self._is_itself(facts, node, binding):
                continue
            found.append(self._bound(facts, binding))
        return self._joined(found)

    def _is_itself(self, facts: Facts, node: ast.Name, binding: Binding) -> bool:
        """``model = model.to(device)`` gives the object that the name had."""
        inner = stripped(binding.value) if binding.value is not None else None
        return isinstance(inner, ast.Name) and inner.id == node.id and facts.names.home(inner) is facts.names.home(node)

    def _bound(self, facts: Facts, binding: Binding) -> tuple[Instance, ...]:
        if binding.how is How.ASSIGN and binding.value is not None:
            return self.of(facts, binding.value)
        if binding.how is not How.PARAMETER or not isinstance(binding.node, ast.arg):
            return ()
        function = facts.module.function_of(binding.node)
        if function is None:
            return ()
        called = Function(facts, function)
        sites = self.structure.calls_to(called)
        given = [self.structure.argument_for(site, called, binding.name) for site in sites]
        found = self._joined(
            self.of(site.facts, value) if value is not None else () for site, value in zip(sites, given, strict=True)
        )
        if len(found) != 1 and binding.node.annotation is not None:
            owner = self.structure.class_named(facts, binding.node.annotation)
            return (Instance(owner, None, is_sure=False),) if owner is not None else ()
        return found

    def _attribute(self, facts: Facts, node: ast.Attribute) -> tuple[Instance, ...]:
        owner = self.structure.instance_of(facts, node.value)
        if owner is None:
            return ()
        found: list[tuple[Instance, ...]] = []
        for base in self.structure.bases(owner):
            for value in self.structure.classes(base.facts).attribute_values(base.node, node.attr):
                if value is not None and (is_none(value) or _last(stripped(value)) == node.attr):
                    continue
                found.append(self.of(base.facts, value) if value is not None else ())
        return self._joined(found)

    def _joined(self, found: Iterable[tuple[Instance, ...]]) -> tuple[Instance, ...]:
        every = list(found)
        return _by_class(every) if self._is_partial or all(every) else ()


def _is_class_method(facts: Facts, method: FunctionNode) -> bool:
    return any(facts.names.resolve(decorator) == "builtins.classmethod" for decorator in method.decorator_list)


def _last(node: ast.expr) -> str | None:
    """``model`` of ``self.model``."""
    return node.attr if isinstance(node, ast.Attribute) and dotted(node) is not None else None


def _by_class(every: list[tuple[Instance, ...]]) -> tuple[Instance, ...]:
    """What is one of several objects: one for each class, without the call that made it where several did."""
    by_class: dict[tuple[Class, str], list[Instance]] = {}
    for each in (instance for instances in every for instance in instances):
        by_class.setdefault((each.owner, each.inside), []).append(each)
    return tuple(
        replace(
            same[0],
            made=same[0].made if len({each.made for each in same}) == 1 else None,
            is_moved=all(each.is_moved for each in same),
            is_sure=all(each.is_sure for each in same),
        )
        for same in by_class.values()
    )
