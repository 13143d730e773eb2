"""What the judge says: plain objects that the reports are views of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xlaport.verify.events import Change, Site, TensorsSeen
from xlaport.verify.on_chip import OnChip, SteadyGraph
from xlaport.verify.request import TORCH_TPU, TORCH_XLA, table_of
from xlaport.wording import Text

LISTED_STEPS = 20
"""Step numbers that a finding lists, at most."""


@dataclass(frozen=True)
class Original:
    """Where a line was before the conversion: `line` (from 1) of `file` (absolute), in a git `commit` if that is what
    is known of it. `new`: there was no such line; it comes behind that one.
    """

    file: str
    line: int
    commit: str | None = None
    new: bool = False


@dataclass(frozen=True)
class VerdictFinding:
    """One thing that was seen, with its place (absolute path, line from 1) where it has one.

    `severity` is ``fail`` (it decides the verdict) or ``note``. `count` says how often, `steps` in which
    steps (from 1). `rule` is the code that `xlaport explain` knows, `original` the line that this one was before it
    was ported, where that is known. `replicas`: in which of several it was seen. A finding stands on its cause;
    `seen_at` is where the run showed it, if that is another line. `callers`: of an exception, the user's frames around
    its own, the innermost first.
    """

    kind: str
    severity: str
    reason: str
    advice: str = ""
    path: str | None = None
    line: int | None = None
    function: str | None = None
    count: int = 0
    steps: tuple[int, ...] = ()
    rule: str | None = None
    original: Original | None = None
    replicas: tuple[int, ...] = ()
    seen_at: Site | None = None
    callers: tuple[Site, ...] = ()


def finding(
    said: Text,
    severity: str,
    site: Site | None = None,
    *,
    count: int = 0,
    steps: Iterable[int] = (),
    rule: str | None = None,
    seen_at: Site | None = None,
) -> VerdictFinding:
    """A finding of the kind that a text is for, at a site of the user's source."""
    elsewhere = seen_at is not None and site is not None and (seen_at.path, seen_at.line) != (site.path, site.line)
    return VerdictFinding(
        said.code,
        severity,
        said.message,
        said.recipe,
        site.path if site else None,
        site.line if site else None,
        site.function if site else None,
        count,
        tuple(sorted(set(steps)))[:LISTED_STEPS],
        rule,
        seen_at=seen_at if elsewhere else None,
    )


@dataclass(frozen=True)
class Series:
    """One figure: over the whole run, after warm-up, and step by step."""

    total: int = 0
    after_warmup: int = 0
    per_step: tuple[int, ...] = ()


@dataclass(frozen=True)
class Loop:
    """The steps of one loop: their numbers, how many of them are warm-up, and whether an optimizer steps in it.

    `proven`: enough steps ran to judge those behind the warm-up.
    """

    site: Site | None
    steps: tuple[int, ...]
    warmup: int
    trains: bool
    proven: bool = True

    @property
    def steady(self) -> tuple[int, ...]:
        """The steps behind the warm-up; none where too few ran to know."""
        return self.steps[self.warmup :] if self.proven else ()


@dataclass(frozen=True)
class Compilation:
    """Graphs that one call compiled: in which step and where, how long it took (seconds), and how the last of them
    differs from an earlier one of the same place, in words and side by side.
    """

    step: int
    kind: str
    site: Site | None
    count: int
    seconds: float
    reason: str | None = None
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Details:
    """What a run was, and what was done in it, for the reports that show more than the verdict.

    `versions` are those of torch and torch_xla, `budgets` the limits in words. `graph_sizes` is the mean size of
    the graphs executed in each step, in IR nodes; 0 where none was. `seconds` is the whole run's wall-clock time.
    `stopped`: after the wanted number of steps, so that what the script does behind them was not seen. `graphs` are
    those of the steady steps, where they are kept, `tensors` what lay on the device between two of them.
    """

    command: tuple[str, ...] = ()
    directory: str = ""
    seconds: float = 0.0
    versions: tuple[tuple[str, str], ...] = ()
    budgets: tuple[tuple[str, str], ...] = ()
    loops: tuple[Loop, ...] = ()
    compilations: tuple[Compilation, ...] = ()
    graph_sizes: tuple[int, ...] = ()
    stopped: bool = False
    graphs: tuple[SteadyGraph, ...] = ()
    tensors: TensorsSeen | None = None


