"""Marks the operations of a graph with their numbers, so that they are known again in what a compiler made of it.

A compiler keeps the name of an operation's origin (`op_name`) through fusion and rewriting, and loses the stack of
Python frames on the way (measured, libtpu 0.0.21). So the number takes the name's place, and the frames are looked up.
"""

from __future__ import annotations

from typing import Any

from xlaport.verify.wire import encoded, message_of, rewritten

_MODULE, _COMPUTATION, _INSTRUCTION, _METADATA, _NUMBER = 1, 3, 2, 7, 35
_NAME, _STACKS, _DONOR = 2, 17, 18


def labelled(dump: bytes) -> bytes:
    """The module of a dump (an ``HloModuleProto``), its operations marked; `ValueError` if the bytes are no dump."""
    try:
        module: bytes = message_of(dump)[_MODULE][0]
    except (LookupError, TypeError) as error:
        raise ValueError(f"not an HLO dump: {error!r}") from error
    return rewritten(module, _of_module)


def donors(module: bytes) -> tuple[int, ...]:
    """The arguments of a module that hand their memory on, by their places."""
    given = (message_of(item) for whole in message_of(module).get(_DONOR, []) for item in message_of(whole).get(1, []))
    return tuple(sorted(item.get(1, [0])[0] for item in given))


def _of_module(number: int, value: Any) -> bytes | None:
    if number == _STACKS:
        return b""
    return rewritten(value, _of_computation) if number == _COMPUTATION else None


def _of_computation(number: int, value: Any) -> bytes | None:
    if number != _INSTRUCTION:
        return None
    own = message_of(value)
    label = encoded([(_NAME, str(own.get(_NUMBER, [0])[0]).encode())])
    if _METADATA not in own:
        return bytes(value) + encoded([(_METADATA, label)])
    return rewritten(value, lambda field, _: label if field == _METADATA else None)
