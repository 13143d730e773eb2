"""What a program declares of its names: parameters with their defaults, annotations, and decorators."""

from __future__ import annotations

import ast

from xlaport.analysis import value as types
from xlaport.analysis.applying import is_forward
from xlaport.analysis.attributes import is_of_autograd
from xlaport.analysis.definitions import Class, Function, defaults, parameters
from xlaport.analysis.events import objects_of
from xlaport.analysis.expressions import Expressions
from xlaport.analysis.narrowing import annotation
from xlaport.analysis.options import usual
from xlaport.analysis.places import Places, defaults_of, in_display, is_option
from xlaport.analysis.scopes import COMPARED
from xlaport.analysis.value import NOTHING, PENDING, UNKNOWN, Bound, Certainty, Device, Value, each_alternative
from xlaport.facts.held import NOTHING_HELD
from xlaport.facts.module import last_name
from xlaport.facts.role import OF_FORWARD, is_none

SELF = "self"
"""The evidence of what a method is bound to."""


class Declarations:
    """Answers for one frame."""

    def __init__(self, expressions: Expressions) -> None:
        self.frame = expressions.frame
        self.of = expressions.of
        self.apply = expressions.calls.applying.apply

    def take_parameters(self, function: Function, given: ast.arguments) -> None:
        """Give the parameters of a function what calls pass; or what they are declared, or taken, to be."""
        otherwise = defaults(given)
        for place, parameter in enumerate(parameters(given)):
            cell = function.parameter(parameter.arg)
            cell.readers[function] = None
            value = cell.value
            if place == 0 and function.owner is not None and "staticmethod" not in function.decorators:
                is_class = "classmethod" in function.decorators or function.name == "__new__"
                every = objects_of(value) if value is not None and value.alternatives else frozenset()
                own = Value(refers=function.owner) if is_class else Value(function.owner, objects=every)
                value = (own if value is None or value.type is None else value)._replace(because=SELF)
            elif value is None:
                value = self._ungiven(function, parameter, otherwise.get(parameter.arg))
            elif value.is_unknown or value.type == types.NONE:  # somebody passes something else than None, too
                noted = annotation(self.of, parameter.annotation) if parameter.annotation is not None else None
                value = noted or (self.frame.around.missed(function, cell) if value == NOTHING else value)
            elif value.type == types.TENSOR and parameter.annotation is not None:
                noted = annotation(self.of, parameter.annotation)
                value = value._replace(certainty=noted.certainty) if noted is not None else value
            if value.is_unknown and place > 0:
                default = otherwise.get(parameter.arg)
                kind = self._like(default) if default is not None else NOTHING
                value = _given_to_method(function, parameter, kind)
            given_so = cell.value.places if cell.value is not None else Places()
            value = value.or_at(given_so | self._places(function, parameter, otherwise.get(parameter.arg)))
            if value.is_unknown or (isinstance(value.type, Class) and not value.objects and place > 0):
                value = self.frame.unknown[parameter.arg] = value._replace()  # known again by another name
            self.frame.bind(parameter.arg, value)
        for rest in (given.vararg, given.kwarg):
            if rest is not None:
                cell = function.parameter(rest.arg)
                cell.readers[function] = None
                self.frame.bind(rest.arg, cell.value or Value(types.OBJECT))

    def _ungiven(self, function: Function, parameter: ast.arg, default: ast.expr | None) -> Value:
        """What a parameter is that no call in sight gives."""
        is_called = self.frame.around.is_called(function)
        if is_called and default is not None:
            return self._default(default)
        found = annotation(self.of, parameter.annotation) if parameter.annotation is not None else None
        if found is not None:
            return found
        if default is not None and not is_none(default):  # somebody may pass another thing of the kind
            return self._like(default)
        return self.frame.around.missed(function, function.parameter(parameter.arg)) if is_called else UNKNOWN

    def _like(self, default: ast.expr) -> Value:
        """Something of the kind of a default."""
        return self._default(default)._replace(constant=None, holds=NOTHING_HELD)

    def _default(self, node: ast.expr) -> Value:
        """What a default was found to be where the function is defined."""
        found = self.frame.around.value_at(node)
        return found if found is not None else self.of(node) if isinstance(node, ast.Constant) else UNKNOWN

    def _places(self, function: Function, parameter: ast.arg, default: ast.expr | None) -> Places:
        """The names of devices that a parameter has for its default, by its annotation, or by an option of click's."""
        found = self._default(default).places if default is not None else Places()
        if parameter.annotation is not None:
            found |= self.literals(parameter.annotation)
        for decorator in getattr(function.node, "decorator_list", ()):
            if is_option(decorator, parameter.arg):
                given = (self.frame.around.value_at(part) for part in defaults_of(decorator))
                found = found.union(*(in_display(value) for value in given if value is not None))
        return found

    def literals(self, annotation: ast.expr) -> Places:
        """The names of devices in each ``Literal[…]`` of an annotation, or in what it names in a file that has one."""
        facts = self.frame.around.facts(self.frame.function.file)
        if facts is None or not facts.once("has a Literal", lambda: "Literal" in facts.module.text):
            return Places()
        parts = [node for node in ast.walk(annotation) if last_name(getattr(node, "value", node)) == "Literal"]
        sides = [annotation.left, annotation.right] if isinstance(annotation, ast.BinOp) else [annotation]
        named = [side for side in sides if isinstance(side, ast.Name | ast.Attribute)]
        each_one = (self.of(node).places for node in (*parts, *named) if isinstance(node, ast.expr))
        return Places().union(*each_one)

    def of_field(self, declared: Value | None, default: Value) -> Value | None:
        """What a field of a class is that is declared to be something: a text, where no instance says another."""
        return usual(default) or declared if declared is not None and declared.type == types.TEXT else declared

    def decorated(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, value: Value) -> Value:
        """What decorators of the program make of a definition; what wraps it is taken to do what it does."""
        for decorator in reversed(node.decorator_list):
            refers = self.frame.around.values[decorator].refers
            definition = refers.definition if isinstance(refers, Bound) else refers
            if isinstance(definition, Function):
                first = [refers.receiver] if isinstance(refers, Bound) else []
                found = self.apply(definition, [*first, value], {}, None)
                wraps = isinstance(found.refers, Function | Class) and found.refers.file == definition.file
                self._note_wrapper(value, found, definition)
                is_kept = found is PENDING or bool(found.alternatives) or isinstance(node, ast.ClassDef)
                value = value if wraps or is_kept else found
        return value

    def _note_wrapper(self, value: Value, found: Value, decorator: Function) -> None:
        """Note that a decorator gives a function of its own for the one that it gets."""
        for part in each_alternative(found):
            wrapper = part.refers
            is_own = isinstance(wrapper, Function) and wrapper.enclosing is decorator
            if is_own and isinstance(value.refers, Function) and isinstance(wrapper, Function):
                self.frame.around.graph.note_wrapped(value.refers, wrapper)


def _given_to_method(function: Function, parameter: ast.arg, default: Value) -> Value:
    """What `forward()` of a module gets is taken for a tensor, where nothing says otherwise; and a gradient is one."""
    owner = function.owner
    if is_forward(function):
        if default.type not in (None, types.NONE):
            return default
        if COMPARED in function.scope.uses.get(parameter.arg, ()):
            return Value(types.TEXT, because=COMPARED, line=parameter.lineno)
        because = OF_FORWARD
    elif owner is not None and function.name == "backward" and is_of_autograd(owner):
        because = "gradient passed to backward()"
    else:
        return UNKNOWN
    return Value(types.TENSOR, Device.ACCELERATOR, certainty=Certainty.ASSUMED, because=because, line=parameter.lineno)
