"""Which line of the original a line of the port was: the code before its conversion, where it is known.

It is known in two ways: as what ``--against`` names (and what lies beside it under the same names), and as what git
has of the file before torch_xla came into it. Nothing is written down by the conversion: the port stands alone.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from xlaport.verify.request import VerifyRequest
from xlaport.verify.verdict import Original, Verdict

_PORTED = "torch_xla"
"""Text that is brought in by a port."""
_PATIENCE = 10.0
"""Seconds that a question to git may take: its history may be long."""
_ALIKE = 0.6
"""What two lines have in common, as a share of their tokens, of which one was made of the other."""
_NEARLY = 0.5
"""The same of each line of a block in place of another one with as many lines."""
_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class _Source:
    """The original of one file: where it is, and its lines."""

    file: str
    commit: str | None
    lines: tuple[str, ...]


def with_originals(verdict: Verdict, request: VerifyRequest) -> Verdict:
    """The verdict, each finding with its line in the original where that is known."""
    directory = (request.directory or Path.cwd()).resolve()
    port = None if request.module else (directory / request.script).resolve()
    against = (directory / request.against.script).resolve() if request.against else None
    known: dict[str, dict[int, Original]] = {}
    findings = []
    for item in verdict.findings:
        if item.path and item.line:
            if item.path not in known:
                known[item.path] = _map(Path(item.path), port, against)
            item = replace(item, original=known[item.path].get(item.line))
        findings.append(item)
    return replace(verdict, findings=tuple(findings))


def _map(path: Path, port: Path | None, against: Path | None) -> dict[int, Original]:
    """For each line of a file (from 1) where it was; empty where no original is known, or it is the same."""
    try:
        lines = _read(path)
    except OSError:
        return {}
    source = (_beside(path, port, against) if port and against else None) or _in_git(path, lines)
    if source is None or source.lines == lines:
        return {}
    places = align(source.lines, lines)
    return {
        number: Original(source.file, line, source.commit, new) for number, (line, new) in enumerate(places, 1) if line
    }


def _read(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8", errors="replace").splitlines())


def _beside(path: Path, port: Path, against: Path) -> _Source | None:
    """The file that has the same place beside the original script as this one has beside the port."""
    other = against if path.resolve() == port else against.parent / os.path.relpath(path.resolve(), port.parent)
    try:
        return _Source(str(other), None, _read(other)) if other.resolve() != path.resolve() else None
    except OSError:
        return None


def _in_git(path: Path, lines: Sequence[str]) -> _Source | None:
    """The file before the first commit that brought torch_xla; without such a commit, as it was committed last.

    A file that this very commit made was never another one.
    """
    if not any(_PORTED in line for line in lines):
        return None
    brought = _git(path, "log", f"-S{_PORTED}", "--reverse", "--format=%h", "--", path.name)
    if brought is None:
        return None
    revision = f"{brought.split()[0]}^" if brought.split() else "HEAD"
    text = _git(path, "show", f"{revision}:./{path.name}")
    commit = _git(path, "rev-parse", "--short", revision) if text is not None else None
    return _Source(str(path), commit.strip(), tuple(text.splitlines())) if text is not None and commit else None


def _git(path: Path, *arguments: str) -> str | None:
    """What git says, asked in the folder of a file; `None` where it is not there, or knows nothing of it."""
    try:
        answer = subprocess.run(
            ["git", "-C", str(path.parent), *arguments],
            capture_output=True,
            timeout=_PATIENCE,
            check=True,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.decode("utf-8", "replace")


def align(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, bool]]:
    """For each line of `after` the line (from 1) of `before` that it was.

    True with it: it was none, but comes behind that line (0: at the beginning). Indentation does not count. A line that
    has moved, behind a barrier say, is the one that it was.
    """
    old, new = [line.strip() for line in before], [line.strip() for line in after]
    places: list[tuple[int, bool]] = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            places += [(line + 1, False) for line in range(a, b)]
        elif tag == "insert":
            places += [(a, True)] * (d - c)
        elif tag == "replace":
            places += _rewritten(old, new, a, b, c, d)
    stayed = {line for line, is_new in places if not is_new}
    gone = _single((text, line) for line, text in enumerate(old, 1) if line not in stayed)
    came = _single((text, number) for number, (text, place) in enumerate(zip(new, places, strict=True)) if place[1])
    for text in gone.keys() & came.keys():
        places[came[text]] = gone[text], False
    return places


def _single(lines: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The places of the texts that stand at one place only."""
    found: dict[str, list[int]] = {}
    for text, place in lines:
        found.setdefault(text, []).append(place)
    return {text: places[0] for text, places in found.items() if text and len(places) == 1}


def _rewritten(old: Sequence[str], new: Sequence[str], a: int, b: int, c: int, d: int) -> list[tuple[int, bool]]:
    """The same for a block of lines in place of another: each of the most alike, in their order; or line by line."""
    if b - a == d - c > 1 and all(_ratio(old[a + at], new[c + at], _NEARLY) >= _NEARLY for at in range(b - a)):
        return [(line + 1, False) for line in range(a, b)]
    places = []
    least = a
    for number in range(c, d):
        ratios = {line: _ratio(old[line], new[number]) for line in range(least, b)}
        best = max(ratios, key=lambda line: ratios[line], default=None)
        if best is not None and ratios[best] >= _ALIKE:
            places.append((best + 1, False))
            least = best + 1
        else:
            places.append((least, True))
    return places


def _ratio(one: str, other: str, least: float = _ALIKE) -> float:
    matcher = difflib.SequenceMatcher(None, _TOKEN.findall(one), _TOKEN.findall(other), autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= least else 0.0
