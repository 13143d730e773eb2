"""How a program's own functions and classes are called: what each parameter gets, and what comes back."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping, Sequence

from xlaport.analysis import batches, library, passing
from xlaport.analysis import value as types
from xlaport.analysis.arguments import Argument, passed_by
from xlaport.analysis.certain import is_detached
from xlaport.analysis.containers import grown_under, is_keyed, is_open, of_constant, under, with_key
from xlaport.analysis.definitions import Cell, Class, Function, Going, OfLibrary
from xlaport.analysis.events import Event, Given, Kind
from xlaport.analysis.frame import Frame
from xlaport.analysis.holding import one_of
from xlaport.analysis.tensors import is_fetched
from xlaport.analysis.value import (
    A_LIST,
    A_NAMED_TUPLE,
    PENDING,
    UNKNOWN,
    Bound,
    Device,
    How,
    Partial,
    Value,
    each,
    held,
    join,
    joined,
    keyed,
)
from xlaport.facts.module import dotted
from xlaport.facts.role import OF_FORWARD

TAKING = frozenset({"pop", "get", "get_nowait", "popleft", "setdefault"})
"""Methods of containers that give something out."""
_TYPED_DICTS = frozenset({"typing.TypedDict", "typing_extensions.TypedDict"})
ROWS = ("torch.nn.Sequential(…)", "torch.nn.ModuleList(…)")
"""The evidence of modules that are gone through module by module."""


class Applying:
    """Calls of what the program defines, from one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def gone_through(self, value: Value, line: int = 0, at: ast.AST | None = None) -> Value:
        """What a loop in a line gets of a value; `at` is where it asks for one after the other."""
        self.go_on(value, at)
        value = self.frame.filled(value)
        if value.type == types.LOADER:
            return batches.of_loader(value, Device.HOST, batches.OF_BATCH, line)
        if value.type == types.DEVICE_LOADER:
            return batches.of_loader(value, Device.ACCELERATOR, "part of a device loader's batch", line)
        if value.type == types.TENSOR:
            return batches.taken_out(one_of(value))
        if value.type == types.MODULE:  # a ModuleDict gives its keys
            return part_of(value, value.line) if value.because.endswith(ROWS) else UNKNOWN
        if value.alternatives:
            return joined([self.gone_through(part, line, at) for part in value.alternatives]) or UNKNOWN
        if is_open(value):
            return UNKNOWN
        if value.keys and value.because != A_NAMED_TUPLE:
            return joined(map(of_constant, value.keys)) or UNKNOWN
        if isinstance(value.type, Class):
            method = value.type.method("__iter__")
            if method is not None:
                return self._given_by(self.apply(method, [value], {}, None, at), at)
        return value if is_fetched(value) else each(value)

    def _given_by(self, iterator: Value, at: ast.AST | None) -> Value:
        """What an iterator gives, one after the other."""
        self.go_on(iterator, at)
        method = iterator.type.method("__next__") if isinstance(iterator.type, Class) else None
        return each(iterator) if method is None else self.apply(method, [iterator], {}, None, at)

    def goes_on(self, value: Value) -> Going | None:
        """What runs whenever a value is asked for its next element: the body of a generator, a ``__next__()``."""
        method = value.type.method("__iter__") if isinstance(value.type, Class) else None
        value = self.frame.read(method.result) if method is not None else value
        if isinstance(value.refers, Going):
            return value.refers
        method = value.type.method("__next__") if isinstance(value.type, Class) else None
        return Going(self.frame.around.now(method)) if method is not None else None

    def go_on(self, value: Value, at: ast.AST | None) -> None:
        """Note where something goes on, if a value does."""
        if at is not None and isinstance(value.refers, Going):
            function = value.refers.function
            self.frame.around.graph.note_going_on(self.frame.function, at, function)
            if function.name == "__next__":  # the others have been called by then
                self.frame.events.append(Event(Kind.CALL, at, callee=function))

    def apply(
        self,
        function: Function,
        arguments: Sequence[Value],
        keywords: Mapping[str | None, Value],
        node: ast.AST | None,
        at: ast.AST | None = None,
        bound_to: ast.expr | None = None,
    ) -> Value:
        """Call a function of the program: hand it what it gets, and take what it has returned so far.

        `at` is where that happens, if no call of it stands in the text: ``map(place, models)``. `bound_to` is the
        expression of the first argument, where that is none of those in the brackets.
        """
        function = self.frame.around.now(function)
        for argument, held_so in self._lists_of(node):
            if held_so.elements != () or not held_so.objects:  # else, who puts something into it notes that
                self._lose(argument, held_so)
        self.frame.forget_attributes()
        passed = list(passed_by(self.frame, function, arguments, keywords, node, bound_to))
        if node is not None and self.frame.apart is not None:
            self.frame.apart.runs.setdefault(node, {})[function] = None
        if isinstance(node, ast.Call):
            written = {argument.parameter: argument.written for argument in passed if not argument.is_default}
            self.frame.around.graph.note_run(self.frame.function, node, function, written)
        if not self.frame.around.is_trial(self.frame.function, function):
            is_model = is_forward(function) and not _is_of_module(self.frame.function)
            is_wrapped = self.frame.function in self.frame.around.graph.wrappers(function)  # others call it in words
            for name, value, written_so, _ in passed:
                if value is not None and not (is_wrapped and self.frame.hands_on(written_so)):
                    given = _on_device(value) if is_model else value
                    self.frame.write(function.parameter(name), self._told(given, function, node))
            if not is_wrapped:
                self.frame.around.called(function)
            self.frame.look_again()
        place = node if node is not None else at
        if place is not None and not isinstance(node, ast.Call):
            self.frame.around.graph.note_going_on(self.frame.function, place, function)
        if place is not None:
            handed = {
                name: (source, value.objects)
                for name, value, written, _ in passed
                if value is not None
                if (source := self.frame.parameter_of(written) if isinstance(written, ast.Name) else "")
                or value.objects
            }
            self.frame.events.append(Event(Kind.CALL, place, callee=function, handed=handed))
        self._take_back(function, passed, node)
        result = self.frame.read(function.result)
        if isinstance(node, ast.Call) and self._is_of_this_call(result):
            by_name = {name: value for name, value, *_ in passed if value is not None}
            run = self.frame.around.apart(function, by_name, self.frame.place_of(node))
            own = run.result.value if run is not None else None
            is_apart = self.frame.apart is not None
            result = result if own is None else own if is_apart else batches.of_call(result, own)
        if function.file == self.frame.function.file:
            return result
        where = f"{os.path.basename(function.file)}:{getattr(function.node, 'lineno', 1)}"
        line = getattr(node, "lineno", result.line)
        return self.frame.told(result, function.file, f"{function.name}() in {where} gives", line)

    def grow(self, place: ast.expr, value: Value) -> None:
        """Note what a list holds now, where something has been put into it."""
        self.frame.fill(value)
        if isinstance(place, ast.Name):
            self.frame.bind(place.id, value)
        elif isinstance(place, ast.Attribute):
            owner = self.frame.around.values[place.value].type
            if isinstance(owner, Class):
                self.frame.write(owner.attribute(place.attr), value)
                self.frame.store(dotted(place), value)
        elif isinstance(place, ast.Subscript):
            self._grow_within(place.value, place.slice, value)
        elif isinstance(place, ast.Call) and isinstance(place.func, ast.Attribute) and place.args:
            if place.func.attr == "setdefault":
                self._grow_within(place.func.value, place.args[0], value)

    def with_gradient(self, place: ast.expr, tensor: Value, added: Value) -> Value:
        """A tensor that something is put into, which gradients may come to."""
        if tensor.detached and not is_detached(added):
            tensor = tensor._replace(detached=False)
            self.grow(place, tensor)
        return tensor

    def _grow_within(self, around: ast.expr, key: ast.expr, value: Value) -> None:
        """``groups[name].append(…)``: so what holds the list has grown, too."""
        values = self.frame.around.values
        whole = values[around]
        if whole.type in (None, types.OBJECT) and (whole.elements is not None or whole.element is not None):
            self.grow(around, grown_under(whole, values[key].constant, value))

    def put(self, place: ast.expr, base: Value, key: object, value: Value | None) -> None:
        """Put something into a dict, under a key; into one that a parameter brings, for the callers, too."""
        variables, name = self.frame.variables, place.id if isinstance(place, ast.Name) else ""
        is_told = isinstance(key, str | int)  # the others stay what they are
        others = {p: v for p, v in variables.items() if p.startswith(f"{name}[")} if name and is_told else {}
        others.pop(f"{name}[{key!r}]", None)
        self.grow(place, with_key(base, key, value or UNKNOWN))
        variables.update(others)
        if isinstance(place, ast.Name) and place.id in self.frame.function.given and isinstance(key, str | int):
            function = self.frame.function
            fields = function.put.setdefault(place.id, {})
            self.frame.write(fields.setdefault(key, Cell(function.home, function.file)), value)

    def _take_back(self, function: Function, passed: Sequence[Argument], node: ast.AST | None) -> None:
        """What a function has put into the dicts that it got is in them when it is back."""
        for name, value, written, _ in passed:
            if value is None or written is None or not is_keyed(value):
                continue
            for key, cell in list(function.put.get(name, {}).items()):
                added = self.frame.read(cell)
                if node is not None and any(turn.how is How.GOES_ON for turn in added.turns):
                    added = passing.gone_on(self.frame, added, node)
                if added is not PENDING:
                    value = with_key(value, key, join(under(value, key), added) or UNKNOWN)
                    self.put(written, value, key, under(value, key))

    def _is_of_this_call(self, result: Value) -> bool:
        """Whether a result is to be told from that of other calls: loaders, and for these, one of several functions."""
        is_one_of = self.frame.apart is not None and bool(result.alternatives)
        return is_one_of or batches.has_loaders(result)

    def _told(self, value: Value, function: Function, node: ast.AST | None) -> Value:
        """What is passed, as the function's file is to tell of it."""
        if function.file == self.frame.function.file or value.type is None:
            return value
        where = f"{os.path.basename(self.frame.function.file)}:{getattr(node, 'lineno', 1)}"
        line = getattr(function.node, "lineno", 1)
        return self.frame.told(value, function.file, f"passed to {function.name}() in {where}:", line)

    def made(
        self, kind: Class, arguments: Sequence[Value], keywords: Mapping[str | None, Value], node: ast.Call
    ) -> Value:
        """An instance of a class; of a TypedDict, the dict."""
        if not _TYPED_DICTS.isdisjoint(kind.of_libraries()) and None not in keywords:
            return keyed(Value(types.OBJECT, because="a display", line=node.lineno), keywords)
        instance = Value(
            kind, objects=self.frame.site(node), because=f"an instance of {kind.node.name}", line=node.lineno
        )
        self.frame.around.graph.note_made(self.frame.function, node, kind)
        if _is_of_module(self.frame.function):
            self.frame.around.moved.add(kind)
        method = kind.method("__new__")
        if method is not None:
            self.apply(method, [Value(refers=kind), *arguments], keywords, None, node)
        method = kind.method("__init__")
        if method is not None:
            self.apply(method, [instance, *arguments], keywords, node)
        if any(map(library.is_optimizer, kind.of_libraries())):
            self.frame.note_taken(node)
        after = kind.method("__post_init__")
        if after is not None:
            self.apply(after, [instance], {}, None, node)
        if method is None:  # a dataclass, a named tuple: the fields, in their order
            declared = [s.target for s in kind.node.body if isinstance(s, ast.AnnAssign)]
            fields = [target.id for target in declared if isinstance(target, ast.Name)]
            given: dict[str | None, Value] = {**dict(zip(fields, arguments, strict=False)), **keywords}
            for name in fields:
                if name in given:
                    self.frame.write(kind.attribute(name), given[name])
            for factory in (_factory(s) for s in kind.node.body if isinstance(s, ast.AnnAssign)):
                if factory is not None and factory[0] not in given:
                    made = self.frame.around.value_at(factory[1]) or UNKNOWN
                    self.frame.write(kind.attribute(factory[0]), self.mapped(made, [], node))
        return instance

    def run_later(self, mark: int) -> None:
        """Run what was asked to run when something is left, the last first."""
        while len(self.frame.later) > mark:
            function, at = self.frame.later.pop()
            self.mapped(function, [], at)

    def mapped(
        self,
        function: Value,
        given: Sequence[Value],
        at: ast.AST | None,
        keywords: Mapping[str | None, Value] | None = None,
    ) -> Value:
        """What a function gives that is called without being written so."""
        refers = function.refers
        if isinstance(refers, Partial):
            return self.mapped(
                refers.function, [*refers.given, *given], at, {**dict(refers.keywords), **(keywords or {})}
            )
        if isinstance(refers, str) and function.type is None:
            self.hand(refers, given, keywords or {}, at)
            return UNKNOWN
        if isinstance(refers, Bound) and isinstance(refers.definition, OfLibrary):  # ``key=losses.get``
            is_taken = refers.receiver.type == types.OBJECT and refers.definition.name in TAKING
            return each(self.frame.filled(refers.receiver)) if is_taken else UNKNOWN
        if function.alternatives:
            return joined([self.mapped(part, given, at) for part in function.alternatives]) or UNKNOWN
        if isinstance(refers, Bound) and isinstance(refers.definition, Function):
            return self.apply(refers.definition, [refers.receiver, *given], keywords or {}, None, at)
        if isinstance(function.type, Class) and (method := function.type.method("__call__")) is not None:
            return self.apply(method, [function, *given], keywords or {}, None, at)
        return self.apply(refers, given, keywords or {}, None, at) if isinstance(refers, Function) else UNKNOWN

    def hand(self, name: str, given: Sequence[Value], keywords: Mapping[str | None, Value], at: ast.AST | None) -> None:
        """Note that a function of a library gets something at a place that does not call it in words."""
        if at is not None and self.frame.apart is None:
            given = tuple(map(self.frame.filled, given))
            self.frame.around.handed.setdefault(at, {})[name] = Given(given, dict(keywords))

    def lose(self, node: ast.Call) -> None:
        """Lists that are handed to a function which may put something into them: nobody knows what they hold."""
        for argument, value in self._lists_of(node):
            self.frame.fill(self._lose(argument, value))

    def _lose(self, name: ast.Name, value: Value) -> Value:
        lost = value._replace(elements=None, keys=None, element=UNKNOWN)
        self.frame.bind(name.id, lost)
        return lost

    def _lists_of(self, node: ast.AST | None) -> Iterator[tuple[ast.Name, Value]]:
        """The lists that a call hands over by their names."""
        for argument in node.args if isinstance(node, ast.Call) else ():
            value = self.frame.variables.get(argument.id) if isinstance(argument, ast.Name) else None
            if isinstance(argument, ast.Name) and value is not None and value.because == A_LIST:
                yield argument, value


def _factory(field: ast.AnnAssign) -> tuple[str, ast.expr] | None:
    """``rules: list = field(default_factory=make)``: the name of the field, and what makes its default."""
    if not isinstance(field.target, ast.Name) or not isinstance(field.value, ast.Call):
        return None
    made = next((k.value for k in field.value.keywords if k.arg == "default_factory"), None)
    return (field.target.id, made) if made is not None else None


def part_of(module: Value, line: int) -> Value:
    """One of the modules that a row of them holds; of a dict of modules, too."""
    return held(module) or Value(types.MODULE, because="a part of a module", line=line)


def _is_of_module(function: Function) -> bool:
    """Whether a function is a method of a module."""
    return function.owner is not None and library.is_module(Value(function.owner))


def is_forward(function: Function) -> bool:
    """Whether a function is the ``forward()`` of a module."""
    return function.name == "forward" and _is_of_module(function)


def _on_device(value: Value) -> Value:
    """What a model gets: of the device, though somebody tries it out with a tensor of the host."""
    if value.type == types.TENSOR and value.device is Device.HOST:
        return value._replace(device=Device.ACCELERATOR, because=OF_FORWARD)
    return value
