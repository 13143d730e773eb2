"""The probe points: the entry points of torch_xla in which it compiles, executes or transfers.

Two tables: bindings of the `_XLAC` module, and kernels on the XLA dispatch key. Together they see every kind
of device-to-host transfer (24 of 24 measured on torch_xla 2.9), with the user's line, also in the backward
pass.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..differences import GUARD
from ..dynamo import RUNTIME
from ..events import BARRIERS, Counts, Loaded, Point, Site
from . import compiled, dumps, dynamo, frames, keeping, left_behind, lines, repeats, waiting
from .counters import Counters
from .session import Session, current, guarded
from .training import after_barrier, is_recording

_BINDINGS = {
    "_xla_sync_multi": "save",
    "_xla_sync_live_tensors": "save",
    "_xla_get_cpu_tensors": "read",
    "_xla_warm_up_cache": "dynamo",
    "_run_cached_graph": "dynamo",
}


# A kernel that transfers may raise, where memory is short or the device fails, and torch_xla 2.9 then loses the
# interpreter's lock if it was held: the process aborts (measured; tensor_util.cpp, `ReleaseGilAndTransferData`). Python
# holds it when it calls a kernel. So what transfers is called by ways that release it, and does what the kernel does
# (aten_xla_type.cpp); all else goes to the kernel itself.


def _to_cpu(kernel: Callable[..., Any], fetch: Callable[..., Any], tensors: Any) -> Any:
    """Every fallback and every .item() fetches its arguments with this one."""
    if all(tensor is not None and tensor.device.type == "xla" for tensor in tensors):
        return fetch(list(tensors))
    return kernel(tensors)


def _to_copy(kernel: Callable[..., Any], fetch: Callable[..., Any], tensor: Any, **options: Any) -> Any:
    """.cpu(), .to('cpu'), .tolist(), print, pickling."""
    import torch

    whole = torch.empty(tensor.shape, dtype=tensor.dtype, device="cpu")
    torch.ops.aten._copy_from(tensor, whole)
    rest = {name for name, value in options.items() if value not in (None, False)} - {"device", "non_blocking"}
    return torch.ops.aten._to_copy(whole, **options) if rest else whole


def _copy(kernel: Callable[..., Any], fetch: Callable[..., Any], target: Any, source: Any, *rest: Any) -> Any:
    """cpu_tensor.copy_(xla_tensor)."""
    import torch

    torch.ops.aten._copy_from(source, target, *rest)
    return target


_KERNELS: dict[str, tuple[Callable[..., bool], Callable[..., Any]]] = {
    "_to_cpu": (lambda tensors: True, _to_cpu),
    "_to_copy": (lambda tensor, device=None, **options: device is not None and device.type == "cpu", _to_copy),
    "copy_": (lambda target, source, *rest: target.device.type == "cpu", _copy),
}
"""Which calls of a kernel transfer to the host, and what is done in its place."""

_inside = threading.local()
_known_fallbacks: dict[str, int] = {}
"""Calls of operations without a lowering that points have recorded, by operation."""
_library: Any = None
_claims = threading.Lock()
_claimed = Counts()
"""What all points together have recorded."""


class _Recorder:
    """Counts around one call; only the outermost of nested calls records.

    The counters are the process's. What two threads do at once is recorded once: by the one that is done first, or, if
    that one only fetched values that were there (`fetched`, the tensors it reads, none of them pending), by the other.
    """

    def __init__(self, session: Session, kind: str, fetched: Sequence[Any] = ()) -> None:
        self.session, self.kind, self.fetched = session, kind, fetched
        self.claimed = Counts()
        self.thread = 0
        self.only_fetches = False
        self.is_late = False
        self.outermost = False
        self.site: Site | None = None
        self.before = Counts()
        self.start = 0.0
        self.ran = False
        self.backward: str | None = None

    def __enter__(self) -> _Recorder:
        self.outermost = not getattr(_inside, "busy", False)
        if self.outermost:
            _inside.busy = True
            guarded(self._prepare)
        return self

    def _prepare(self) -> None:
        self.site, self.thread = frames.site(), frames.thread()
        if self.thread and self.fetched:
            import _XLAC

            self.only_fetches = not any(_XLAC._check_tensor_need_materialization(list(self.fetched)))
        self.is_late = waiting.is_of_an_earlier_step(self.fetched)
        with _claims:
            self.claimed, self.before = _claimed, self.session.totals()
        lines.before_lowering()
        self.start = time.perf_counter()

    def __exit__(self, *exception: object) -> None:
        if not self.outermost:
            return
        _inside.busy = False
        guarded(self._record)
        # A stop is not raised into an exception, nor into the threads of the autograd engine or a loader.
        if self.ran and exception[0] is None and not self.backward and not self.thread:
            self.session.graph_read(self.site, is_recording())
            self.session.stop_if_due(self.site)

    def _record(self) -> None:
        seconds = round(time.perf_counter() - self.start, 4)
        added = self._claim()
        lines.after_lowering(added.compiles, added.executions)
        kind = "fallback" if added.fallbacks and self.kind == "read" else self.kind
        if kind == "dynamo" and added.compiles:
            self.session.add_runs(-added.compiles)  # compiled ahead, not executed
            added = added - Counts(executions=added.compiles)
        self.backward = _backward_node()
        self.ran = added.executions > 0 and kind in ("read", "dynamo")
        if self.ran and kind == "dynamo":
            guarded(waiting.step_ended, self.site)
        why = self._why(kind) if added.compiles else compiled.Reason()
        steady_barrier = kind in BARRIERS and not (added.compiles or added.transfers or added.fallbacks)
        if (added.compiles or added.executions or added.transfers or added.fallbacks) and not steady_barrier:
            self.session.emit(
                Point(
                    kind,
                    self.site,
                    added,
                    self.backward,
                    why.words,
                    frames.is_direct(),
                    why.changes,
                    seconds,
                    self.thread,
                    why.graph,
                    why.kind,
                    why.place,
                    bool(added.transfers) and kind != "fallback" and self._overlaps(),
                    frames.offset(),
                    why.repeats,
                    why.repeated,
                    why.dumps,
                    why.plain,
                )
            )

    def _overlaps(self) -> bool:
        """Whether nobody waits for what is transferred in this call."""
        return not waiting.main_waits_for_this() if self.thread else self.is_late

    def _claim(self) -> Counts:
        """What was done in this call and is not yet recorded by another."""
        global _claimed
        with _claims:
            after = self.session.totals()
            added = after - self.before - (_claimed - self.claimed)
            if self.only_fetches:
                # What is news of fallbacks is the other's: it is about to fetch their arguments.
                added = Counts(transfers=min(added.transfers, 1))
                _claimed = _claimed + added
                return added
            _claimed = _claimed + added
            # A fallback is counted before it fetches its arguments: its name is news since the last point.
            fallbacks = (after - Counts(fallbacks=_known_fallbacks)).fallbacks
            _known_fallbacks.update(after.fallbacks)
        return replace(added, fallbacks=fallbacks)

    def _why(self, kind: str) -> compiled.Reason:
        """Why a graph was compiled in this call."""
        why = compiled.Reason()
        # No dump, or not one that we can read: the compile still counts.
        with contextlib.suppress(OSError, ValueError):
            why = compiled.reason(self.site)
        failed = dynamo.why(self.site, self.backward is not None) if kind == "dynamo" else None
        return replace(why, words=failed, kind=GUARD) if failed else why


def around(kind: str) -> _Recorder:
    """What is done in a ``with`` block of this, as one point."""
    return _Recorder(current(), kind)


def _backward_node() -> str | None:
    import torch

    node = torch._C._current_autograd_node()
    return node.name() if node is not None else None


def _untraced(function: Callable[..., Any]) -> Callable[..., Any]:
    """What torch.compile neither traces into nor compiles where it meets it, as is true of what it stands for."""
    import torch

    disabled: Callable[..., Any] = torch._dynamo.disable(function, reason=RUNTIME)
    return disabled


def _barrier(session: Session, original: Callable[..., Any]) -> Callable[..., Any]:
    @_untraced
    @functools.wraps(original)
    def step_marker(*args: Any, **kwargs: Any) -> Any:
        if frames.called_by("_clear_pending_ops_before_compile"):
            kind = "clear"
        elif frames.called_by("dynamo_bridge.py"):
            kind = "dynamo"
        else:
            kind = "loader" if frames.called_by("parallel_loader.py") else "sync"
        with _Recorder(session, kind) as recorder:
            result = original(*args, **kwargs)
        if kind in BARRIERS and recorder.outermost:
            site = recorder.site
            if session.marker(kind, site):
                guarded(after_barrier)
                guarded(left_behind.after_barrier)
                guarded(keeping.after_barrier)
                guarded(waiting.step_ended, site)
                dynamo.after_barrier()
            session.stop_if_due(site)
        return result

    return step_marker


def _binding(session: Session, kind: str, original: Callable[..., Any], runs: int) -> Callable[..., Any]:
    @_untraced
    @functools.wraps(original)
    def bound(*args: Any, **kwargs: Any) -> Any:
        # What torch.compile's bridge does to its inputs is a part of running its graph.
        fetched = args[0] if kind == "read" and args and isinstance(args[0], list) else ()
        with _Recorder(session, "dynamo" if frames.called_by("dynamo_bridge.py") else kind, fetched):
            result = original(*args, **kwargs)
            if runs:
                session.add_runs(runs)
            return result

    return bound


def _unnoticed(counters: Counters, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def change(*args: Any, **kwargs: Any) -> Any:
        with counters.being_changed():
            return original(*args, **kwargs)

    return change


def _kernels(session: Session) -> None:
    import _XLAC
    import torch

    global _library
    _library = torch.library.Library("aten", "IMPL")  # dropping it would bring the old kernels back
    fetch = getattr(_XLAC._xla_get_cpu_tensors, "__wrapped__", _XLAC._xla_get_cpu_tensors)
    for name, (transfers, transfer) in _KERNELS.items():
        original = torch.library.get_kernel(f"aten::{name}", "XLA").call_boxed
        counted = _counted(session, original, fetch, transfers, transfer)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "Overriding a previously registered kernel": that is the point
            _library.impl(name, counted, "XLA", with_keyset=True)


def _counted(
    session: Session,
    original: Callable[..., Any],
    fetch: Callable[..., Any],
    transfers: Callable[..., bool],
    transfer: Callable[..., Any],
) -> Callable[..., Any]:
    @_untraced
    def counted(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        if not transfers(*args, **kwargs):
            return original(keyset, *args, **kwargs)
        with _Recorder(session, "read", _fetched(args)):
            return transfer(functools.partial(original, keyset), fetch, *args, **kwargs)

    return counted


def _fetched(args: tuple[Any, ...]) -> list[Any]:
    """The tensors on the device among a kernel's arguments."""
    flat = [item for argument in args for item in (argument if isinstance(argument, list | tuple) else (argument,))]
    return [item for item in flat if getattr(getattr(item, "device", None), "type", None) == "xla"]


