"""The device that the script has been ported to: the type of its tensors, and how the probe reads their values."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from typing import Any

from ..eager import names
from .session import current
from .settings import SETTINGS

IS_EAGER = SETTINGS.get("XLAPORT_TARGET") == names.PACKAGE
"""Whether each operation runs at once, so that every value is there."""
TYPE = names.DEVICE if IS_EAGER else "xla"

quiet: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext
"""Around what the probe does on a device that runs each operation at once."""


def values(tensors: list[Any]) -> list[Any] | None:
    """The values of tensors on the device; `None` if one waits in the pending graph, which a read would run."""
    if not IS_EAGER:
        return _from_xla(tensors)
    if any(tensor.device.type != TYPE for tensor in tensors):
        return None
    with quiet():
        return [tensor.detach().cpu() for tensor in tensors]


def _from_xla(tensors: list[Any]) -> list[Any] | None:
    import _XLAC

    counters = current().counters
    if counters is None or any(_XLAC._check_tensor_need_materialization(tensors)):
        return None
    with counters.own():
        fetch = inspect.unwrap(_XLAC._xla_get_cpu_tensors)
        if any(_XLAC._get_xla_sharding_spec(tensor) for tensor in tensors):
            # The buffer of a tensor that is divided over devices cannot be asked for: the process would crash.
            return list(fetch(tensors))
        # Read another tensor on the same buffer: one that has itself been read keeps its value on the host,
        # and the next graph that it goes into is compiled anew for that (measured, torch_xla 2.9).
        buffers = [_XLAC._get_tensors_xla_device_data_node([tensor])[1] for tensor in tensors]
        if any(len(buffer) != 1 for buffer in buffers):
            return None
        return list(fetch([buffer[0] for buffer in buffers]))
