"""What the rules say of the code that was run: the lines to change for what `verify` saw.

A run shows where the runtime had to compile or wait, which is seldom the line that is to blame: a graph is compiled
at the barrier, and the shape that was new comes from the function that puts the batches together. The rules know
such lines from the source. Only here do the two halves meet.
"""

from __future__ import annotations

import difflib
import linecache
import os
import shlex
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from xlaport import run, source
from xlaport.config import Config
from xlaport.errors import UserError
from xlaport.facts.import_graph import ImportGraph, Texts
from xlaport.facts.packages import Packages
from xlaport.finding import Applicability, Harm
from xlaport.observed.record import NOTHING_OBSERVED, Observations
from xlaport.result import ReportedFinding
from xlaport.targets.known import DEFAULT
from xlaport.verify.request import TORCH_TPU
from xlaport.verify.verdict import Verdict, VerdictFinding

_MOST_FILES = 80
"""Files of the program that are looked at, the nearest first: more would keep the reader waiting."""
_SOON = 12
"""Lines behind the one that a rule speaks of in which its edit may begin: a barrier comes at the end of a loop."""
_SPEAKS_OF = {
    "recompile": (
        *("XP310", "XP401", "XP402", "XP403", "XP404", "XP406", "XP407", "XP408", "XP409", "XP412", "XP413", "XP415"),
        *("XP417", "XP420", "XP421", "XP422", "XP424"),
    ),
    "untied": ("XP205",),
    "samples-lost": ("XP202",),
    "fallback": ("XP310", "XP406", "XP407", "XP408", "XP411", "XP412", "XP419"),
    "host-read": ("XP3", "XP403", "XP407", "XP409", "XP415", "XP422", "XP424"),
    "extra-execution": ("XP3", "XP403", "XP407", "XP409", "XP415", "XP422", "XP424"),
    "graph-break": ("XP3", "XP403", "XP406", "XP407", "XP408", "XP409", "XP415"),
    "no-barrier": ("XP201", "XP206", "XP211"),
    "extra-barrier": ("XP206", "XP207"),
    "not-training": ("XP203", "XP205", "XP208"),
    "nothing-executed": ("XP1", "XP603"),
    "not-distributed": ("XP603",),
    "replicas-apart": ("XP603",),
    "script-failed": ("XP",),
    "replicas-differ": ("XP603", "XP420", "XP401"),
}
"""The rules, by the beginnings of their codes, that speak of a kind of finding."""
_FEW_GRAPHS = {"XP420"}
"""Rules that speak of one graph more, and not of one after the other."""
_ANYWHERE = {"recompile", "nothing-executed"}
"""Kinds whose cause is seldom in the line where the run showed it."""
_IN_THE_FILE = {"no-barrier", "extra-barrier", "not-training", "not-distributed", "replicas-apart"}
"""Kinds whose cause is at another line of the same file."""
_RAISES = "script-failed"
"""The kind for which a rule counts that speaks of a stop, in whatever line led there."""
_BUILT = {"XP310"}
"""Rules that speak of the line where an optimizer is built: its steps are seen to do it."""


@dataclass(frozen=True)
class Fix:
    """What `xlaport convert` would do about a finding of the rules: the command, and the lines as they would be.

    `rows` are those of a unified diff of the file, without its header.
    """

    command: str
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Cause:
    """A line that a rule speaks of, by its absolute path; and the rewrite that the rule offers, if it has one."""

    finding: ReportedFinding
    path: str
    fix: Fix | None


@dataclass(frozen=True)
class Causes:
    """All that the rules say of the files of one program, the surest causes of new graphs first."""

    found: tuple[Cause, ...] = ()

    def of(self, item: VerdictFinding) -> tuple[Cause, ...]:
        """The lines that may be to blame for what the run showed."""
        codes = _SPEAKS_OF.get(item.kind, ())
        spoken = tuple(cause for cause in self.found if cause.finding.code.startswith(codes)) if codes else ()
        if item.kind == _RAISES:
            return self._raising(item, spoken)
        here = tuple(cause for cause in spoken if (cause.path, cause.finding.line) == (item.path, item.line))
        if not here and item.path and item.line and ".step(" in linecache.getline(item.path, item.line):
            here = tuple(cause for cause in spoken if cause.finding.code in _BUILT)
        if here or item.kind in _ANYWHERE:
            return here or tuple(cause for cause in spoken if cause.finding.code not in _BUILT)
        return tuple(cause for cause in spoken if cause.path == item.path) if item.kind in _IN_THE_FILE else ()

    def _raising(self, item: VerdictFinding, spoken: tuple[Cause, ...]) -> tuple[Cause, ...]:
        """What is said to stop in one of the lines that led to an exception: the innermost of which that is said."""
        for place in ((item.path, item.line), *((site.path, site.line) for site in item.callers)):
            here = [cause for cause in spoken if (cause.path, cause.finding.line) == place]
            if stops := tuple(cause for cause in here if cause.finding.harm is Harm.STOPS):
                return stops
        return ()


