"""Makes OpenXLA's plugin for the CPU answer what torch_tpu asks of a TPU's, and the plugin does not know.

A plugin is a table of functions (``PJRT_Api``), one in each process, to which later versions only add at the end; three
of them are replaced by Python's own. No C compiler is needed for that, and no second library.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

_HEAD = 40
"""Bytes before the first function: two sizes, two lists of extensions, the version."""
_CREATE, _MEMORY, _OUTPUTS, _KINDS = 10, 34, 44, 47
"""Which functions these are: ``PJRT_Client_Create``, ``Device_MemoryStats``, ``Executable_NumOutputs`` and
``Executable_OutputMemoryKinds`` (PJRT's C API 0.81).
"""
_INT64 = 1
"""``PJRT_NamedValue_kInt64``."""

_Function = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
"""Takes its arguments in one structure, and gives an error, or nothing."""

_POINTER = ctypes.sizeof(ctypes.c_void_p)


def _structure(*fields: tuple[str, Any]) -> Any:
    """One of PJRT's structures of arguments: behind its size and its extensions, these."""
    head = (("size", ctypes.c_size_t), ("extensions", ctypes.c_void_p))
    return type("Arguments", (ctypes.Structure,), {"_fields_": [*head, *fields]})


_Arguments = _structure()
_OfClient = _structure(("options", ctypes.c_void_p), ("count", ctypes.c_size_t))
_Option = _structure(
    ("name", ctypes.c_char_p),
    ("length", ctypes.c_size_t),
    ("type", ctypes.c_int),
    ("value", ctypes.c_int64),
    ("values", ctypes.c_size_t),
)
_OfOutputs = _structure(("executable", ctypes.c_void_p), ("count", ctypes.c_size_t))
_OfKinds = _structure(
    ("executable", ctypes.c_void_p),
    ("count", ctypes.c_size_t),
    ("kinds", ctypes.c_void_p),
    ("lengths", ctypes.c_void_p),
)

_kept: list[Any] = []
"""What the plugin may call, or read, as long as the process lives."""


def complete(path: str) -> None:
    """Let the plugin at `path` answer; nothing of it has run yet."""
    if _kept:
        return
    library = ctypes.PyDLL(path)
    library.GetPjrtApi.restype = ctypes.c_void_p
    table = library.GetPjrtApi() + _HEAD

    def entry(index: int) -> ctypes.c_void_p:
        return ctypes.c_void_p.from_address(table + index * _POINTER)

    def replace(index: int, function: Callable[[int], int | None]) -> None:
        ours = _Function(function)
        _kept.append(ours)
        entry(index).value = ctypes.cast(ours, ctypes.c_void_p).value

    make_client, count_outputs = _Function(entry(_CREATE).value or 0), _Function(entry(_OUTPUTS).value or 0)
    name = b"cpu_device_count"
    one = _Option(ctypes.sizeof(_Option), None, name, len(name), _INT64, 1, 1)
    _kept.append(one)

    def client(address: int) -> int | None:
        """A client with one device, as torch_tpu wants it; it has no use for a TPU's options."""
        asked = _OfClient.from_address(address)
        asked.options, asked.count = ctypes.addressof(one), 1
        error: int | None = make_client(address)
        return error

    def memory(address: int) -> None:
        """No figure is known: all of them, behind the device, are zero."""
        start = ctypes.sizeof(_Arguments) + _POINTER
        ctypes.memset(address + start, 0, _Arguments.from_address(address).size - start)

    def kinds(address: int) -> int | None:
        """The outputs of a program lie on the device, each of them."""
        asked = _OfKinds.from_address(address)
        outputs = _OfOutputs(ctypes.sizeof(_OfOutputs), None, asked.executable, 0)
        error: int | None = count_outputs(ctypes.addressof(outputs))
        if error:
            return error
        word = b"device"
        names, lengths = (ctypes.c_char_p * outputs.count)(), (ctypes.c_size_t * outputs.count)()
        for index in range(outputs.count):
            names[index], lengths[index] = word, len(word)
        _kept.append((names, lengths))
        asked.count, asked.kinds, asked.lengths = outputs.count, ctypes.addressof(names), ctypes.addressof(lengths)
        return None

    for index, function in ((_CREATE, client), (_MEMORY, memory), (_KINDS, kinds)):
        replace(index, function)
