"""Library models: what the functions, classes and methods of PyTorch give, as values. The tables are data."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache

from xlaport.analysis import value as types
from xlaport.analysis.definitions import Class
from xlaport.analysis.value import Certainty, Device, Value
from xlaport.facts import known, trainers, vocabulary
from xlaport.facts.held import ONE_INTEGER, SCALAR
from xlaport.facts.role import OF_PARAMETERS, OUTPUT, Fact, Role

_OF_ROLES = {
    Role.TENSOR: types.TENSOR,
    Role.HOST_TENSOR: types.TENSOR,
    Role.MODEL: types.MODULE,
    Role.OPTIMIZER: types.OPTIMIZER,
    Role.SCHEDULER: types.SCHEDULER,
    Role.SCALER: types.SCALER,
    Role.LOADER: types.LOADER,
    Role.DEVICE_LOADER: types.DEVICE_LOADER,
    Role.DATASET: types.DATASET,
    Role.DEVICE: types.DEVICE,
    Role.NUMBER: types.NUMBER,
    Role.TEXT: types.TEXT,
    Role.OTHER: types.OBJECT,
}
_OF_TYPES: dict[object, Role] = {kind: role for role, kind in _OF_ROLES.items() if role is not Role.HOST_TENSOR}
_OF_TYPES |= dict.fromkeys((types.NONE, types.ACCELERATOR, types.FABRIC), Role.OTHER)

_OF_TYPES[types.PACKED] = Role.TENSOR
_OF_TYPES[types.CUTTING_OPTIMIZER] = Role.OPTIMIZER
_DEVICES = {Role.HOST_TENSOR: Device.HOST, Role.TENSOR: Device.ACCELERATOR}

_TRAINERS = dict.fromkeys(trainers.ACCELERATORS, types.ACCELERATOR) | dict.fromkeys(trainers.FABRICS, types.FABRIC)
"""Objects of training libraries, which prepare what they are given."""

BY_ACCELERATE = "what accelerate has prepared"
"""The evidence of what it gives back of something unknown: a loader of the device, where a loop goes through it."""

DERIVED = (
    (frozenset(vocabulary.DATASET_BASES), types.DATASET),
    (frozenset(vocabulary.OPTIMIZER_BASES), types.OPTIMIZER),
)
"""What the instances of classes are that derive from these; those of modules, `known.is_module` tells."""


def role_of(value: Value) -> Role | None:
    """A value as the roles of `xlaport.facts` have it."""
    if value.alternatives:
        found = {role_of(alternative) for alternative in value.alternatives}
        return found.pop() if len(found) == 1 else None
    if value.type == types.TENSOR:
        return Role.HOST_TENSOR if value.device is Device.HOST else Role.TENSOR
    if value.type is None:
        return Role.TENSOR if value.because == OUTPUT else None  # of several things, users see the tensors
    if isinstance(value.type, str):
        return _OF_TYPES.get(value.type)
    if not isinstance(value.type, Class):
        return Role.OTHER
    kind = derived(value.type.of_libraries())
    if kind == types.OBJECT and value.because == "self":
        return None
    return None if kind == types.OBJECT and not _is_whole(value.type) else _OF_TYPES[kind]


def _is_whole(kind: Class) -> bool:
    """Whether all that a class derives from is known: of the program, or of Python itself."""
    bases = [base for each in kind.line() for base in each.bases if not isinstance(base.refers, Class)]
    names = [base.refers.partition(".")[0] for base in bases if isinstance(base.refers, str)]
    return len(names) == len(bases) and all(name == "builtins" or name in sys.stdlib_module_names for name in names)


def fact_of(value: Value, node: ast.expr) -> Fact | None:
    """The same, with the evidence; a tensor of which nothing says where it lies is assumed to be on the device."""
    role = role_of(value)
    if role is None:
        return None
    assumed = role is Role.TENSOR and value.device is Device.UNKNOWN
    value = value.alternatives[0] if value.alternatives else value
    return Fact(role, value.because, value.line or getattr(node, "lineno", 1), assumed)


def is_module(value: Value) -> bool:
    """Whether it is a module: a library's, or an instance of a class that derives from one."""
    return role_of(value) is Role.MODEL


def group_of(model: Value, key: Value, node: ast.expr) -> Value | None:
    """``{"params": model.slow_ones()}``: parameters of the model, whatever the method is; None of others."""
    if key.constant != "params" or not is_module(model):
        return None
    part = Value(types.TENSOR, Device.ACCELERATOR, objects=model.objects, because=OF_PARAMETERS[0])
    return Value(types.OBJECT, element=part, because=OF_PARAMETERS[0], line=node.lineno)


