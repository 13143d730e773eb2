"""Loaders and their batches as values: a batch has the objects that its loader has."""

from __future__ import annotations

from xlaport.analysis.value import DEVICE_LOADER, LOADER, TENSOR, Certainty, Device, Site, Value, each

OF_BATCH = "part of a loader's batch"
_MOVED = ">"
"""What ends the turn of a loader, as an object of its batches that have moved: another tensor, of the same loader."""


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
    is_moved = any(site.turn.endswith(_MOVED) for site in value.objects)
    is_batch = value.type == TENSOR and (is_moved or value.because.endswith(OF_BATCH))
    return is_batch or value.type in (LOADER, DEVICE_LOADER)


def moved_on(batch: Value, moved: Value) -> Value:
    """What a move of a value gives: of a batch, one that has its loader for its object, too."""
    sites = (loader_site(site) for site in batch.objects) if is_of_loader(batch) else ()
    return moved._replace(objects=frozenset(site._replace(turn=f"{site.turn}{_MOVED}") for site in sites))


def loader_site(site: Site) -> Site:
    """The loader that is the object of a batch."""
    return site._replace(turn=site.turn.removesuffix(_MOVED))


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
