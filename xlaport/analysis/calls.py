"""What calls give: of the program's own functions and classes, by what these return; of a library, by its models."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from xlaport.analysis import library
from xlaport.analysis import value as types
from xlaport.analysis.definitions import Class, Function, Super, parameters
from xlaport.analysis.events import Event, Kind, objects_in
from xlaport.analysis.frame import Frame
from xlaport.analysis.methods import device_of, is_dtype, of_module, of_tensor
from xlaport.analysis.operators import met
from xlaport.analysis.value import (
    NOTHING,
    PENDING,
    UNKNOWN,
    Bound,
    Certainty,
    Device,
    Site,
    Value,
    each,
    held,
    join,
    joined,
)
from xlaport.facts import known, vocabulary

_JOINING = frozenset({"torch.cat", "torch.concat", "torch.concatenate", "torch.stack", "torch.hstack", "torch.vstack"})
_AGGREGATES = frozenset({"builtins.sum", "builtins.abs", "builtins.max", "builtins.min"})
_CONTAINERS = frozenset({"builtins.list", "builtins.tuple", "builtins.set", "builtins.sorted", "builtins.reversed"})


class Calls:
    """Answers for the expressions of one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def result(
        self,
        node: ast.Call,
        function: Value,
        receiver: Value | None,
        arguments: Sequence[Value],
        keywords: Mapping[str | None, Value],
    ) -> Value:
        """What a call gives; `receiver` is what a method is looked up in."""
        if function is PENDING:
            return PENDING
        refers = function.refers
        if isinstance(refers, str):
            return self._of_library(refers, node, arguments, keywords)
        if isinstance(refers, Bound) and isinstance(refers.definition, Function):
            first = [] if "staticmethod" in refers.definition.decorators else [refers.receiver]
            return self.apply(refers.definition, [*first, *arguments], keywords, node)
        if isinstance(refers, Function):
            return self.apply(refers, arguments, keywords, node)
        if isinstance(refers, Class):
            return self._made(refers, arguments, keywords, node)
        if receiver is not None and isinstance(node.func, ast.Attribute):
            found = self._method(receiver, node.func.attr, node, arguments, keywords)
            if found is not None:
                return found
        return self._called(function, arguments, keywords, node)

    def gone_through(self, value: Value) -> Value:
        """What a loop gets of a value."""
        if value.type == types.LOADER:
            return Value(types.TENSOR, Device.HOST, because="part of a loader's batch", line=value.line)
        if value.type == types.DEVICE_LOADER:
            return Value(types.TENSOR, Device.ACCELERATOR, because="part of a device loader's batch", line=value.line)
        if value.type == types.TENSOR:
            return value
        if isinstance(value.type, Class):
            method = value.type.method("__iter__")
            if method is not None:
                return each(self.apply(method, [value], {}, None))
        return each(value)

    def apply(
        self, function: Function, arguments: Sequence[Value], keywords: Mapping[str | None, Value], node: ast.AST | None
    ) -> Value:
        """Call a function of the program: hand it what it gets, and take what it has returned so far."""
        self.frame.around.called(function)
        self.frame.forget_attributes()
        passed = list(self._passed(function, arguments, keywords, node))
        for name, value, _ in passed:
            self.frame.write(function.parameter(name), value)
        if node is not None:
            handed = {name: (source, value.objects) for name, value, source in passed if value.objects}
            self.frame.events.append(Event(Kind.CALL, node, callee=function, handed=handed))
        return self.frame.read(function.result)

    def _passed(
        self, function: Function, arguments: Sequence[Value], keywords: Mapping[str | None, Value], node: ast.AST | None
    ) -> Iterator[tuple[str, Value, str]]:
        """What a call passes, by parameter, each with the parameter of the caller that is passed on as it is."""
        given = getattr(function.node, "args", None)
        if not isinstance(given, ast.arguments):
            return
        written: list[ast.expr | None] = list(node.args) if isinstance(node, ast.Call) else []
        bound_to = node.func.value if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
        written = [*[bound_to] * (len(arguments) - len(written)), *written]  # what it is bound to comes first
        positional = [p.arg for p in (*given.posonlyargs, *given.args)]
        open_ = [p.arg for p in parameters(given)]
        """The parameters that nothing has been passed for."""
        for place, (value, source) in enumerate(zip(arguments, written, strict=True)):
            if isinstance(source, ast.Starred):
                yield from ((name, each(value), "") for name in positional[place:])
                open_ = [name for name in open_ if name not in positional]
                break
            if place < len(positional):
                yield positional[place], value, self.frame.parameter_of(source) if isinstance(source, ast.Name) else ""
                open_.remove(positional[place])
            elif given.vararg is not None:
                yield given.vararg.arg, Value(types.OBJECT, element=value), ""
        for keyword, value in keywords.items():
            if keyword is None:
                yield from ((name, UNKNOWN, "") for name in open_ if name not in keywords)
            elif keyword in open_:
                yield keyword, value, ""
            elif given.kwarg is not None:
                yield given.kwarg.arg, Value(types.OBJECT, element=value), ""

    def _made(
        self, kind: Class, arguments: Sequence[Value], keywords: Mapping[str | None, Value], node: ast.Call
    ) -> Value:
        instance = Value(
            kind, objects=self.frame.site(node), because=f"an instance of {kind.node.name}", line=node.lineno
        )
        method = kind.method("__init__")
        if method is not None:
            self.apply(method, [instance, *arguments], keywords, node)
        after = kind.method("__post_init__")
        if after is not None:
            self.apply(after, [instance], {}, None)
        if method is None:  # a dataclass, a named tuple: the fields, in their order
            declared = [s.target for s in kind.node.body if isinstance(s, ast.AnnAssign)]
            fields = [target.id for target in declared if isinstance(target, ast.Name)]
            given: dict[str | None, Value] = {**dict(zip(fields, arguments, strict=False)), **keywords}
            for name in fields:
                if name in given:
                    self.frame.write(kind.attribute(name), given[name])
        return instance

    def _called(
        self, function: Value, arguments: Sequence[Value], keywords: Mapping[str | None, Value], node: ast.Call
    ) -> Value:
        if isinstance(function.type, Class):
            is_module = library.is_module(function)
            for name in ("forward", "__call__") if is_module else ("__call__",):
                method = function.type.method(name)
                if method is not None:
                    found = self.apply(method, [function, *arguments], keywords, node)
                    return found if found != UNKNOWN or not is_module else _output(node)
            return _output(node) if is_module else UNKNOWN
        return _output(node) if function.type == types.MODULE else UNKNOWN

    # -- libraries ---------------------------------------------------------------------------------------

    def _of_library(
        self, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value:
        if name == "builtins.super":
            return self._super()
        if name == "torch.device" and arguments:
            return Value(types.DEVICE, constant=arguments[0].constant, because="device(…)", line=node.lineno)
        if name in _CONTAINERS and arguments:
            return Value(types.OBJECT, element=self.gone_through(arguments[0]), because=f"{name}(…)", line=node.lineno)
        if name in vocabulary.COUNTERS:
            return Value(types.OBJECT, element=Value(types.NUMBER, because="counts a range"))
        if arguments and (name in vocabulary.MODULE_WRAPPERS or name in vocabulary.VARIABLES):
            copied = name in vocabulary.MODULE_COPIES and arguments[0] is not PENDING
            return arguments[0]._replace(objects=self.frame.site(node)) if copied else arguments[0]
        found = library.returned(name)
        if found is not None:
            self._note_made(found, node, arguments)
            return found._replace(objects=self.frame.site(node), line=node.lineno)
        if known.makes_tensor(name):
            return self._from_numbers(name, node, keywords)
        if arguments:
            handed = self._handed_on(name, arguments, keywords)
            if handed is not None:
                return handed
        return self._computed(name, node, arguments, keywords) if known.computes_tensor(name) else UNKNOWN

    def _note_made(self, made: Value, node: ast.Call, arguments: Sequence[Value]) -> None:
        """A module has those for parts that it is given; an optimizer takes the parameters that it is given."""
        if made.type == types.MODULE:
            for argument in arguments:
                self.frame.hold(self.frame.site(node), objects_in(argument))
        elif made.type == types.OPTIMIZER:
            given = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "params"), None)
            if given is not None:
                parts = (part for part in ast.walk(given) if part is given or isinstance(part, ast.Call))
                values = (self.frame.around.values.get(part) for part in parts)
                objects = frozenset[Site]().union(*(objects_in(value) for value in values if value is not None))
                self.frame.events.append(Event(Kind.TAKE, node, objects, self.frame.parameter_of(given)))

    def _super(self) -> Value:
        here = self.frame.function
        while here.owner is None and here.enclosing is not None:
            here = here.enclosing
        given = getattr(here.node, "args", None)
        if here.owner is None or not isinstance(given, ast.arguments):
            return UNKNOWN
        first = next((parameter.arg for parameter in parameters(given)), "")
        return Value(refers=Super(here.owner, self.frame.look_up(first)))

    def _handed_on(self, name: str, arguments: Sequence[Value], keywords: Mapping[str | None, Value]) -> Value | None:
        """What functions give that hand on what they get, or its parts."""
        first = arguments[0]
        if name == "builtins.next":
            return self.gone_through(first)
        if name == "builtins.enumerate":
            pair = (Value(types.NUMBER, because="counts by enumerate"), self.gone_through(first))
            return Value(types.OBJECT, element=Value(elements=pair))
        if name == "builtins.filter" and len(arguments) == 2:
            return Value(types.OBJECT, element=self.gone_through(arguments[1]))
        if name == "itertools.chain":
            return Value(types.OBJECT, element=joined(map(self.gone_through, arguments)))
        if name == "builtins.zip":
            return Value(types.OBJECT, element=Value(elements=tuple(map(self.gone_through, arguments))))
        if name in vocabulary.PASSING_WRAPPERS:
            is_loader = first.type in (types.LOADER, types.DEVICE_LOADER)
            return first if is_loader or first is PENDING else Value(element=self.gone_through(first))
        if name in _AGGREGATES:
            values = [self.gone_through(first)] if len(arguments) == 1 and first.type != types.TENSOR else arguments
            return met(values, 0)
        if name == "functools.partial" and isinstance(first.refers, Function):
            for keyword, value in keywords.items():
                if keyword is not None:
                    self.frame.write(first.refers.parameter(keyword), value)
            if len(arguments) == 1:
                return Value(refers=first.refers)
            return Value(refers=Bound(first.refers, arguments[1])) if len(arguments) == 2 else UNKNOWN
        return None

    def _from_numbers(self, name: str, node: ast.Call, keywords: Mapping[str | None, Value]) -> Value:
        device = keywords.get("device")
        site = self.frame.site(node)
        made = Value(types.TENSOR, Device.HOST, objects=site, because=f"{name}(…)", line=node.lineno)
        if device is PENDING:
            return PENDING
        if device is None or device.type == types.NONE:
            return made
        return made._replace(device=device_of(device), because=f"{name}(…, device=…)")

    def _computed(
        self, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value:
        operands = [*arguments, *(value for keyword, value in keywords.items() if keyword != "device")]
        for operand in list(operands):
            operands += operand.elements or ()
            if operand.element is not None and name in _JOINING:
                operands.append(operand.element)
        if PENDING in operands:
            return PENDING
        tensors = [value for value in operands if value.type == types.TENSOR or value.type is None]
        last = name.rpartition(".")[2]
        on_host = bool(arguments) and arguments[0].type == types.TENSOR and arguments[0].device is Device.HOST
        if on_host and not any(v.type == types.TENSOR and v.device is not Device.HOST for v in tensors):
            return Value(types.TENSOR, Device.HOST, because=f"{last}() of {arguments[0].because}", line=node.lineno)
        if tensors and all(v.type == types.TENSOR and v.device is Device.HOST for v in tensors):
            return Value(types.TENSOR, Device.HOST, because=f"{last}() of {tensors[0].because}", line=node.lineno)
        return Value(types.TENSOR, certainty=Certainty.ASSUMED, because=f"{name}(…)", line=node.lineno)

    # -- methods -----------------------------------------------------------------------------------------

    def _method(
        self, base: Value, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value | None:
        """What a method gives that is no function of the program; None where that is not known."""
        if base.type == types.TENSOR:
            return of_tensor(base, name, node, arguments, keywords)
        if library.is_module(base):
            first = keywords.get("device", arguments[0] if arguments else NOTHING)
            stays = first.constant == "cpu" or (name == "to" and (first == NOTHING or is_dtype(first, node)))
            if name in vocabulary.MOVING_METHODS and not stays and isinstance(node.func, ast.Attribute):
                parameter = self.frame.parameter_of(node.func.value) if isinstance(node.func.value, ast.Name) else ""
                self.frame.events.append(Event(Kind.MOVE, node, base.objects, parameter))
            return of_module(base, name, node)
        if base.type in (types.NUMBER, types.TEXT):
            return Value(base.type, because=f".{name}() of a value", line=node.lineno)
        if name == "item" and not node.args:
            return Value(types.NUMBER, because=".item()", line=node.lineno)
        if name == "numpy" and not node.args:
            return Value(types.OBJECT, because=".numpy()", line=node.lineno)
        if name == "detach" and base == UNKNOWN:  # modules have none
            return Value(types.TENSOR, certainty=Certainty.ASSUMED, because=".detach()", line=node.lineno)
        if base.type == types.OBJECT or (base.type is None and (base.elements or base.element)):
            return self._of_container(base, name, node, arguments)
        return None

    def _of_container(self, base: Value, name: str, node: ast.Call, arguments: Sequence[Value]) -> Value | None:
        place = node.func.value if isinstance(node.func, ast.Attribute) else None
        if name in ("append", "add", "appendleft") and arguments and isinstance(place, ast.Name):
            self.frame.bind(place.id, base._replace(elements=None, element=join(held(base), arguments[0])))
            return NOTHING
        if name in ("pop", "get", "popleft", "values", "setdefault"):
            return Value(types.OBJECT, element=each(base)) if name == "values" else each(base)
        if name == "items":
            return Value(types.OBJECT, element=Value(elements=(UNKNOWN, each(base))))
        return None


def _output(node: ast.Call) -> Value:
    return Value(types.TENSOR, certainty=Certainty.ASSUMED, because="output of a model", line=node.lineno)
