"""What the judge says: plain objects that the reports are views of."""

from __future__ import annotations

from dataclasses import dataclass

LISTED_STEPS = 20
"""Step numbers that a finding lists, at most."""


@dataclass(frozen=True)
class VerdictFinding:
    """One thing that was seen, with its place (absolute path, line from 1) where it has one.

    `severity` is ``fail`` (it decides the verdict) or ``note``. `count` says how often, `steps` in which
    steps (from 1). `rule` is the code that `xlaport explain` knows.
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


@dataclass(frozen=True)
class Series:
    """One figure: over the whole run, after warm-up, and step by step."""

    total: int = 0
    after_warmup: int = 0
    per_step: tuple[int, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """The outcome of a verification.

    `verdict` is ``pass``, ``fail`` (the port is not right yet) or ``error`` (the script or the set-up failed,
    or too little was run to tell). `warmup` is the number of steps the main loop needed until it compiled no
    more.
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

    @property
    def exit_code(self) -> int:
        """0 pass, 1 fail, 2 error."""
        return {"pass": 0, "fail": 1}.get(self.verdict, 2)