NO_CAUSES = Causes()
"""Nothing is known of the source."""


def look(verdict: Verdict, script: Path | None = None, observed: Observations = NOTHING_OBSERVED) -> Causes:
    """What the rules say of the script, of the files that the verdict names, and of those that they import.

    `observed`: what a run has shown of them. Files that are not there any more, as in a recorded run, are left out; so
    is what the rules cannot read.
    """
    unclear = any(item.severity == "fail" and item.kind in _SPEAKS_OF for item in verdict.findings)
    # By their true paths; shown are those that the run has named.
    files = _program(verdict, script) if unclear else {}
    if not files:
        return NO_CAUSES
    paths = [Path(file) for file in files]
    target = TORCH_TPU if verdict.target == TORCH_TPU else DEFAULT
    result = run.convert(paths, Config(unsafe=True, observed=observed, target=target))
    # A safe fix is shown as the command without --unsafe writes it.
    is_safe = any(item.fixed and item.applicability is Applicability.SAFE for item in result.findings)
    safe = {file.path: file.after for file in run.convert(paths, Config(target=target)).files} if is_safe else {}
    causes: list[Cause] = []
    for file in result.files:
        for finding in file.findings:
            path = os.path.realpath(file.path)
            after = safe.get(file.path) if finding.applicability is Applicability.SAFE else file.after
            is_fixed = finding.fixed and finding.applicability is not Applicability.MANUAL
            fix = _fix(file.before, after or file.before, finding) if is_fixed else None
            causes.append(Cause(finding, files.get(path, path), fix))
    # Of what one rule says of one line, the rewrite that changes most is the one that the others led to.
    order = [Applicability.MANUAL, Applicability.SAFE, Applicability.UNSAFE]
    causes.sort(key=lambda cause: order.index(cause.finding.applicability))
    kept = {(cause.path, cause.finding.line, cause.finding.code): cause for cause in causes}
    changed = {
        (change.path, change.line)
        for item in verdict.details.compilations
        for change in item.changes
        if change.path and change.line
    }
    return Causes(tuple(sorted(kept.values(), key=lambda cause: _rank(cause, list(files.values()), changed))))


def _rank(cause: Cause, files: Sequence[str], changed: Collection[tuple[str, int]]) -> tuple[float, ...]:
    """A line that made a difference between two graphs comes first, then what can be rewritten, then what is near."""
    place = cause.path, cause.finding.line
    near = files.index(cause.path) if cause.path in files else len(files)
    few = cause.finding.code in _FEW_GRAPHS
    return few, place not in changed, cause.fix is None, near, cause.finding.line


def _fix(before: str, after: str, finding: ReportedFinding) -> Fix:
    unsafe = " --unsafe" * (finding.applicability is Applicability.UNSAFE)
    return Fix(
        f"xlaport convert{unsafe} {shlex.quote(finding.path)}",
        tuple(_near(before.splitlines(), after.splitlines(), finding.line)),
    )


def _near(before: Sequence[str], after: Sequence[str], line: int) -> Iterable[str]:
    """The rows of the part of a diff that touches a line, or comes soon behind it, with little around it."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for group in matcher.get_grouped_opcodes(1):
        start, end = group[0][1], group[-1][2]
        if not start - _SOON < line <= end:
            continue
        for tag, a, b, c, d in group:
            if tag == "equal":
                yield from (f" {row}" for row in before[a:b])
            else:
                yield from (f"-{row}" for row in before[a:b])
                yield from (f"+{row}" for row in after[c:d])
        return


def _program(verdict: Verdict, script: Path | None) -> dict[str, str]:
    """The files of the program, the nearest first: what is known to have run, and what that imports from its own
    project. Their true paths, and the paths by which the run knows them.
    """
    named = [str(script)] if script else []
    named += [item.path for item in verdict.findings if item.path]
    named += [site.path for item in verdict.findings for site in item.callers]
    named += [loop.site.path for loop in verdict.details.loops if loop.site]
    found: dict[str, str] = {}
    for name in named:
        path = os.path.abspath(os.path.join(verdict.details.directory, name))
        if path.endswith(".py") and os.path.isfile(path):
            found.setdefault(os.path.realpath(path), path)
    todo = list(found)
    graph = ImportGraph(tuple(todo), Packages(todo), Texts({}, _read))
    while todo:
        for other in graph.imported(todo.pop(0)):
            if other not in found and f"{os.sep}site-packages{os.sep}" not in other and len(found) < _MOST_FILES:
                found[other] = other
                todo.append(other)
    return found


def _read(file: str) -> bytes | None:
    try:
        return source.read_bytes(Path(file))
    except UserError:
        return None
