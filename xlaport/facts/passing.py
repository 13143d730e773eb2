"""Roles that go from one function or class to another: parameters, returned values, attributes, imports."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from xlaport.facts import known
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.arrays import gives_array
from xlaport.facts.autograd_functions import applications
from xlaport.facts.called_models import CalledModels
from xlaport.facts.classes import default
from xlaport.facts.module import FunctionNode, last_name
from xlaport.facts.names import Binding
from xlaport.facts.program import Facts
from xlaport.facts.role import OPEN, OUTPUT, TENSORS, Fact, Role, fact_at, is_none, join
from xlaport.facts.staying import stays_itself
from xlaport.facts.structure import CallSite, Class, Function, Structure
from xlaport.facts.torch_versions import is_of_old
from xlaport.facts.trials import is_test

_INSTANCES = (
    (torch_api.OPTIMIZER_BASES, Role.OPTIMIZER, "{name} is an Optimizer"),
    (torch_api.LOADERS, Role.LOADER, "{name} is a DataLoader"),
    (torch_api.DATASET_BASES, Role.DATASET, "{name} is a Dataset"),
)

_PLAIN = (Role.NUMBER, Role.TEXT)
_GIVEN = (*TENSORS, *_PLAIN)
"""Roles of what a model gives; of lists and the like, users see the tensors in them."""

_WRAPPING = re.compile(r"DataParallel|AveragedModel|jit\.(?:script|trace)|\.forward\b(?!\()")
"""By which a model may be called otherwise than by its name."""
_MAX_USERS = 5
"""A function or class that more files use is a general one: they will hardly agree on what they pass."""


class Answers(Protocol):
    """The roles of every file, as `Passing` asks for them."""

    def of(self, facts: Facts, node: ast.expr) -> Fact | None:
        """The role of an expression in a file."""

    def element(self, facts: Facts, node: ast.expr, index: int | None) -> Fact | None:
        """The role of one element of an expression that is unpacked."""

    def returned(self, function: Function, index: int | None) -> Fact | None:
        """The role of what a function returns, or of one element of it."""

    def stored(self, facts: Facts, value: ast.expr | None) -> Fact | None:
        """The role of what is assigned to an attribute."""

    def at_top(self, facts: Facts, name: str) -> Fact | None:
        """The role of a top-level name of a file."""


class Passing:
    """Follows roles backwards: from a parameter to what is passed for it, from a call to what it returns."""

    def __init__(self, facts: Facts, structure: Structure, answers: Answers) -> None:
        self.facts = facts
        self.structure = structure
        self.answers = answers
        self.module = facts.module

    # -- parameters ------------------------------------------------------------------------------------

    def parameter(self, binding: Binding) -> Fact | None:
        """The role of a parameter, by what is passed for it or by its annotation."""
        arg = binding.node
        assert isinstance(arg, ast.arg)
        arguments = self.module.parents[arg]
        assert isinstance(arguments, ast.arguments)
        function = self.module.parents[arguments]
        if not isinstance(function, FunctionNode) or arg in (arguments.vararg, arguments.kwarg):
            return None
        owner = self.module.parents[function]
        in_module = isinstance(owner, ast.ClassDef) and self.is_module_class(owner)
        is_first = [*arguments.posonlyargs, *arguments.args][:1] == [arg]
        if in_module and is_first and not self.facts.names.is_static(function):
            return fact_at(Role.MODEL, "self of a module", arg)
        if in_module and function.name == "forward":
            return self._forward_parameter(function, arg, arguments)
        if isinstance(owner, ast.ClassDef) and self.facts.classes.derives(owner, torch_api.AUTOGRAD_FUNCTIONS):
            return self._autograd_parameter(owner, function, arg)
        own = [CallSite(self.facts, call) for call in self.facts.classes.calls_to(function)]
        found = self._passed(function, arg, own) or self._annotated(arg)
        if found is None and not own:
            found = self._passed(function, arg, self._calls_elsewhere(function))
        return found

    def _passed(self, function: FunctionNode, arg: ast.arg, sites: list[CallSite]) -> Fact | None:
        """What the calls of a function pass, if they agree."""
        values = [self.structure.given(site, Function(self.facts, function), arg.arg) for site in sites]
        values = [(facts, value) for facts, value in values if not is_none(value)]
        if not values or any(value is None for _, value in values):
            return None
        joined = join(self.answers.of(facts, value) for facts, value in values if value is not None)
        if joined is None or joined is OPEN:
            return joined
        first = sites[0]
        if first.facts is self.facts:
            return replace(joined, because=f"passed to {function.name}(): {joined.because}")
        place = self._place(first.facts, first.node)
        because = f"passed to {function.name}() in {place}: {joined.because}"
        return replace(joined, because=because, line=arg.lineno)

    def defaults(self, binding: Binding) -> list[ast.expr | None]:
        """The default of a parameter that no call of the project gives; [None] where one does, or none is in sight."""
        function = self.module.function_of(binding.node)
        if function is None:
            return [None]
        value = default(function.args, binding.name)
        if not isinstance(value, ast.Constant) or is_none(value):
            return [None]
        called = Function(self.facts, function)
        sites = [
            *(CallSite(self.facts, c) for c in self.facts.classes.calls_to(function)),
            *self._calls_elsewhere(function),
        ]
        given = [self.structure.given(site, called, binding.name)[1] for site in sites]
        return [value] if given and all(passed is value for passed in given) else [None]

    def _calls_elsewhere(self, function: FunctionNode) -> list[CallSite]:
        """The calls in other files, if they are few; a layer's parameters are what the layers around it say."""
        owner = self.module.parents[function]
        if isinstance(owner, ast.ClassDef) and self.is_module_class(owner):
            return []
        name = owner.name if isinstance(owner, ast.ClassDef) else function.name
        if self.structure.users(self.facts, name) > _MAX_USERS:
            return []
        # A test passes what it has made on the host, where the program passes what it computes.
        sites = self.structure.calls_to(Function(self.facts, function))
        return [site for site in sites if not is_test(site.facts) or is_test(self.facts)]

    def _forward_parameter(self, function: FunctionNode, arg: ast.arg, arguments: ast.arguments) -> Fact | None:
        value = default(arguments, arg.arg)
        if arg.annotation is not None and (noted := self._annotated(arg)) is not None:
            return replace(noted, assumed=False)
        if value is not None and not is_none(value):
            return self.answers.of(self.facts, value)
        if self._is_compared_with_text(function, arg):
            return fact_at(Role.TEXT, "compared with a text", arg)
        return self._given(function, arg) or fact_at(Role.TENSOR, "parameter of forward()", arg)

    def _autograd_parameter(self, owner: ast.ClassDef, function: FunctionNode, arg: ast.arg) -> Fact | None:
        """What ``Scale.apply(x, 2)`` passes to ``forward(ctx, x, factor)``; ``backward()`` gets gradients."""
        names = [a.arg for a in [*function.args.posonlyargs, *function.args.args]]
        has_context = self.facts.names.method(owner, "setup_context") is None
        index = names.index(arg.arg) - has_context if arg.arg in names else -1
        if index < 0 or function.name not in ("forward", "backward"):
            return None
        if function.name == "backward":
            return fact_at(Role.TENSOR, "gradient passed to backward()", arg)
        found: list[Fact | None] = []
        for facts, call in applications(self.structure, self.facts, owner):
            passed = call.args[: index + 1]
            if len(passed) <= index or any(isinstance(a, ast.Starred) for a in passed):
                return None
            if not is_none(passed[index]):
                found.append(self.answers.of(facts, passed[index]))
        joined = join(found)
        if joined is None or joined is OPEN:
            return joined
        return replace(joined, because=f"passed to {owner.name}.apply(): {joined.because}", line=arg.lineno)

    def _is_compared_with_text(self, function: FunctionNode, arg: ast.arg) -> bool:
        """``if mode == "train":``, ``if mode in ("train", "test"):``."""
        scope = self.facts.names.scope_of(function)
        for use in self.facts.names.uses(scope, arg.arg) if scope is not None else ():
            parent = self.module.parents[use]
            sides = [parent.left, *parent.comparators] if isinstance(parent, ast.Compare) else []
            if any(_is_of_texts(side) for side in sides):
                return True
        return False

    def _given(self, function: FunctionNode, arg: ast.arg) -> Fact | None:
        """What the calls of a layer pass that is not on the device: a number, a text, lengths of the host.

        A call outside of layers may be one that tries a model out, with tensors of the host.
        """
        owner = self.module.parents[function]
        if not isinstance(owner, ast.ClassDef) or self.structure.users(self.facts, owner.name) > _MAX_USERS:
            return None
        sites = [
            *self.structure.calls_of_objects(Class(self.facts, owner)),
            *self.structure.calls_to(Function(self.facts, function)),  # self.forward(x, first=i == 0)
        ]
        found = self._passed(function, arg, sites) if sites else None
        if found is None or found.role not in (Role.HOST_TENSOR, Role.NUMBER, Role.TEXT):
            return None
        if all(self._is_in_a_layer(site) for site in sites):
            return found
        is_wrapped = any(_WRAPPING.search(facts.module.text) for facts in (self.facts, *(s.facts for s in sites)))
        return None if found.role is Role.HOST_TENSOR or is_wrapped else found

    def _is_in_a_layer(self, site: CallSite) -> bool:
        """Whether a call stands in a method of a module."""
        module = site.facts.module
        function = module.function(site.node)
        around = module.parents[function] if function is not None else None
        return isinstance(around, ast.ClassDef) and self.structure.is_module(Class(site.facts, around))

    def _annotated(self, arg: ast.arg) -> Fact | None:
        if arg.annotation is None:
            return None
        annotation = _optional(arg.annotation)
        name = self.facts.names.resolve(annotation)
        found = known.annotated(name) if name is not None else None
        if found is not None:
            return replace(fact_at(*found, arg), assumed=found[0] is Role.TENSOR)
        owner = self.structure.annotated(self.facts, annotation)
        return self._instance(owner, arg) if owner is not None else None

    # -- calls -----------------------------------------------------------------------------------------

    def called(self, node: ast.Call, index: int | None = None) -> Fact | None:
        """What a call of a function or class of the project gives, or one element of it."""
        function = self.facts.classes.function_called(node)
        if function is not None:
            return self.answers.returned(Function(self.facts, function), index)
        owners = self.structure.classes_named(self.facts, node.func)
        if owners:
            return join(self._instance(owner, node) for owner in owners) if index is None else None
        if not isinstance(node.func, ast.Name | ast.Attribute):
            return None
        other = self.structure.function_named(self.facts, node.func)
        if other is None:
            return self._output(node, index)
        fact = self.answers.returned(other, index)
        if fact is None or fact is OPEN or other.facts is self.facts:
            return fact
        place = self._place(other.facts, other.node)
        return fact_at(fact.role, f"{other.node.name}() in {place} gives {fact.because}", node)

    def _output(self, node: ast.Call, index: int | None) -> Fact | None:
        """What a model gives, or one of several things, which may be a number that its ``forward()`` has read."""
        forwards = CalledModels(self.structure).forwards(self.facts, node.func)
        if forwards and index is None and all(gives_array(forward) for forward in forwards):
            return fact_at(Role.OTHER, "an array that a model gives", node)
        joined = join(self.answers.returned(forward, index) for forward in forwards) if forwards else None
        if joined is None or joined is OPEN or joined.role not in (_GIVEN if index is not None else _PLAIN):
            return None  # what is not known is a tensor, as what models give mostly is
        return fact_at(joined.role, f"{OUTPUT}, {joined.because}", node)

    def returned(self, function: FunctionNode, index: int | None) -> Fact | None:
        """What a function of this file returns: the whole of it, or one element."""
        if self.facts.module.yields(function):
            return None
        returns = self.facts.module.returns(function)
        returns = [node for node in returns if not is_of_old(self.facts.names, self.module, node)]
        values = [node.value for node in returns if not is_none(node.value)]
        if not values:
            return fact_at(Role.OTHER, f"{function.name}() returns nothing", function)
        return self._joined(self.facts, values, index)

    def yielded(self, call: ast.Call, index: int | None) -> Fact | None:
        """What a generator function that is called hands out, or one element of it."""
        function = self.structure.run_by(self.facts, call)
        if function is None:
            return None
        yields = function.facts.module.yields(function.node)
        values = [node.value for node in yields if isinstance(node, ast.Yield)]
        if not values or len(values) < len(yields):
            return None
        joined = self._joined(function.facts, values, index)
        if joined is None or joined is OPEN:
            return joined
        return fact_at(joined.role, f"handed out by {function.node.name}(): {joined.because}", call)

    def _joined(self, facts: Facts, values: list[ast.expr | None], index: int | None) -> Fact | None:
        """The role on which all of some values agree, or one element of each."""
        if None in values:
            return None
        if index is None:
            return join(self.answers.of(facts, value) for value in values if value is not None)
        return join(self.answers.element(facts, value, index) for value in values if value is not None)

    def _instance(self, owner: Class, node: ast.AST) -> Fact | None:
        name = owner.node.name
        if self.structure.is_module(owner):
            return fact_at(Role.MODEL, f"{name} is a torch.nn.Module", node)
        for bases, role, phrase in _INSTANCES:
            if self.structure.derives(owner, bases):
                return fact_at(role, phrase.format(name=name), node)
        if not owner.node.bases:
            return fact_at(Role.OTHER, f"an instance of {name}", node)
        return None

    def is_module_class(self, node: ast.ClassDef) -> bool:
        """Whether a class derives from ``torch.nn.Module``, directly or through other classes of the project."""
        return self.structure.is_module(Class(self.facts, node))

    # -- attributes and imports ------------------------------------------------------------------------

    def attribute(self, node: ast.Attribute) -> Fact | None:
        """The role of an attribute of an object of the project, by all that is assigned to it."""
        owner = self.structure.instance_of(self.facts, node.value)
        if owner is None:
            return None
        buffer = self._buffer(owner, node)
        if buffer is not None:
            return buffer
        found = self._assigned(self.structure.bases(owner), node.attr)
        if not found and not self.structure.is_module(owner) and self.structure.method(owner, node.attr) is None:
            # What a base class uses, each of the classes derived from it may set.
            found = self._assigned(self.structure.derived(owner), node.attr)
        joined = join(self.answers.stored(facts, value) for facts, value in found) if found else None
        if joined is None or joined is OPEN:
            return joined
        facts = found[0][0]
        if facts is self.facts:
            return joined
        return fact_at(joined.role, f"set in {os.path.basename(facts.file)}: {joined.because}", node)

    def _buffer(self, owner: Class, node: ast.Attribute) -> Fact | None:
        for base in self.structure.bases(owner):
            value = base.facts.classes.buffer_value(base.node, node.attr)
            if value is None:
                continue
            made = self.answers.stored(base.facts, value) if stays_itself(self.structure, owner) else None
            if made is not None and made.role is Role.HOST_TENSOR:
                return fact_at(Role.HOST_TENSOR, "a buffer of a module whose parts move, and not it", node)
            return fact_at(Role.TENSOR, "a buffer of a module, which moves with it", node)
        return None

    def _assigned(self, owners: Iterable[Class], name: str) -> list[tuple[Facts, ast.expr | None]]:
        return [(facts, value) for facts, value in self.structure.assigned(owners, name) if not is_none(value)]

    def imported(self, node: ast.expr) -> Fact | None:
        """The role of a top-level name of another file."""
        place = self.structure.place(self.facts, node)
        other = self.structure.view.facts(place.file) if place is not None and not place.rest else None
        if place is None or other is None or place.name is None or other is self.facts:
            return None
        fact = self.answers.at_top(other, place.name)
        if fact is None or fact is OPEN:
            return fact
        return fact_at(fact.role, f"{place.name} of {os.path.basename(other.file)}: {fact.because}", node)

    def _place(self, facts: Facts, node: ast.AST) -> str:
        line = getattr(node, "lineno", 1)
        return f"line {line}" if facts is self.facts else f"{os.path.basename(facts.file)}:{line}"


def _optional(annotation: ast.expr) -> ast.expr:
    """``X`` of ``X | None`` and of ``Optional[X]``."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return annotation.left if is_none(annotation.right) else annotation
    if isinstance(annotation, ast.Subscript) and last_name(annotation.value) == "Optional":
        return annotation.slice
    return annotation


def _is_of_texts(node: ast.expr) -> bool:
    """Whether an expression is a text, or a display of texts."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return bool(parts) and all(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts)
