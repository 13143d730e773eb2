"""What the probe records and the judge reads: one JSON object per line, one file per process.

The probe imports this very module inside the child (see `probe/sitecustomize.py`), so there is one definition
of the format. It therefore uses the standard library only.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, get_args

from .counts import Counts as Counts
from .counts import Site as Site
from .device_events import TensorsSeen as TensorsSeen
from .output_events import FileSeen as FileSeen
from .output_events import LineSeen as LineSeen
from .output_events import ValueSeen as ValueSeen
from .parameter_events import LeftBehind as LeftBehind
from .parameter_events import OptimizerSeen as OptimizerSeen
from .parameter_events import ParametersCompared as ParametersCompared
from .replica_events import GraphSeen as GraphSeen
from .replica_events import ReplicaSeen as ReplicaSeen

BARRIERS = ("sync", "loader")
"""The kinds of points, and of boundaries, that are barriers."""
RENDEZVOUS = "rendezvous"
"""The kind of point in which replicas meet outside of their graphs."""
CAST = "cast"
"""What is noticed where a module is cast to a lower precision."""
STALE = "stale-averages"
"""What is noticed where a norm evaluates with averages that its training has not moved."""
RAN = "model-ran"
"""What is noticed where a module is called for the first time."""


@dataclass(frozen=True)
class Loaded:
    """A package has been imported in the child: `module` is ``torch`` or ``torch_xla``; `device` is
    PJRT's.
    """

    type: ClassVar[str] = "loaded"
    module: str
    version: str
    device: str = ""


@dataclass(frozen=True)
class Change:
    """One operation that differs between two graphs: as it was and as it is, empty where there is none, and the
    user's line that it comes from.
    """

    before: str
    after: str
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True)
class Point:
    """One call in which the runtime compiled, executed, transferred or fell back.

    `kind`: ``sync``, ``loader`` (a barrier), ``clear`` (the barrier on entry to ``torch_xla.step()``), ``read`` (a
    tensor's value is wanted on the host), ``fallback``, ``save`` (tensors are materialised), ``rendezvous`` (replicas
    meet outside of their graphs), ``dynamo`` (a graph of torch.compile), ``retraced`` (a guard of torch.compile
    failed, as `reason` says: the function at the site was traced once more), ``gave-up`` (it was not, after so many
    times). `backward` names the autograd node if the call came out of the backward pass. `reason` says how the graph
    that was compiled here differs from the one before it, where the probe could tell. `direct`: the user's line asked
    for it itself; else a library that it called did, which may do so several times in one call. `changes` are the two
    graphs of the `reason`, side by side. `seconds`: how long the call took, compiling included. `thread`: which of
    the threads that the script started it ran in; 0 for the main thread and those of the autograd engine. `graph`:
    the digest of the graph that a replica has compiled here. `cause`: the kind of the `reason`, of those in
    `differences`; `place`: the user's line that it speaks of. `overlaps`: nobody waits for this transfer (see
    `probe/waiting.py`). `offset`: which of the calls in the user's line it is. `repeats`: so often the graph that was
    compiled here holds the work of one line in a loop, `repeated`. `plain`: that graph multiplies no matrices and
    convolves nothing, as that of a check or of a metric does not; None where it was not looked at.
    """

    type: ClassVar[str] = "point"
    kind: str
    site: Site | None
    added: Counts
    backward: str | None = None
    reason: str | None = None
    direct: bool = True
    changes: tuple[Change, ...] = ()
    seconds: float = 0.0
    thread: int = 0
    graph: str | None = None
    cause: str = ""
    place: Site | None = None
    overlaps: bool = False
    offset: int = 0
    repeats: int = 0
    repeated: Site | None = None
    dumps: tuple[str, ...] = ()
    plain: bool | None = None


@dataclass(frozen=True)
class Boundary:
    """A step may end here: a barrier (`source` ``marker``) or an optimizer's step (`source` ``optimizer``).

    `totals` counts from the start of the process. A marker is recorded only if something was executed since
    the marker before it. `seconds` have gone by since the recording began, for `waited` of which the main thread
    has waited for batches. `backwards`: since the marker before, so many backward passes came from `backward_site`, the
    line with most of them.
    """

    type: ClassVar[str] = "boundary"
    source: str
    kind: str
    site: Site | None
    totals: Counts
    optimizer: int | None = None
    thread: int = 0
    seconds: float = 0.0
    waited: float = 0.0
    backwards: int = 0
    backward_site: Site | None = None


@dataclass(frozen=True)
class LoaderFailed:
    """A data loader raised, after it gave `delivered` batches of the `expected` that its length tells.

    `background`: in another thread than the main one, where torch_xla's loaders drop the error and end the epoch.
    """

    type: ClassVar[str] = "loader-failed"
    site: Site | None
    error: str
    delivered: int
    expected: int | None
    background: bool


@dataclass(frozen=True)
class GraphBreak:
    """torch.compile could not trace a line (`site`) of what it compiles. `function` is the compiled function that was
    cut there, or, if `whole`, was given up as a whole. `message` is the beginning of what torch says.
    """

    type: ClassVar[str] = "graph-break"
    site: Site | None
    function: str
    whole: bool
    message: str


@dataclass(frozen=True)
class Untied:
    """Parameters that were one became several where a module moved to the device, and nobody has made them one again.

    `names` are those under which the module knows them, as ``decoder.weight``.
    """

    type: ClassVar[str] = "untied"
    site: Site | None
    names: tuple[str, ...]


@dataclass(frozen=True)
class Pending:
    """So many operations were noted down for the device, and nothing was ever run. `repeats`: what is left of them
    holds the work of one line in a loop, `repeated`, so often.
    """

    type: ClassVar[str] = "pending"
    operations: int
    repeats: int = 0
    repeated: Site | None = None


@dataclass(frozen=True)
class Trouble:
    """The probe could not do its work; the script goes on without it."""

    type: ClassVar[str] = "trouble"
    message: str


@dataclass(frozen=True)
class Lost:
    """Events of the run that could not be written, and why: what is known of it is not all."""

    type: ClassVar[str] = "lost"
    message: str


@dataclass(frozen=True)
class Halted:
    """Where a process was when it was ended, or crashed: added by the parent (`xlaport/verify/aftermath.py`).

    `site` is the user's line; `fatal` Python's word for a crash, as ``Segmentation fault``. `over`: the main program
    had ended, and a thread, at `site`, had not. `compiling`: for so many seconds a graph of so many `operations` (0
    where they could not be counted) had been in the compiler.
    """

    type: ClassVar[str] = "halted"
    site: Site | None
    fatal: str = ""
    over: bool = False
    compiling: float = 0.0
    operations: int = 0


@dataclass(frozen=True)
class End:
    """The process ends, as far as it could still say so. `reason`: ``exit`` or ``steps`` (we ended it)."""

    type: ClassVar[str] = "end"
    reason: str
    totals: Counts


@dataclass(frozen=True)
class LossSeen:
    """A tensor on which a backward pass was called: the `number`-th of the run (from 1), before the `step`-th
    step of any optimizer. `value` is its sum, in the tensor's own precision, before a GradScaler scaled it.

    These four are recorded in a run for parity alone (`xlaport/verify/probe/parity.py`), when the values can be
    read without a word from the script: not in the order of the other events.
    """

    type: ClassVar[str] = "loss"
    number: int
    step: int
    value: float
    dtype: str
    site: Site | None


@dataclass(frozen=True)
class StepSeen:
    """The `step`-th step of any optimizer (from 1), before it: `gradient` is the norm of all gradients it holds,
    of `with_gradient` of its `parameters`. `generators` are fingerprints of the host's random generators.
    """

    type: ClassVar[str] = "stepped"
    step: int
    optimizer: int
    gradient: float
    parameters: int
    with_gradient: int
    generators: dict[str, int]
    site: Site | None


@dataclass(frozen=True)
class ParameterSeen:
    """A parameter that an optimizer holds, at its place in there: before its first step (`end` false), and
    after the last one of the run. `values` are some of its elements, spread over it, `norm` is that of all.
    """

    type: ClassVar[str] = "parameter"
    optimizer: int
    place: int
    name: str
    shape: tuple[int, ...]
    dtype: str
    norm: float
    values: tuple[float, ...]
    end: bool


@dataclass(frozen=True)
class Noticed:
    """Something that bears on whether two runs can be compared, where it was first seen.

    `what`: ``autocast`` (`detail`: the dtype), ``device-draw`` (random numbers were drawn for the device),
    ``dropout`` (`detail`: ``on``, or ``off`` for this run), ``batch-norm`` (one has trained in the original),
    ``failed`` (the script, behind its training; `detail`: why), ``model-ran`` (a module was called),
    ``cast`` (a module, to a lower precision; `detail`: the dtype), ``stale-averages`` (`detail`: torch_tpu's version).
    """

    type: ClassVar[str] = "noticed"
    what: str
    detail: str
    site: Site | None


Event = (
    Loaded
    | Point
    | Boundary
    | OptimizerSeen
    | ParametersCompared
    | LeftBehind
    | LoaderFailed
    | GraphBreak
    | Untied
    | LossSeen
    | StepSeen
    | ParameterSeen
    | Noticed
    | LineSeen
    | ValueSeen
    | FileSeen
    | ReplicaSeen
    | GraphSeen
    | TensorsSeen
    | Pending
    | Trouble
    | Lost
    | Halted
    | End
)
_TYPES: dict[str, type[Any]] = {cls.type: cls for cls in get_args(Event)}
_SITES = ("site", "built", "place", "repeated", "backward_site")
_COUNTS = ("added", "totals")
_TUPLES = ("shape", "values", "names", "collectives", "dumps")


@dataclass(frozen=True)
class Trace:
    """All events of one process, in order."""

    pid: int
    events: tuple[Event, ...]

    @property
    def loaded(self) -> dict[str, str]:
        """The versions of the packages that were imported."""
        return {event.module: event.version for event in self.events if isinstance(event, Loaded)}

    @property
    def device(self) -> str:
        """What PJRT was told to run on; empty where torch_xla was never imported."""
        return next((event.device for event in self.events if isinstance(event, Loaded) and event.device), "")


def encode(event: Event) -> str:
    """One line of JSON, without the newline."""
    return json.dumps({"type": event.type, **asdict(event)}, separators=(",", ":"))


def decode(line: str) -> Event:
    """The event of one line; `ValueError` if it is not one."""
    data = json.loads(line)
    if not isinstance(data, dict) or str(data.get("type")) not in _TYPES:
        raise ValueError(f"not an event: {line[:80]!r}")
    cls = _TYPES[data.pop("type")]
    names = {item.name for item in fields(cls)}
    values = {name: value for name, value in data.items() if name in names}
    try:
        for name in _SITES:
            if isinstance(values.get(name), dict):
                values[name] = Site(**values[name])
        for name in _COUNTS:
            if name in values:
                values[name] = Counts(**values[name])
        if "changes" in values:
            values["changes"] = tuple(Change(**change) for change in values["changes"])
        if "tensors" in values:
            values["tensors"] = tuple((what, kind, tuple(sizes), n) for what, kind, sizes, n in values["tensors"])
        for name in _TUPLES:
            if name in values:
                values[name] = tuple(values[name])
        event: Event = cls(**values)
    except TypeError as error:
        raise ValueError(f"not an event: {error}") from None
    return event


def read_lines(lines: Iterable[str]) -> Iterator[Event]:
    """The events of a file, without lines that are none: a killed child leaves its last line torn, and so does a
    disk that is full for a while.
    """
    for line in lines:
        with contextlib.suppress(ValueError):
            yield decode(line)


def read_directory(directory: Path) -> tuple[Trace, ...]:
    """The traces of all processes that wrote into `directory`, by process number."""
    traces = []
    for path in directory.glob("*.jsonl"):
        with path.open(encoding="utf-8", errors="replace") as file:
            traces.append(Trace(int(path.stem), tuple(read_lines(file))))
    return tuple(sorted(traces, key=lambda trace: trace.pid))


def busiest(traces: Iterable[Trace]) -> Trace | None:
    """The process to judge: the one with the most step boundaries, else the one that saw the most packages.

    Loader workers and launchers have no boundaries. The replicas of a distributed run do the same work each,
    so one of them speaks for all.
    """

    def weight(trace: Trace) -> tuple[int, int, int]:
        boundaries = sum(isinstance(event, Boundary) for event in trace.events)
        return boundaries, len(trace.loaded), -trace.pid

    return max(traces, key=weight, default=None)
