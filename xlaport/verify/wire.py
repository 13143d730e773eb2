"""Reads and writes protobuf's wire format: the few fields of XLA's messages that matter, without protobuf.

Used in the child, too: the standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Number and value of each field of a message: protobuf's wire format."""
    for number, value, _ in _parts(data):
        yield number, value


def _parts(data: bytes) -> Iterator[tuple[int, Any, bytes]]:
    """The same, each with its bytes as they stand there."""
    position = 0
    while position < len(data):
        begin = position
        key, position = _varint(data, position)
        kind = key & 7
        if kind == 0:
            value, position = _varint(data, position)
            yield key >> 3, value, data[begin:position]
        else:
            size = {1: 8, 5: 4}.get(kind, 0)
            if kind == 2:
                size, position = _varint(data, position)
            elif not size:
                raise ValueError(f"wire type {kind}")
            inner, position = data[position : position + size], position + size
            yield key >> 3, inner, data[begin:position]


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, position
        shift += 7


def message_of(data: bytes) -> dict[int, list[Any]]:
    """The values of each field of a message, by its number."""
    message: dict[int, list[Any]] = {}
    for number, value in fields(data):
        message.setdefault(number, []).append(value)
    return message


def numbers_of(values: Sequence[Any]) -> list[int]:
    """A repeated integer, packed or not; negative ones come as 64-bit complements."""
    numbers: list[int] = []
    for value in values:
        if isinstance(value, bytes):
            position = 0
            while position < len(value):
                number, position = _varint(value, position)
                numbers.append(number)
        else:
            numbers.append(value)
    return [number - (1 << 64) if number >> 63 else number for number in numbers]


def encoded(values: Iterable[tuple[int, int | bytes]]) -> bytes:
    """The message that has these fields, each an integer or bytes (a text, or a message within)."""
    return b"".join(
        _spelled(number << 3 | 2) + _spelled(len(value)) + value
        if isinstance(value, bytes)
        else _spelled(number << 3) + _spelled(value)
        for number, value in values
    )


def rewritten(data: bytes, change: Callable[[int, Any], bytes | None]) -> bytes:
    """A message in which the fields that are messages themselves are what `change` makes of their number and bytes;
    what it gives None for stays.
    """
    parts = []
    for number, value, raw in _parts(data):
        new = change(number, value)
        parts.append(raw if new is None else encoded([(number, new)]))
    return b"".join(parts)


def _spelled(value: int) -> bytes:
    spelled = bytearray()
    while value > 127:
        spelled.append(value & 127 | 128)
        value >>= 7
    spelled.append(value)
    return bytes(spelled)
