"""Library models: what the functions, classes and methods of PyTorch give, as values. The tables are data."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from xlaport.analysis import value as types
from xlaport.analysis.definitions import Class
from xlaport.analysis.value import Certainty, Device, Value
from xlaport.facts import known, vocabulary
from xlaport.facts.role import Role

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
_OF_TYPES[types.NONE] = Role.OTHER

DERIVED = (
    (frozenset(vocabulary.DATASET_BASES), types.DATASET),
    (frozenset(vocabulary.OPTIMIZER_BASES), types.OPTIMIZER),
)
"""What the instances of classes are that derive from these; those of modules, `known.is_module` tells."""


def role_of(value: Value) -> Role | None:
    """A value as the roles of `xlaport.facts` have it."""
    if value.type == types.TENSOR:
        return Role.HOST_TENSOR if value.device is Device.HOST else Role.TENSOR
    if value.type is None:
        return None
    if isinstance(value.type, str):
        return _OF_TYPES[value.type]
    return _OF_TYPES[derived(value.type.of_libraries())] if isinstance(value.type, Class) else Role.OTHER


def is_module(value: Value) -> bool:
    """Whether it is a module: a library's, or an instance of a class that derives from one."""
    return role_of(value) is Role.MODEL


def value_of(role: Role, because: str, line: int = 0) -> Value:
    """The value of a role."""
    device = Device.HOST if role is Role.HOST_TENSOR else Device.UNKNOWN
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
    found = known.returned(name)
    return value_of(*found) if found is not None else None


@lru_cache(maxsize=4096)
def annotated(name: str) -> Value | None:
    """What an annotation says: of a tensor, not where it lies."""
    found = known.annotated(name)
    return value_of(*found)._replace(certainty=Certainty.ASSUMED) if found is not None else None