@dataclass(frozen=True)
class Figure:
    """One number of both runs: the `what` (``loss``, ``gradient norm``) before the `step`-th optimizer step."""

    step: int
    what: str
    original: float
    port: float
    allowed: float

    @property
    def apart(self) -> float:
        """The relative difference; 0 where both are no numbers, infinite where one of them is."""
        if self.original == self.port or (self.original != self.original and self.port != self.port):
            return 0.0
        apart = abs(self.original - self.port) / max(abs(self.original), abs(self.port))
        return apart if apart == apart else float("inf")

    @property
    def agrees(self) -> bool:
        """Whether the difference is no more than what is allowed."""
        return self.apart <= self.allowed


@dataclass(frozen=True)
class Parity:
    """Whether the port trains as its original does.

    `verdict` is ``pass``, ``fail``, or ``error`` (it cannot be told). `original` is the file compared with.
    `figures` are in the order of the program; `parted` is the step of the first one that differs. Where they agree,
    `lines` that the original prints or writes, and `files` that it saves, were compared, too. `is_idle`: the original
    trains nothing, so that only these can be compared, if there are any. `device`: where the original ran.
    """

    verdict: str
    original: str
    steps: int = 0
    parted: int | None = None
    figures: tuple[Figure, ...] = ()
    lines: int = 0
    files: int = 0
    is_idle: bool = False
    device: str = "cpu"


@dataclass(frozen=True)
class Replica:
    """The verdict on one replica of a distributed program, by its ordinal. `count`: how many there are in all, of
    which some may run on other machines; `played`: on XLA:CPU, without meeting the others.
    """

    ordinal: int
    count: int
    verdict: str
    played: bool = False
    steps: int = 0
    warmup: int = 0
    compiles: Series = Series()
    executions: Series = Series()
    transfers: Series = Series()
    stalling: Series = Series()


@dataclass(frozen=True)
class Verdict:
    """The outcome of a verification.

    `verdict` is ``pass``, ``fail`` (the port is not right yet) or ``error`` (the script or the set-up failed,
    or too little was run to tell). `warmup` is the number of steps the main loop needed until it compiled no
    more. `stalling` are the transfers that somebody waits for. `parity` is there where the port was compared with its
    original. Of several `replicas` (none for one process), the figures are those of the one with the worst verdict.
    """

    verdict: str
    device: str
    torch_xla: str | None
    steps: int = 0
    warmup: int = 0
    compiles: Series = Series()
    executions: Series = Series()
    transfers: Series = Series()
    fallbacks: tuple[tuple[str, int], ...] = ()
    findings: tuple[VerdictFinding, ...] = ()
    details: Details = Details()
    parity: Parity | None = None
    replicas: tuple[Replica, ...] = ()
    stalling: Series = Series()
    chips: tuple[OnChip, ...] = ()
    """What a TPU would make of it, for each of those that were asked for."""
    torch_tpu: str | None = None
    """Its version, where the script has run on that in place of torch_xla."""

    @property
    def target(self) -> str:
        """What the script has run on."""
        return TORCH_TPU if self.torch_tpu is not None else TORCH_XLA

    @property
    def table(self) -> str:
        """What the texts for it alone are called: `Target.table`."""
        return table_of(self.target)

    @property
    def steady(self) -> int:
        """How many steps lie behind the warm-up of their loop."""
        return sum(len(loop.steady) for loop in self.details.loops)

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 2 error."""
        return {"pass": 0, "fail": 1}.get(self.verdict, 2)