def install() -> None:
    """Put the points in place; torch_xla has just been imported."""
    import _XLAC
    import torch_xla

    session = current()
    session.emit(Loaded("torch_xla", torch_xla.__version__, os.environ.get("PJRT_DEVICE", "CPU")))
    session.counters = Counters(_XLAC)
    for name, kind in _BINDINGS.items():
        if hasattr(_XLAC, name):
            runs = 1 if name == "_run_cached_graph" else 0
            setattr(_XLAC, name, _binding(session, kind, getattr(_XLAC, name), runs))
    # met.clear_all(); and dynamo clears the counters for a while, then puts their values back.
    for name in ("_clear_xla_counters", "_clear_xla_metrics", "_xla_increment_counter"):
        if hasattr(_XLAC, name):
            setattr(_XLAC, name, _unnoticed(session.counters, getattr(_XLAC, name)))
    _XLAC._xla_step_marker = _barrier(session, _XLAC._xla_step_marker)
    _kernels(session)
    session.at_end.append(lambda: repeats.at_end(session))
    if folder := dumps.folder():
        lines.begin(_XLAC)
        flags = os.environ.get("XLA_FLAGS", "")
        if "xla_dump_to" not in flags:  # the script has set its own; XLA reads them at the first device
            os.environ["XLA_FLAGS"] = f"{flags} --xla_dump_to={folder} --xla_dump_hlo_as_proto".strip()