def is_lightning(value: Value) -> bool:
    """Whether it is a module of Lightning's."""
    return isinstance(value.type, Class) and not vocabulary.LIGHTNING_MODULES.isdisjoint(value.type.of_libraries())


def value_of(role: Role, because: str, line: int = 0) -> Value:
    """The value of a role."""
    device = _DEVICES.get(role, Device.UNKNOWN)
    return Value(_OF_ROLES[role], device, because=because, line=line)


def derived(bases: Iterable[str]) -> str:
    """What an instance of a class is that derives from library classes: a module, a dataset … or an object."""
    for base in bases:
        if known.is_module(base):
            return types.MODULE
        for names, kind in DERIVED:
            if base in names:
                return kind
        found = known.returned(base)
        if found is not None and found[0] in (Role.SCHEDULER, Role.OPTIMIZER, Role.DATASET, Role.LOADER):
            return _OF_ROLES[found[0]]
    return types.OBJECT


@lru_cache(maxsize=4096)
def returned(name: str) -> Value | None:
    """What a call of a library's function gives whatever it is given; None where that depends, or is not known."""
    if name in _TRAINERS:
        return Value(_TRAINERS[name], because=f"{name}(…)")
    if name in _PACKING:
        return _packed(f"{name.rpartition('.')[2]}(…)")
    if name in vocabulary.MODULE_HOLDERS:
        return value_of(Role.MODEL, f"{name.rpartition('.')[2]}(…)")
    if name in vocabulary.EXIT_STACKS:
        return Value(types.STACK, because=f"{name}(…)")
    found = known.returned(name)
    given = value_of(*found) if found is not None else None
    if given is not None and name in vocabulary.CLOCKS:
        return given._replace(holds=ONE_INTEGER if name.endswith("_ns") else SCALAR)
    return given


def is_optimizer(name: str) -> bool:
    """Whether a class of a library's is an optimizer, which takes parameters."""
    made = returned(name)
    return made is not None and made.type == types.OPTIMIZER


@lru_cache(maxsize=4096)
def annotated(name: str) -> Value | None:
    """What an annotation says: of a tensor, not where it lies."""
    if name in _TRAINERS:
        return Value(_TRAINERS[name], certainty=Certainty.ASSUMED, because=f"annotated as {name}")
    if name == types.PACKED:
        return _packed("annotated as PackedSequence")
    found = known.annotated(name)
    if found is None:
        return None
    certainty = Certainty.PROVEN if found[0] is Role.TENSOR else Certainty.ASSUMED
    return value_of(*found)._replace(device=Device.UNKNOWN, certainty=certainty)


_PACKING = frozenset({"torch.nn.utils.rnn.pack_padded_sequence", "torch.nn.utils.rnn.pack_sequence", types.PACKED})


def _packed(because: str) -> Value:
    """A packed sequence: its data on the device, its batch sizes on the host, wherever the data lies.

    Measured on torch 2.9 with data on xla:0.
    """
    of_data = Value(types.TENSOR, Device.ACCELERATOR, because="part of a packed sequence")
    sizes = Value(types.TENSOR, Device.HOST, because="the batch sizes of a packed sequence")
    return Value(types.PACKED, elements=(of_data, sizes, of_data, of_data), because=because)


def part_of_packed(value: Value, name: str) -> Value:
    """``packed.data``, ``packed.batch_sizes`` …"""
    assert value.elements is not None
    return value.elements[1 if name == "batch_sizes" else 0]


def given_back(trainer: Value, method: str, arguments: Sequence[Value]) -> Value | None:
    """What a training library gives back of what it has prepared, in the same order; None for other calls.

    Its loaders move their batches; what else a loop goes through that accelerate has prepared is one of these.
    """
    makers = trainers.PREPARING.get(method)
    if makers is None or trainer.type != _TRAINERS[next(iter(makers))] or not arguments:
        return None
    given = [_prepared(value, method, place) for place, value in enumerate(arguments)]
    return given[0] if len(given) == 1 or method in trainers.OF_ONE else Value(elements=tuple(given))


def _prepared(value: Value, method: str, place: int) -> Value:
    """An argument as it comes back: Fabric's `setup()` takes a model first, then its optimizers."""
    if method == "setup_optimizers" or (method == "setup" and place > 0):
        return Value(types.CUTTING_OPTIMIZER, because="an optimizer that Fabric has set up", line=value.line)
    if value.type == types.LOADER:
        because = "a loader that accelerate has prepared"
        return Value(types.DEVICE_LOADER, objects=value.objects, because=because, line=value.line)
    if value.is_unknown and trainers.PREPARING[method] is trainers.ACCELERATORS:
        batch = Value(types.TENSOR, Device.ACCELERATOR, because="part of a device loader's batch")
        return Value(element=batch, because=BY_ACCELERATE)
    return value
