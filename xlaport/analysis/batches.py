"""Loaders and their batches as values: a batch has the objects that its loader has."""

from __future__ import annotations

from xlaport.analysis.value import DEVICE_LOADER, LOADER, TENSOR, Certainty, Device, Value, each

OF_BATCH = "part of a loader's batch"


def of_loader(loader: Value, place: Device, because: str, line: int) -> Value:
    """A batch of a loader, or part of one: taken for a tensor, where nothing says that it holds several."""
    batch = Value(TENSOR, place, certainty=Certainty.ASSUMED, because=because, line=line)
    return batch._replace(objects=loader.objects, detached=True)


def has_loaders(value: Value) -> bool:
    """Whether a value, or what it holds, is a loader or comes from one."""
    parts = (value, *(value.elements or ()), *((value.element,) if value.element is not None else ()))
    return any(part.objects and is_of_loader(part) for part in parts)


def is_of_loader(value: Value) -> bool:
    """Whether a value is a loader, or part of a batch of one."""
    is_batch = value.type == TENSOR and value.because.endswith(OF_BATCH)
    return is_batch or value.type in (LOADER, DEVICE_LOADER)


def of_call(value: Value, own: Value) -> Value:
    """What a function gives, with the loaders and batches that it gives to one of its calls."""
    if is_of_loader(value) and own.type == value.type and own.objects:
        return value._replace(objects=own.objects)
    if value.elements is not None and own.elements is not None and len(value.elements) == len(own.elements):
        return value._replace(elements=tuple(map(of_call, value.elements, own.elements)))
    is_row = value.element is not None and own.element is not None
    return value._replace(element=of_call(each(value), each(own))) if is_row else value


def taken_out(value: Value) -> Value:
    """A batch that stands by itself, or a part of it: nobody goes through its loader with it."""
    return value._replace(objects=frozenset()) if value.type == TENSOR and is_of_loader(value) else value
