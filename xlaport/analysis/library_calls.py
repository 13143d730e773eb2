"""What calls of libraries' functions give that depends on what these are given."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence

from xlaport.analysis import arrays, drawing, library, passing
from xlaport.analysis import value as types
from xlaport.analysis.applying import ROWS, Applying
from xlaport.analysis.attributes import MAKING
from xlaport.analysis.batches import taken_out
from xlaport.analysis.containers import merged, of_pairs
from xlaport.analysis.definitions import Class, Function, Going, Super, parameters, partial
from xlaport.analysis.events import Event, Given, Kind, objects_in, objects_of
from xlaport.analysis.operators import met
from xlaport.analysis.tensors import JOINING, computed, made, operands_of, shows_host
from xlaport.analysis.value import (
    A_LIST,
    A_NAMED_TUPLE,
    MOST_OBJECTS,
    PENDING,
    UNKNOWN,
    Bound,
    Device,
    Partial,
    Site,
    Turn,
    Value,
    each,
    held,
    joined,
    keyed,
)
from xlaport.facts import known, vocabulary
from xlaport.facts.role import Role

_AGGREGATES = frozenset({"builtins.sum", "builtins.abs", "builtins.max", "builtins.min"})
_CHOOSING = frozenset({"builtins.max", "builtins.min", "builtins.sorted"})
_CONTAINERS = frozenset(
    {
        "collections.deque",
        "builtins.list",
        "builtins.tuple",
        "builtins.set",
        "builtins.sorted",
        "builtins.reversed",
        "builtins.frozenset",
    }
)
_FIELDS = frozenset({"builtins.dict", "collections.OrderedDict", "types.SimpleNamespace", "argparse.Namespace"})
_WRAPPERS = frozenset(
    "EasyDict edict AttrDict AttributeDict Munch munchify Box DictConfig ConfigDict ConfigNode CfgNode".split()
)
"""Classes of other libraries whose objects have the items of a dict, or what they are made with, as attributes."""
_LAYERED = "collections.ChainMap"
"""Of several dicts, the first has the word."""
_OF_NAMED_TUPLE = "collections.namedtuple(…)"
"""Stands for the class that it makes, and gets the names of its fields first."""
_GROWING = (JOINING - {"torch.stack"}) | {
    "torch.dstack", "torch.row_stack", "torch.column_stack", "torch.nn.functional.pad",
}  # fmt: skip
"""Functions of tensors that give a larger one."""
_NOT_RUNNING = sys.stdlib_module_names | {"torch", "builtins", "transformers", "accelerate"}
"""Libraries whose functions do not run a module that they get."""
_COPYING = vocabulary.MODULE_WRAPPERS | vocabulary.VARIABLES


class LibraryCalls:
    """Answers for one frame."""

    def __init__(self, applying: Applying) -> None:
        self.applying = applying
        self.frame = applying.frame

    def result(
        self, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value:
        """What a call of a library's function gives, by its qualified name."""
        if name.partition(".")[0] not in _NOT_RUNNING:
            self.frame.note_run(node, arguments)
        if name == "builtins.super":
            return self._super()
        further = self.frame.around.further.get(name)
        if further is not None:
            made_of = objects_of(arguments[0]) if arguments and further is Role.DEVICE_LOADER else frozenset[Site]()
            return library.value_of(further, f"{name.rpartition('.')[2]}(…)", node.lineno)._replace(objects=made_of)
        if name == "collections.namedtuple" and len(arguments) > 1:
            return partial(Value(refers=_OF_NAMED_TUPLE), [arguments[1]], {})
        if name == _OF_NAMED_TUPLE:
            return _named_tuple(arguments[0], arguments[1:], keywords, node)
        if name in vocabulary.OPTION_READERS and arguments and isinstance(arguments[0].refers, Class):
            return self.applying.made(arguments[0].refers, [], {}, node)
        if name == MAKING and arguments and isinstance(arguments[0].refers, Class):
            return Value(arguments[0].refers, objects=self.frame.site(node), because="made anew", line=node.lineno)
        if name in ("builtins.staticmethod", "contextlib.closing") and arguments:
            return arguments[0]
        if name == "builtins.type" and len(arguments) == 1 and isinstance(arguments[0].type, Class):
            return Value(refers=arguments[0].type)
        if name == "torch.device" and arguments:
            chosen = arguments[0]
            because = f"{name}(…)"
            return Value(types.DEVICE, chosen.device, constant=chosen.constant, because=because, line=node.lineno)
        if name == "dataclasses.replace" and arguments and isinstance(arguments[0].type, Class):
            for field, value in keywords.items():
                self.frame.write(arguments[0].type.attribute(field), value) if field is not None else None
            return arguments[0]._replace(objects=self.frame.site(node))
        is_dict = (name in _FIELDS or name.rpartition(".")[2] in _WRAPPERS) and len(arguments) < 2
        if (is_dict and None not in keywords) or name == _LAYERED:
            fields = Value(types.OBJECT, elements=(), because=f"{name}(…)", line=node.lineno)
            if not arguments and not keywords:
                return fields._replace(objects=self.frame.site(node))
            for other in (*map(of_pairs, reversed(arguments)), keyed(UNKNOWN, keywords)):
                fields = merged(fields, other)
            return fields
        if (name in ("collections.deque", "builtins.list") and not arguments) or name in vocabulary.QUEUES:
            made_here = self.frame.site(node)
            return Value(types.OBJECT, elements=(), objects=made_here, because=A_LIST, line=node.lineno)
        if name == "collections.defaultdict" and len(arguments) == 1:
            refers = arguments[0].refers
            made = self.result(refers, node, [], {}) if isinstance(refers, str) else UNKNOWN
            return Value(types.OBJECT, elements=(), element=made, because=f"{name}(…)", line=node.lineno)
        if name == "builtins.iter" and len(arguments) == 2:
            return Value(element=self.applying.mapped(arguments[0], [], node))
        if name in _CHOOSING and (keyed_by := keywords.get("key")) is not None:
            row = self.applying.gone_through(arguments[0]) if len(arguments) == 1 else joined(arguments)
            self.frame.around.compared[node] = self.applying.mapped(keyed_by, [row or UNKNOWN], node)
        place = vocabulary.RUN_LATER.get(name)
        if place is not None and len(arguments) > place:
            self.frame.later.append((partial(arguments[place], arguments[place + 1 :], keywords), node))
            return UNKNOWN
        if name in vocabulary.SPAWNING:
            function, passed = _spawned(arguments, keywords)
            number = Value(types.NUMBER, because="the number of a process")
            given = [*[number] * vocabulary.SPAWNING[name], *passed]
            self.applying.mapped(function, given, node if name in vocabulary.THREADS else None)
            return UNKNOWN
        if name in vocabulary.BARRIERS:
            self.frame.events.append(Event(Kind.CUT, node))
        if name in _CONTAINERS and arguments:
            source = node.args[0] if node.args else None
            held_so = self.frame.kept(self.applying.gone_through(arguments[0], at=node), node, source)
            return Value(types.OBJECT, element=held_so, because=f"{name}(…)", line=node.lineno)
        if name in vocabulary.COUNTERS:
            bounds = arguments if name != "itertools.count" else ()
            return Value(types.OBJECT, element=passing.counter(passing.at(self.frame, node), bounds))
        if arguments and not arguments[0].is_unknown and name in _COPYING:
            copied = name in vocabulary.MODULE_COPIES and arguments[0] is not PENDING
            return arguments[0]._replace(objects=self.frame.site(node)) if copied else arguments[0]
        if name.startswith("torch.distributions."):
            given = [value for value in (*arguments, *keywords.values()) if value.type == types.TENSOR]
            return Value(types.OBJECT, element=met(given, node.lineno), because=f"{name}(…)", line=node.lineno)
        found = library.returned(name)
        if name.startswith("torch.") and (found is None or found.type != types.OPTIMIZER):
            self.frame.note_used(node, *arguments)
        if found is not None:
            self._note_made(found, node, arguments)
            if found.type == types.MODULE:
                row = self._row(name, node, arguments)
                found = found._replace(elements=row.elements, keys=row.keys, element=row.element)
            if found.type != types.LOADER:
                return found._replace(objects=self.frame.site(node), line=node.lineno)
            if "collate_fn" in keywords:
                self.applying.mapped(keywords["collate_fn"], [UNKNOWN], None)  # by its workers
            site = self.frame.site_of_loader(node)
            self.frame.around.given[site] = Given(tuple(arguments), dict(keywords))
            return found._replace(objects=frozenset({site}), line=node.lineno)
        if name.startswith("torch.cuda.") and name.endswith("Tensor"):
            return Value(None, Device.ACCELERATOR, because=f"{name}(…)", line=node.lineno)
        if name in ("numpy.arange", "numpy.linspace"):
            element = passing.counter(passing.at(self.frame, node), [])
            return arrays.made(name, arguments, keywords, node.lineno)._replace(element=element)
        if (drawn := drawing.drawn(name, arguments, keywords, self.frame.site(node))) is not None:
            return drawn._replace(line=node.lineno)
        if name.startswith("math."):
            return Value(types.NUMBER, because=f"{name}(…)", line=node.lineno, turns=passing.of_any(arguments))
        if name.startswith("numpy."):
            of_numbers = all(value.type == types.NUMBER for value in arguments)
            turns = passing.of_any(arguments) if of_numbers else frozenset[Turn]()
            return arrays.made(name, arguments, keywords, node.lineno)._replace(turns=turns)
        if known.makes_tensor(name):
            found = self._from_numbers(name, node, keywords)
            return found if found is PENDING else found._replace(wide=arrays.of_array(name, arguments, keywords))
        if name.startswith(vocabulary.DATA_COLLATORS):
            return Value(types.OBJECT, objects=self.frame.site(node), because=f"{name}(…)", line=node.lineno)
        if arguments:
            handed = self._handed_on(name, node, arguments, keywords)
            if handed is not None:
                return handed
        if known.computes_tensor(name):
            return self._computed(name, node, arguments, keywords)
        return given_back(arguments) if name.rpartition(".")[2] in vocabulary.PREPARING else UNKNOWN

    def _note_made(self, made: Value, node: ast.Call, arguments: Sequence[Value]) -> None:
        """A module has those for parts that it is given; an optimizer takes the parameters that it is given."""
        if made.type == types.MODULE:
            is_row = made.because.endswith(ROWS)
            for place, argument in enumerate(arguments):
                if not is_row:
                    name = self.frame.parameter_of(node.args[place]) if place < len(node.args) else ""
                    self.frame.hold(self.frame.site(node), objects_in(argument) or self.frame.parameter_site(name))
                    continue
                for held_so in (argument,) if argument.elements is None else argument.elements:
                    self.frame.hold_value(self.frame.site(node), held_so)
        elif made.type == types.OPTIMIZER:
            self.frame.note_taken(node)

    def _row(self, name: str, node: ast.Call, arguments: Sequence[Value]) -> Value:
        """The modules of ``nn.ModuleList([…])``, ``nn.ModuleDict({…})``, ``nn.Sequential(…)``; of others, nothing."""
        first = arguments[0] if len(arguments) == 1 else UNKNOWN
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            return UNKNOWN
        if name == "torch.nn.ModuleDict":
            return of_pairs(first) if arguments else Value(elements=())
        if name == "torch.nn.ModuleList" or (name == "torch.nn.Sequential" and first.type == types.OBJECT):
            return first._replace(elements=first.elements if not first.keys else None, keys=None, element=held(first))
        if name != "torch.nn.Sequential":
            return UNKNOWN
        is_short = len(arguments) <= MOST_OBJECTS
        return Value(elements=tuple(arguments)) if is_short else Value(element=joined(arguments))

    def _super(self) -> Value:
        here = self.frame.function
        while here.owner is None and here.enclosing is not None:
            here = here.enclosing
        given = getattr(here.node, "args", None)
        if here.owner is None or not isinstance(given, ast.arguments):
            return UNKNOWN
        first = next((parameter.arg for parameter in parameters(given)), "")
        return Value(refers=Super(here.owner, self.frame.look_up(first)))

    def _handed_on(
        self, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value | None:
        """What functions give that hand on what they get, or its parts."""
        first, gone_through = arguments[0], self.applying.gone_through
        going = next((found for found in map(self.applying.goes_on, arguments) if found is not None), None)
        if name == "builtins.next":
            return taken_out(passing.taken(gone_through(first, at=node), passing.at(self.frame, node)))
        if name == "builtins.map" and len(arguments) > 1:
            function, given = _function_of(first), [gone_through(part) for part in arguments[1:]]
            going = Going(function) if function is not None else None
            return Value(refers=going, element=self.applying.mapped(first, given, node))
        if name == "builtins.enumerate":
            number = Value(types.NUMBER, because="counts by enumerate", turns=passing.at(self.frame, node))
            pair = (number, gone_through(first))
            return Value(types.OBJECT, refers=going, element=Value(elements=pair))
        if name == "itertools.tee":
            count = arguments[1].constant if len(arguments) > 1 else 2
            each_one = Value(refers=going, element=gone_through(first))
            return Value(elements=(each_one,) * count) if isinstance(count, int) else Value(element=each_one)
        if name in ("itertools.cycle", "numpy.flip"):
            return Value(refers=going, element=gone_through(first))
        if name == "builtins.filter" and len(arguments) == 2:
            return Value(types.OBJECT, refers=going, element=gone_through(arguments[1]))
        if name == "itertools.chain":
            return Value(types.OBJECT, refers=going, element=joined(map(gone_through, arguments)))
        if name == "builtins.zip":
            return Value(types.OBJECT, refers=going, element=Value(elements=tuple(map(gone_through, arguments))))
        if name in vocabulary.PASSING_WRAPPERS:
            is_loader = first.type in (types.LOADER, types.DEVICE_LOADER)
            return first if is_loader or first is PENDING else Value(refers=going, element=gone_through(first))
        if name in _AGGREGATES:
            values = [gone_through(first, at=node)] if len(arguments) == 1 and first.type != types.TENSOR else arguments
            return met(values, 0)
        if name == "functools.partial":
            if isinstance(first.refers, str):
                self.applying.hand(first.refers, arguments[1:], keywords, node)
            return partial(first, arguments[1:], keywords)
        return None

    def _from_numbers(self, name: str, node: ast.Call, keywords: Mapping[str | None, Value]) -> Value:
        given = next((k.value for k in node.keywords if k.arg == "device"), None)
        device, out = keywords.get("device"), keywords.get("out")
        is_of_name = isinstance(given, ast.Attribute) and isinstance(given.value, ast.Name)
        if device is not None and device.is_unknown and is_of_name:
            device = Value(types.DEVICE, Device.EITHER)  # nobody knows where a name lies of which nothing is known
        is_default = self.frame.is_on_default_device()
        found = made(name, node, device, is_default, out)
        return found if found is PENDING else found._replace(objects=self.frame.site(node))

    def _computed(
        self, name: str, node: ast.Call, arguments: Sequence[Value], keywords: Mapping[str | None, Value]
    ) -> Value:
        others = [value for keyword, value in keywords.items() if keyword != "device"]
        in_model = self.frame.function.name == "forward"
        if name in JOINING and node.args:
            arguments = [self._told_apart(node.args[0], arguments[0]), *arguments[1:]]
            self._note_joined(operands_of(arguments, is_joining=True))
        found = computed(name, node, arguments, others, keywords.get("device"), in_model)
        if found is PENDING:
            return found
        if name in _GROWING:
            turns = passing.of_any(operands_of(arguments[:1], is_joining=True))
            found = passing.joined_at(self.frame, found._replace(turns=turns), node)
        if found.device is not Device.UNKNOWN:
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
        if self.frame.apart is None and any(map(shows_host, operands)):
            known = self.frame.around.of_host
            new = {
                s for o in operands if o.type == types.TENSOR and o.device is Device.UNKNOWN for s in o.objects
            } - known
            if new:
                known |= new
                self.frame.around.queue(self.frame.function)


def _function_of(value: Value) -> Function | None:
    """The function of the program that a value stands for, whatever it is bound to or has got already."""
    refers = value.refers
    if isinstance(refers, Partial):
        return _function_of(refers.function)
    refers = refers.definition if isinstance(refers, Bound) else refers
    return refers if isinstance(refers, Function) else None


def _named_tuple(
    names: Value, arguments: Sequence[Value], keywords: Mapping[str | None, Value], node: ast.Call
) -> Value:
    """A named tuple, where the names of its fields are written there, and all it gets."""
    parts = names.constant.replace(",", " ").split() if isinstance(names.constant, str) else None
    fields = parts if parts is not None else [str(part.constant) for part in names.elements or ()]
    given: dict[str | None, Value] = {**dict(zip(fields, arguments, strict=False)), **keywords}
    if None in given or not given.keys() <= set(fields) or any(isinstance(part, ast.Starred) for part in node.args):
        return UNKNOWN
    held_so = tuple(given.get(field, UNKNOWN) for field in fields)
    return Value(types.OBJECT, elements=held_so, keys=tuple(fields), because=A_NAMED_TUPLE, line=node.lineno)


def given_back(arguments: Sequence[Value]) -> Value:
    """What a function gives that prepares what it is given: that again, in the same order."""
    return arguments[0] if len(arguments) == 1 else Value(elements=tuple(arguments))


def _spawned(arguments: Sequence[Value], keywords: Mapping[str | None, Value]) -> tuple[Value, tuple[Value, ...]]:
    """The function that a process runs, and what it gets."""
    first, second = ([*arguments, UNKNOWN, UNKNOWN][place] for place in (0, 1))
    return keywords.get("target", keywords.get("fn", first)), keywords.get("args", second).elements or ()
