"""What calls give: of the program's own functions and classes, by what these return; of a library, by its models."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from xlaport.analysis import library
from xlaport.analysis import value as types
from xlaport.analysis.definitions import Applied, Class, Function, Super, defaults, parameters
from xlaport.analysis.events import Event, Kind, objects_in
from xlaport.analysis.frame import Frame
from xlaport.analysis.methods import is_dtype, of_module, of_tensor
from xlaport.analysis.operators import met
from xlaport.analysis.scopes import UNSCALED, dotted
from xlaport.analysis.tensors import JOINING, computed, fetched, made, operands_of, shows_host
from xlaport.analysis.value import (
    A_LIST,
    NOTHING,
    PENDING,
    UNKNOWN,
    Bound,
    Certainty,
    Device,
    Site,
    Value,
    each,
    joined,
    with_element,
)
from xlaport.facts import fetched as shown_tensors
from xlaport.facts import known, vocabulary
from xlaport.facts.role import OUTPUT

BUFFER = "a buffer of a module, which moves with it"
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
        if function.alternatives:
            parts = function.alternatives
            return joined([self.result(node, part, None, arguments, keywords) for part in parts]) or UNKNOWN
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
        if isinstance(refers, Applied):
            return self.apply(
                refers.forward, [UNKNOWN, *arguments] if refers.has_context else arguments, keywords, node
            )
        if receiver is not None and isinstance(node.func, ast.Attribute):
            found = self._method(receiver, node.func.attr, node, arguments, keywords)
            if found is not None:
                return found
        self._lose(node)
        if function == UNKNOWN and isinstance(node.func, ast.Attribute) and node.func.attr in vocabulary.PREPARING:
            return _given_back(arguments)
        return self._called(function, arguments, keywords, node)

    def gone_through(self, value: Value) -> Value:
        """What a loop gets of a value."""
        if value.type == types.LOADER:
            return Value(types.TENSOR, Device.HOST, because="part of a loader's batch", line=value.line)
        if value.type == types.DEVICE_LOADER:
            return Value(types.TENSOR, Device.ACCELERATOR, because="part of a device loader's batch", line=value.line)
        if value.type == types.TENSOR:
            return value
        if value.alternatives:
            return joined(map(self.gone_through, value.alternatives)) or UNKNOWN
        if isinstance(value.type, Class):
            method = value.type.method("__iter__")
            if method is not None:
                return each(self.apply(method, [value], {}, None))
        return each(value)

    def apply(
        self, function: Function, arguments: Sequence[Value], keywords: Mapping[str | None, Value], node: ast.AST | None
    ) -> Value:
        """Call a function of the program: hand it what it gets, and take what it has returned so far."""
        if isinstance(node, ast.Call):
            self._lose(node)
        self.frame.forget_attributes()
        passed = list(self._passed(function, arguments, keywords, node))
        if not self.frame.around.is_trial(self.frame.function, function):
            is_model = is_forward(function) and not _is_of_module(self.frame.function)
            for name, value, _ in passed:
                self.frame.write(function.parameter(name), _on_device(value) if is_model else value)
            self.frame.around.called(function)
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
                if not self._is_own_rest(source.value):
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
                written_so = (k.value for k in node.keywords if k.arg is None) if isinstance(node, ast.Call) else ()
                if not all(map(self._is_own_rest, written_so)):
                    yield from ((name, UNKNOWN, "") for name in open_ if name not in keywords)
            elif keyword in open_:
                yield keyword, value, ""
                open_.remove(keyword)
            elif given.kwarg is not None:
                yield given.kwarg.arg, Value(types.OBJECT, element=value), ""
        if None not in keywords:
            for name, default in defaults(given).items():
                if name in open_:
                    yield name, self.frame.around.value_at(default) or UNKNOWN, ""

    def _is_own_rest(self, node: ast.expr) -> bool:
        """Whether a function hands on what it got by ``*args`` or ``**kwargs``, of which nothing is known."""
        given = getattr(self.frame.function.node, "args", None)
        if not isinstance(node, ast.Name) or not isinstance(given, ast.arguments):
            return False
        value = self.frame.variables.get(node.id)
        is_rest = any(rest is not None and rest.arg == node.id for rest in (given.vararg, given.kwarg))
        return is_rest and (value is None or value.element is None)

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

    def _lose(self, node: ast.Call) -> None:
        """Lists that are handed to a function which may put something into them: nobody knows what they hold."""
        for argument in node.args:
            if isinstance(argument, ast.Name):
                value = self.frame.variables.get(argument.id)
                if value is not None and value.because == A_LIST:
                    self.frame.bind(argument.id, value._replace(elements=None, element=UNKNOWN))

    def _note_stepped(self, node: ast.Call) -> None:
        """``scaler.step(optimizer)`` says what it steps."""
        path = dotted(node.args[0])
        if path is not None and self.frame.function.scope.note(path, UNSCALED):
            self.frame.around.queue(self.frame.function)

    def _called(
        self, function: Value, arguments: Sequence[Value], keywords: Mapping[str | None, Value], node: ast.Call
    ) -> Value:
        if isinstance(function.type, Class):
            is_module = library.is_module(function)
            for name in ("forward", "__call__") if is_module else ("__call__",):
                method = function.type.method(name)
                if method is not None:
                    found = self.apply(method, [function, *arguments], keywords, node)
                    return _given_by_model(found, node) if is_module else found
            return _output(node) if is_module else UNKNOWN
        return _output(node) if function.type == types.MODULE else UNKNOWN

    # -- libraries ---------------------------------------------------------------------------------------

    def _of_library(
        self, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value:
        if name == "builtins.super":
            return self._super()
        further = self.frame.around.further.get(name)
        if further is not None:
            return library.value_of(further, f"{name.rpartition('.')[2]}(…)", node.lineno)
        if name in vocabulary.OPTION_READERS and arguments and isinstance(arguments[0].refers, Class):
            return self._made(arguments[0].refers, [], {}, node)
        if name == "torch.device" and arguments:
            chosen = arguments[0]
            because = f"{name}(…)"
            return Value(types.DEVICE, chosen.device, constant=chosen.constant, because=because, line=node.lineno)
        if name in _CONTAINERS and arguments:
            return Value(types.OBJECT, element=self.gone_through(arguments[0]), because=f"{name}(…)", line=node.lineno)
        if name in vocabulary.COUNTERS:
            return Value(types.OBJECT, element=Value(types.NUMBER, because="counts a range"))
        if arguments and arguments[0] != UNKNOWN and name in vocabulary.MODULE_WRAPPERS | vocabulary.VARIABLES:
            copied = name in vocabulary.MODULE_COPIES and arguments[0] is not PENDING
            return arguments[0]._replace(objects=self.frame.site(node)) if copied else arguments[0]
        if name.startswith("torch.distributions."):
            given = [value for value in (*arguments, *keywords.values()) if value.type == types.TENSOR]
            return Value(types.OBJECT, element=met(given, node.lineno), because=f"{name}(…)", line=node.lineno)
        found = library.returned(name)
        if found is not None:
            self._note_made(found, node, arguments)
            return found._replace(objects=self.frame.site(node), line=node.lineno)
        if name.startswith("torch.cuda.") and name.endswith("Tensor"):
            return Value(None, Device.ACCELERATOR, because=f"{name}(…)", line=node.lineno)
        if name.startswith("numpy."):
            return Value(types.ARRAY, because=f"{name}(…)", line=node.lineno)
        if known.makes_tensor(name):
            return self._from_numbers(name, node, keywords)
        if arguments:
            handed = self._handed_on(name, arguments, keywords)
            if handed is not None:
                return handed
        if known.computes_tensor(name):
            return self._computed(name, node, arguments, keywords)
        return _given_back(arguments) if name.rpartition(".")[2] in vocabulary.PREPARING else UNKNOWN

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
        if name == "builtins.map" and len(arguments) > 1:
            return Value(element=self._mapped(first, [self.gone_through(argument) for argument in arguments[1:]]))
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
        given = next((k.value for k in node.keywords if k.arg == "device"), None)
        device, out = keywords.get("device"), keywords.get("out")
        if device == UNKNOWN and isinstance(given, ast.Attribute) and isinstance(given.value, ast.Name):
            device = Value(types.DEVICE, Device.EITHER)  # nobody knows where a name lies of which nothing is known
        is_default = self.frame.is_on_default_device()
        found = made(name, node, device, is_default, out)
        return found if found is PENDING else found._replace(objects=self.frame.site(node))

    def _mapped(self, function: Value, given: Sequence[Value]) -> Value:
        """What a function gives that is called without being written so."""
        refers = function.refers
        if isinstance(refers, Bound) and isinstance(refers.definition, Function):
            return self.apply(refers.definition, [refers.receiver, *given], {}, None)
        return self.apply(refers, given, {}, None) if isinstance(refers, Function) else UNKNOWN

    def _computed(
        self, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value:
        others = [value for keyword, value in keywords.items() if keyword != "device"]
        in_model = self.frame.function.name == "forward"
        if name in JOINING and node.args:
            arguments = [self._told_apart(node.args[0], arguments[0]), *arguments[1:]]
            self._note_joined(operands_of(arguments, is_joining=True))
        found = computed(name, node, arguments, others, keywords.get("device"), in_model)
        if found is PENDING or found.device is not Device.UNKNOWN:
            return found
        site = self.frame.site(node)
        place = Device.HOST if site <= self.frame.around.of_host else Device.UNKNOWN
        return found._replace(objects=site, device=place)

    def _told_apart(self, node: ast.expr, value: Value) -> Value:
        """A display with its parts, though one of them be starred."""
        if not isinstance(node, ast.List | ast.Tuple):
            return value
        values = self.frame.around.values
        parts = (each(values[part.value]) if isinstance(part, ast.Starred) else values[part] for part in node.elts)
        return value._replace(elements=tuple(parts), element=None)

    def _note_joined(self, operands: Sequence[Value]) -> None:
        """All that is joined lies on one device: on the host, where one of them shows it."""
        if any(map(shows_host, operands)):
            known = self.frame.around.of_host
            new = {
                s for o in operands if o.type == types.TENSOR and o.device is Device.UNKNOWN for s in o.objects
            } - known
            if new:
                known |= new
                self.frame.around.queue(self.frame.function)

    # -- methods -----------------------------------------------------------------------------------------

    def _method(
        self, base: Value, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value | None:
        """What a method gives that is no function of the program; None where that is not known."""
        if base.type == types.TENSOR:
            return of_tensor(base, name, node, arguments, keywords)
        if base.type is None and (placed := self._placed(base, name, node, arguments)) is not None:
            return placed
        if base.type in (types.ACCELERATOR, types.FABRIC):
            return library.given_back(base, name, arguments)
        if name == "register_buffer" and isinstance(base.type, Class) and len(arguments) > 1:
            self._note_buffer(base.type, arguments[0], arguments[1])
        if library.is_module(base):
            first = keywords.get("device", arguments[0] if arguments else NOTHING)
            stays = first.constant == "cpu" or (name == "to" and (first == NOTHING or is_dtype(first, node)))
            if name in vocabulary.MOVING_METHODS and not stays and isinstance(node.func, ast.Attribute):
                parameter = self.frame.parameter_of(node.func.value) if isinstance(node.func.value, ast.Name) else ""
                self.frame.events.append(Event(Kind.MOVE, node, base.objects, parameter))
            return of_module(base, name, node)
        if base.type in (types.NUMBER, types.TEXT):
            kind = "number" if base.type == types.NUMBER else "text"
            return Value(base.type, because=f".{name}() of a {kind}", line=node.lineno)
        if base.type == types.SCALER and name == "step" and len(node.args) == 1:
            self._note_stepped(node)
        if base.type == types.DEVICE_LOADER:  # an iterator of its own for each device
            return base._replace(because=f".{name}() of {base.because}")
        if name == "item" and not node.args:
            return Value(types.NUMBER, because=".item()", line=node.lineno)
        if name == "numpy" and not node.args:
            return Value(types.OBJECT, because=".numpy()", line=node.lineno)
        if name == "detach" and base == UNKNOWN:  # modules have none
            return Value(types.TENSOR, certainty=Certainty.ASSUMED, because=".detach()", line=node.lineno)
        if base.type == types.OBJECT and name in vocabulary.DISTRIBUTION_USES:
            drawn = each(base)
            return drawn._replace(because=f".{name}() of a distribution of {drawn.because}") if drawn.type else drawn
        if base.type == types.OBJECT or (base.type is None and (base.elements or base.element)):
            return self._of_container(base, name, node, arguments)
        return None

    def _placed(self, base: Value, name: str, node: ast.Call, arguments: Sequence[Value]) -> Value | None:
        """What methods give that move something unknown: tensors, where all that is done with it shows that."""
        facts = self.frame.around.facts(self.frame.function.file)
        if facts is None or base.alternatives or not isinstance(node.func, ast.Attribute):
            return None
        if name == "cpu":
            is_tensor = shown_tensors.is_tensor(facts.module, facts.names, node)
            return fetched(Value(types.TENSOR) if is_tensor else base, node)
        is_moved = name == "cuda" or (name == "to" and bool(arguments) and arguments[0].type == types.DEVICE)
        if is_moved and shown_tensors.is_of_tensors(facts.names, node.func.value):
            return of_tensor(Value(types.TENSOR), name, node, arguments, {})
        return None

    def _note_buffer(self, kind: Class, name: Value, value: Value) -> None:
        if isinstance(name.constant, str) and value.type != types.NONE:
            stays = value.device is Device.HOST and self.frame.around.stays(kind)
            because = "a buffer of a module whose parts move, and not it" if stays else BUFFER
            device = Device.HOST if stays else Device.ACCELERATOR
            self.frame.write(kind.attribute(name.constant), Value(types.TENSOR, device, because=because))

    def _of_container(self, base: Value, name: str, node: ast.Call, arguments: Sequence[Value]) -> Value | None:
        place = node.func.value if isinstance(node.func, ast.Attribute) else None
        if name in ("append", "add", "appendleft") and arguments and isinstance(place, ast.Name):
            self.frame.bind(place.id, with_element(base, arguments[0]))
            return NOTHING
        if name == "insert" and len(arguments) == 2 and isinstance(place, ast.Name):
            self.frame.bind(place.id, with_element(base, arguments[1]))
            return NOTHING
        if name in ("pop", "get", "popleft", "values", "setdefault"):
            return Value(types.OBJECT, element=each(base)) if name == "values" else each(base)
        if name == "items":
            return Value(types.OBJECT, element=Value(elements=(UNKNOWN, each(base))))
        return None


def _given_back(arguments: Sequence[Value]) -> Value:
    """What a function gives that prepares what it is given: that again, in the same order."""
    return arguments[0] if len(arguments) == 1 else Value(elements=tuple(arguments))


def _is_of_module(function: Function) -> bool:
    """Whether a function is a method of a module."""
    return function.owner is not None and library.is_module(Value(function.owner))


def is_forward(function: Function) -> bool:
    """Whether a function is the ``forward()`` of a module."""
    return function.name == "forward" and _is_of_module(function)


def _on_device(value: Value) -> Value:
    """What a model gets: of the device, though somebody tries it out with a tensor of the host."""
    if value.type == types.TENSOR and value.device is Device.HOST:
        return value._replace(device=Device.ACCELERATOR, because="parameter of forward()")
    return value


def _output(node: ast.Call) -> Value:
    return Value(types.TENSOR, Device.ACCELERATOR, certainty=Certainty.ASSUMED, because=OUTPUT, line=node.lineno)


def _given_by_model(found: Value, node: ast.Call) -> Value:
    """What a model gives, by what its `forward()` returns: a tensor, where nothing else is known."""
    if found is PENDING:
        return PENDING
    if found == UNKNOWN or found.type == types.TENSOR:
        return _output(node)._replace(objects=found.objects)
    if found.type == types.ARRAY:
        return Value(types.OBJECT, because="an array that a model gives", line=node.lineno)
    if found.elements is not None:
        parts = (_output(node) if part == UNKNOWN else _of_model(part) for part in found.elements)
        return found._replace(elements=tuple(parts), because=OUTPUT, line=node.lineno)
    return _of_model(found)


def _of_model(value: Value) -> Value:
    """A part of what a model gives, of which more is known than that."""
    return value._replace(because=f"{OUTPUT}, {value.because}") if value.because and value is not PENDING else value
