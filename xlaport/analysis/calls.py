"""What calls give: of the program's own functions and classes, by what these return; of a library, by its models."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from xlaport.analysis import arrays, drawing, library, places
from xlaport.analysis import value as types
from xlaport.analysis.applying import TAKING, Applying, is_forward
from xlaport.analysis.arguments import told_apart
from xlaport.analysis.attributes import SIZE, Attributes
from xlaport.analysis.certain import is_detached
from xlaport.analysis.containers import is_open, merged, of_constant, under, with_element
from xlaport.analysis.definitions import Applied, Class, Function, Going, MethodCaller, OfLibrary, Options, partial
from xlaport.analysis.events import Event, Kind, objects_in, objects_of
from xlaport.analysis.frame import Frame
from xlaport.analysis.holding import computed, of_loss
from xlaport.analysis.library_calls import LibraryCalls, given_back
from xlaport.analysis.lookups import Lookups, unsure
from xlaport.analysis.methods import is_dtype, of_module, of_tensor, same_values
from xlaport.analysis.scopes import UNSCALED, addends
from xlaport.analysis.special import Special
from xlaport.analysis.staying import may_stay
from xlaport.analysis.tensors import fetched
from xlaport.analysis.value import (
    NOTHING,
    PENDING,
    UNKNOWN,
    Bound,
    Certainty,
    Device,
    Partial,
    Value,
    each,
    held,
    join,
    joined,
    keyed,
)
from xlaport.facts import fetched as shown_tensors
from xlaport.facts import vocabulary
from xlaport.facts.held import ONE_INTEGER, SCALAR
from xlaport.facts.module import dotted, last_name
from xlaport.facts.options import PARSING
from xlaport.facts.role import A_PARAMETER, OF_PARAMETERS, OF_STATE, OUTPUT

_ADDING = {"append": 1, "add": 1, "appendleft": 1, "put": 1, "put_nowait": 1, "insert": 2}
"""Methods that put something into a container, each with how many arguments it has, the thing last."""
_ADDING_MODULES = frozenset({"append", "extend", "insert", "add_module", "register_module"})

_HOLDING = (types.TENSOR, types.NUMBER)
_OF_MODULES = frozenset({*OF_PARAMETERS, A_PARAMETER, OF_STATE})
"""The evidence of what a module holds."""
BUFFER = "a buffer of a module, which moves with it"


_HOOKED = Value(types.TENSOR, Device.ACCELERATOR, because="what a hook gets of a model")
_GIVEN_TO_HOOKS = {
    "module": Value(types.MODULE, because="what a hook belongs to"),
    "tensors": Value(types.OBJECT, element=_HOOKED, because="what a hook gets of a model"),
    "tensor": _HOOKED,
}


class Calls:
    """Answers for the expressions of one frame."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.applying = Applying(frame)
        self.attributes = Attributes(self.applying)
        self.lookups = Lookups(self.attributes)
        self.library = LibraryCalls(self.applying)
        self.special = Special(self.applying)

    def result(
        self,
        node: ast.Call,
        function: Value,
        receiver: Value | None,
        arguments: Sequence[Value],
        keywords: Mapping[str | None, Value],
    ) -> Value:
        """What a call gives; `receiver` is what a method is looked up in."""
        places.note_options(node, self.frame, receiver or UNKNOWN, keywords)
        found = self._result(node, function, receiver, arguments, keywords)
        return places.of_call(node, self.frame, function, receiver, (arguments, keywords), found)

    def _result(
        self,
        node: ast.Call,
        function: Value,
        receiver: Value | None,
        arguments: Sequence[Value],
        keywords: Mapping[str | None, Value],
    ) -> Value:
        if function is PENDING:
            return PENDING
        if last_name(node.func) in vocabulary.PREPARING:
            self.frame.around.moved |= {value.type for value in arguments if isinstance(value.type, Class)}
        if function.alternatives:
            parts = function.alternatives
            return joined([self.result(node, part, None, arguments, keywords) for part in parts]) or UNKNOWN
        refers = function.refers
        if isinstance(refers, str):
            looked_up = self.lookups.called(refers, node, arguments, keywords)
            return self._of_function(refers, node, arguments, keywords) if looked_up is None else looked_up
        if isinstance(refers, MethodCaller) and arguments:
            method, named = self.attributes.attribute(arguments[0], refers.name, node), dict(refers.keywords)
            if method.refers is not None:
                return self.result(node, method, None, refers.given, named)
            called = self._method(arguments[0], refers.name, node, refers.given, named) or UNKNOWN
            return _holding(called, refers.name, arguments[0], refers.given, named)
        is_kept = isinstance(refers, Bound) and (receiver is None or receiver.type != types.OBJECT)
        if is_kept and isinstance(refers, Bound) and isinstance(refers.definition, OfLibrary):
            return self._method(refers.receiver, refers.definition.name, node, arguments, keywords) or UNKNOWN
        if isinstance(refers, Bound) and isinstance(refers.definition, Function):
            first = [] if "staticmethod" in refers.definition.decorators else [refers.receiver]
            bound_to = self._bound_to(node, refers.receiver) if first else None
            return self.applying.apply(refers.definition, [*first, *arguments], keywords, node, bound_to=bound_to)
        if isinstance(refers, Partial):
            given, own = {**dict(refers.keywords), **keywords}, [*refers.given, *arguments]
            if isinstance(refers.function.refers, str):
                self.applying.hand(refers.function.refers, own, given, node)
            return self.result(node, refers.function, None, own, given)
        if isinstance(refers, Function):
            return self.applying.apply(refers, arguments, keywords, node)
        if isinstance(refers, Class):
            return self.applying.made(refers, arguments, keywords, node)
        if isinstance(refers, Applied):
            context = [UNKNOWN] if refers.has_context else []
            return self.applying.apply(refers.forward, [*context, *arguments], keywords, node)
        hook = vocabulary.MODULE_HOOKS.get(last_name(node.func) or "")
        if hook is not None and arguments:
            self.applying.mapped(arguments[0], [_GIVEN_TO_HOOKS[kind] for kind in hook], node)
            return UNKNOWN
        if receiver is not None and isinstance(node.func, ast.Attribute):
            found = self._method(receiver, node.func.attr, node, arguments, keywords)
            if node.func.attr == "backward" and node.args and receiver.type != types.TENSOR:
                self._note_losses(node.args[0])
            if found is not None:
                changed = _holding(found, node.func.attr, receiver, told_apart(node, arguments), keywords)
                if node.func.attr.endswith("_"):  # it is changed in place
                    self.applying.with_gradient(node.func.value, receiver, changed)
                return changed
        self.applying.lose(node)
        if function.type is None:
            self.frame.note_run(node, arguments)
        if function.is_unknown and isinstance(node.func, ast.Attribute) and node.func.attr in vocabulary.PREPARING:
            self._note_prepared(node, arguments)
            return given_back(arguments)
        return self._called(function, arguments, keywords, node)

    def _of_function(
        self, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value:
        if (special := self.special.builtin(name, arguments, node)) is not None:
            return special
        found, last = self.library.result(name, node, arguments, keywords), name.rpartition(".")[2]
        if found.type == types.MODULE and name.startswith("torch.nn.") and last.endswith("Loss"):
            return found._replace(holds=of_loss(keywords))
        if found.type not in _HOLDING or name in vocabulary.VARIABLES:
            return found
        if name.startswith("torch."):
            own = told_apart(node, arguments)
            found = computed(found, last, own[0] if own else None, own[1:], keywords)
            return drawing.of_tensor(name, found, self.frame.site(node))
        if found.type == types.NUMBER:
            found = drawing.kept(name, node, found, arguments, self.frame.site(node))
        known_so = {"len": ONE_INTEGER, "int": ONE_INTEGER, "round": ONE_INTEGER, "float": SCALAR}.get(last)
        return found._replace(holds=known_so) if known_so is not None and name.startswith("builtins.") else found

    def _note_losses(self, node: ast.expr) -> None:
        """``accelerator.backward(loss)`` says what the loss is."""
        scope = self.frame.function.scope
        for path in addends(node):
            if path.partition(".")[0] in scope.bound and scope.note_loss(path):
                self.frame.around.queue(self.frame.function)

    def _bound_to(self, node: ast.Call, receiver: Value) -> ast.expr | None:
        """The expression of what a method is bound to, where it stands before its name."""
        base = node.func.value if isinstance(node.func, ast.Attribute) else None
        return base if base is not None and self.frame.around.values.get(base) == receiver else None

    def _note_stepped(self, node: ast.Call) -> None:
        """``scaler.step(optimizer)`` says what it steps."""
        path = dotted(node.args[0])
        if path is not None and self.frame.function.scope.note(path, UNSCALED):
            self.frame.around.queue(self.frame.function)

    def _called(
        self, function: Value, arguments: Sequence[Value], keywords: Mapping[str | None, Value], node: ast.Call
    ) -> Value:
        if library.is_module(function) and not is_forward(self.frame.function):
            self.frame.events.append(Event(Kind.RUN, node, objects_of(function)))
        if isinstance(function.type, Class):
            is_module = library.is_module(function)
            for name in ("forward", "__call__") if is_module else ("__call__",):
                method = function.type.method(name)
                if method is not None:
                    given = [function, *arguments]
                    found = self.applying.apply(method, given, keywords, node, bound_to=node.func)
                    return _given_by_model(found, node) if is_module else found
            return _output(node) if is_module else UNKNOWN
        return _of_layer(function, node) if function.type == types.MODULE else UNKNOWN

    # -- methods -----------------------------------------------------------------------------------------

    def _method(
        self, base: Value, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value | None:
        """What a method gives that is no function of the program; None where that is not known."""
        if isinstance(base.refers, Going):
            self.applying.go_on(base, node)
            if name == "send" and arguments:
                self.frame.write(base.refers.function.sent, arguments[0])
            return each(base)
        if base.alternatives:
            each_one = [self._method(part, name, node, arguments, keywords) for part in base.alternatives]
            return joined(each_one) if None not in each_one else None
        if base.type == types.TENSOR:
            if name.endswith("_hook"):
                self.frame.note_marked(node, base)
            elif name not in vocabulary.ASKING_NO_VALUE:
                self.frame.note_used(node, base, *arguments)
            if name == "copy_" and len(node.args) == 1 and base.because in _OF_MODULES:
                given = self.frame.around.values.get(same_values(node.args[0]), UNKNOWN)
                self.frame.note_copied(node, base, given.objects if given.because in _OF_MODULES else frozenset())
            return drawing.read(name, of_tensor(base, name, node, arguments, keywords), base, self.frame.site(node))
        if base.is_unknown and name in PARSING:  # of a parser that nobody sees made
            base = Value(refers=Options(self.frame.function.file))
        if isinstance(base.refers, Options):
            return self.lookups.of_options(base, name, node, arguments)
        if (of_array := arrays.method(base, name, arguments, keywords, node.lineno)) is not None:
            return of_array
        if base.type is None and (placed := self._placed(base, name, node, arguments)) is not None:
            return placed
        if base.type == types.STACK and name == "callback" and arguments:
            self.frame.later.append((partial(arguments[0], arguments[1:], keywords), node))
            return UNKNOWN
        if base.type in (types.ACCELERATOR, types.FABRIC):
            self._note_prepared(node, arguments)
            return library.given_back(base, name, arguments)
        if name == "register_buffer" and isinstance(base.type, Class) and len(arguments) > 1:
            self._note_buffer(base.type, arguments[0], arguments[1])
        if name == "optimizers" and not node.args and library.is_lightning(base):
            own = Value(types.CUTTING_OPTIMIZER, because="an optimizer of a Lightning module", line=node.lineno)
            return own._replace(element=own)
        if name == "step" and base.type in (types.OPTIMIZER, types.CUTTING_OPTIMIZER, types.SCALER):
            self.frame.events.append(Event(Kind.CUT, node))
        if library.is_module(base):
            if name == "apply":
                self.frame.note_run(node, [base])
            state = arguments[0].element if arguments and name == "load_state_dict" else None
            if state is not None and state.because == OF_STATE:
                self.frame.note_copied(node, base, state.objects)
            if base.type == types.MODULE and name in _ADDING_MODULES and arguments:
                self._add_module(base, node, arguments[-1])
            first = keywords.get("device", arguments[0] if arguments else NOTHING)
            stays = first.constant == "cpu" or (name == "to" and (first == NOTHING or is_dtype(first, node)))
            if name in vocabulary.MOVING_METHODS and not stays:
                moved = node.func.value if isinstance(node.func, ast.Attribute) else node
                self.frame.note_moved(node, moved, objects_of(base))
                if isinstance(base.type, Class):
                    self.frame.around.moved.add(base.type)
            return of_module(base, name, node)
        if base.type in (types.NUMBER, types.TEXT):
            kind = "number" if base.type == types.NUMBER else "text"
            return Value(base.type, because=f".{name}() of a {kind}", line=node.lineno)
        if base.type == types.SCALER and name == "step" and len(node.args) == 1:
            self._note_stepped(node)
        if base.type == types.DEVICE_LOADER:  # an iterator of its own for each device
            return base._replace(because=f".{name}() of {base.because}")
        if name == "submit" and arguments and base.type is None:  # of an executor
            return Value(types.OBJECT, element=self.applying.mapped(arguments[0], arguments[1:], node, keywords))
        if name == "item" and not node.args:
            return Value(types.NUMBER, because=".item()", line=node.lineno)
        if name == "numpy" and not node.args:
            return Value(types.OBJECT, because=".numpy()", line=node.lineno)
        if name == "size" and base.is_unknown and len(arguments) < 2:
            return SIZE if arguments else Value(element=SIZE)
        if name == "detach" and base.is_unknown:  # modules have none
            return Value(types.TENSOR, certainty=Certainty.ASSUMED, because=".detach()", line=node.lineno)
        if base.type == types.OBJECT and name in vocabulary.DISTRIBUTION_USES:
            drawn = each(base)
            return drawn._replace(because=f".{name}() of a distribution of {drawn.because}") if drawn.type else drawn
        if base.type == types.OBJECT or (base.type is None and (base.elements or base.element)):
            return self._of_container(base, name, node, arguments, keywords)
        return None

    def _note_prepared(self, node: ast.Call, arguments: Sequence[Value]) -> None:
        """Modules that a library moves, whose optimizers it has follow."""
        for place, value in enumerate(arguments):
            source = self.frame.parameter_of(node.args[place]) if place < len(node.args) else ""
            self.frame.events.append(Event(Kind.PREPARE, node, objects_in(value), source))

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
            may = value.device is Device.HOST and may_stay(kind)
            stays = self.frame.around.stays(kind, self.frame.function) if may else False
            because = "a buffer of a module whose parts move, and not it" if stays else BUFFER
            place = Device.HOST if stays else Device.ACCELERATOR
            buffer = Value(types.TENSOR, place, holds=value.holds, detached=is_detached(value), because=because)
            self.frame.write(kind.attribute(name.constant), buffer if stays is not None else PENDING)

    def _of_container(
        self, base: Value, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value | None:
        if isinstance(node.func, ast.Attribute) and len(arguments) == _ADDING.get(name):
            self.applying.grow(node.func.value, with_element(base, self.frame.kept(arguments[-1], node)))
            return NOTHING
        if isinstance(node.func, ast.Attribute) and name == "update":
            added = [*arguments, keyed(UNKNOWN, keywords)] if None not in keywords else [UNKNOWN]
            for other in added:
                base = merged(base, other)
            self.applying.grow(node.func.value, base)
            return NOTHING
        base = self.frame.filled(base)
        if name in ("copy", "clone"):
            return base
        if name in ("pop", "get", "setdefault") and arguments:
            field = under(base, arguments[0].constant)
            if field is not None:
                return field if name == "pop" or len(arguments) == 1 else join(field, arguments[1]) or field
            if name == "setdefault" and len(arguments) == 2:
                return join(held(base), arguments[1]) or UNKNOWN
        if name in TAKING or name == "values":
            return Value(types.OBJECT, element=each(base)) if name == "values" else unsure(each(base))
        if name == "items" and base.keys and base.elements and not is_open(base):
            pairs = zip(map(of_constant, base.keys), base.elements, strict=True)
            return Value(types.OBJECT, elements=tuple(Value(elements=pair) for pair in pairs))
        if name == "items":
            return Value(types.OBJECT, element=Value(elements=(UNKNOWN, each(base))))
        return None

    def _add_module(self, base: Value, node: ast.Call, added: Value) -> None:
        """Note what a row of modules gets, by one of the `_ADDING_MODULES`."""
        given = self.applying.gone_through(added) if added.type != types.MODULE and held(added) else added
        self.frame.hold_value(base.objects, given)
        if isinstance(node.func, ast.Attribute):
            grown = base._replace(elements=None, keys=None, element=join(held(base), given))
            self.applying.grow(node.func.value, grown)


def _holding(
    found: Value, name: str, receiver: Value, given: Sequence[Value], keywords: Mapping[str | None, Value]
) -> Value:
    """What a method gives, with what that holds."""
    is_computed = found.type in _HOLDING and receiver.type in (None, types.TENSOR)
    return computed(found, name, receiver, given, keywords) if is_computed else found


def _output(node: ast.Call) -> Value:
    return Value(types.TENSOR, Device.ACCELERATOR, certainty=Certainty.ASSUMED, because=OUTPUT, line=node.lineno)


def _of_layer(layer: Value, node: ast.Call) -> Value:
    """What a library's module gives: recurrent layers and those with attention give something beside that."""
    name = layer.because.removeprefix("torch.nn.")
    is_one = name != layer.because and not name.startswith(vocabulary.LAYERS_OF_SEVERAL)
    certainty = Certainty.PROVEN if is_one else Certainty.ASSUMED
    return _output(node)._replace(holds=layer.holds, certainty=certainty)


def _given_by_model(found: Value, node: ast.Call) -> Value:
    """What a model gives, by what its `forward()` returns: a tensor, where nothing else is known."""
    if found is PENDING:
        return PENDING
    if found.is_unknown or found.type == types.TENSOR:
        certainty = found.certainty if found.type == types.TENSOR else Certainty.ASSUMED
        output = _output(node)._replace(objects=found.objects, holds=found.holds, certainty=certainty)
        return output._replace(detached=found.detached)
    if found.type == types.ARRAY:
        return Value(types.OBJECT, because="an array that a model gives", line=node.lineno)
    if found.elements is not None:
        parts = (_output(node) if part.is_unknown else _of_model(part) for part in found.elements)
        return found._replace(elements=tuple(parts), because=OUTPUT, line=node.lineno)
    if found.element is not None and found.element.is_unknown:
        found = found._replace(element=_output(node))
    return _of_model(found)


def _of_model(value: Value) -> Value:
    """A part of what a model gives, of which more is known than that."""
    return value._replace(because=f"{OUTPUT}, {value.because}") if value.because and value is not PENDING else value
