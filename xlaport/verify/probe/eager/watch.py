"""Sees each operation that runs on the device: what it compiles, and whether the host waits for its result.

A mode of torch's dispatcher, which stays on in each thread: it costs some microseconds an operation. What torch.compile
has compiled runs as one, and is seen in `regions`.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.weak import WeakIdKeyDictionary

from ...eager import names
from ...events import Counts, Point
from .. import frames
from ..session import Session, guarded
from ..wrapping import wrap
from . import causes
from .counting import EagerCounters

_aten = torch.ops.aten

_MASKS = (torch.bool, torch.uint8)


def _is_there(tensor: Any) -> bool:
    """Whether a tensor lies on the device; one that is only traced lies nowhere."""
    return tensor.device.type == names.DEVICE and not isinstance(tensor, FakeTensor)


def _first(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    return _is_there(args[0])


def _to_host(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    target = kwargs.get("device")
    return target is not None and target.type == "cpu" and _is_there(args[0])


def _by_mask(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    return _is_there(args[0]) and any(index is not None and index.dtype in _MASKS for index in args[1])


_READS: dict[Any, Callable[[tuple[Any, ...], dict[str, Any]], bool]] = {
    _aten._to_copy.default: _to_host,
    _aten.copy_.default: lambda args, kwargs: args[0].device.type == "cpu" and _is_there(args[1]),
    # The result is a number of Python's.
    _aten._local_scalar_dense.default: _first,
    _aten.equal.default: _first,
    # The result is as large as the data says.
    _aten.nonzero.default: _first,
    _aten.masked_select.default: _first,
    _aten._unique2.default: _first,
    _aten.unique_dim.default: _first,
    _aten.unique_consecutive.default: _first,
    _aten.bincount.default: _first,
    _aten.repeat_interleave.Tensor: lambda args, kwargs: kwargs.get("output_size") is None and _is_there(args[0]),
    _aten.index.Tensor: _by_mask,
    _aten.index_put.default: _by_mask,
    _aten.index_put_.default: _by_mask,
}
"""Operations for whose result the host waits, and what has to hold of their arguments for that."""


class _Watch(TorchDispatchMode):
    """The mode of one thread."""

    supports_higher_order_operators = True

    def __init__(self, watcher: Watcher) -> None:
        super().__init__()
        self.watcher = watcher

    @classmethod
    def ignore_compile_internals(cls) -> bool:
        """torch.compile compiles as if nobody watched."""
        return True

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if self.watcher.is_quiet:
            return func(*args, **kwargs)
        return self.watcher.run(func, args, kwargs)


class Watcher:
    """What is known of the operations of this process."""

    def __init__(self, session: Session, counters: EagerCounters) -> None:
        self.session, self.counters = session, counters
        self.laid = counters.misses()
        """Compiles that are laid to a line."""
        self._ran = 0
        self._own = threading.local()
        self._steps = 0
        self._born: Any = WeakIdKeyDictionary()

    @property
    def is_quiet(self) -> bool:
        """Whether this thread runs something of ours."""
        return getattr(self._own, "quiet", False)

    @contextlib.contextmanager
    def quiet(self) -> Iterator[None]:
        """Around what the probe does itself."""
        self._own.quiet = True
        try:
            with self.counters.own():
                yield
        finally:
            self._own.quiet = False
            self.laid = self.counters.misses()

    def run(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run one operation, and take note of it."""
        misses = self.counters.misses
        before, start = misses(), time.perf_counter()
        try:
            result = func(*args, **kwargs)
        except RuntimeError as error:
            if names.UNIMPLEMENTED in str(error):
                guarded(self._refused, func)
            raise
        compiles = misses() - before
        if compiles:
            self.laid += compiles
            seconds = time.perf_counter() - start
            given = (*args, *kwargs.values())
            guarded(causes.compiled_for, func.overloadpacket.__name__, given, result, compiles, seconds)
        reads = _READS.get(func)
        if reads is not None and reads(args, kwargs):
            self._read(args[1] if func is _aten.copy_.default else args[0], time.perf_counter() - start)
        elif type(result) is torch.Tensor and not result.dim():
            self._born[result] = self._born.get(args[0], self._steps) if func is _aten.detach.default else self._steps
        return result

    def step_ended(self) -> None:
        """An optimizer has made a step."""
        causes.step_ended()
        self._steps += 1

    def ran_since(self) -> int:
        """How many programs have run since this was last asked."""
        before, self._ran = self._ran, self.counters.totals().executions
        return self._ran - before

    def _read(self, tensor: Any, seconds: float) -> None:
        """A value has been fetched. A stop may follow: not in the threads of the autograd engine, nor of a loader."""
        ran = False

        def note() -> None:
            nonlocal ran
            self.counters.reads += 1
            site = frames.site()
            causes.tell()
            causes.passes(site)
            executions = self.ran_since()
            added = Counts(executions=executions, transfers=1)
            thread, node = frames.thread(), causes.backward_node()
            ran = bool(executions) and not thread and not node
            self.session.emit(
                Point(
                    "read",
                    site,
                    added,
                    node,
                    direct=frames.is_direct(),
                    seconds=round(seconds, 4),
                    thread=thread,
                    overlaps=self._steps - self._born.get(tensor, self._steps) > 1,
                    offset=frames.offset(),
                )
            )

        guarded(note)
        if ran:
            site = frames.site()
            self.session.graph_read(site)
            self.session.stop_if_due(site)

    def _refused(self, func: Any) -> None:
        name = str(func.name()).partition(".")[0]
        self.counters.refused[name] += 1
        self.session.emit(Point("fallback", frames.site(), Counts(fallbacks={name: 1}), causes.backward_node()))


def watch(watcher: Watcher) -> None:
    """Watch this thread from now on, and each that is started; not the processes that are forked."""
    mode = _Watch(watcher)
    mode.__enter__()
    os.register_at_fork(after_in_child=lambda: mode.__exit__(None, None, None))

    def run(original: Callable[..., None], thread: threading.Thread) -> None:
        with _Watch(watcher):
            original(thread)

    wrap(threading.Thread, "_bootstrap_inner", run)
