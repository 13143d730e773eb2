"""Findings that say the same: told once, with the places of the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from xlaport.config import SEVERAL_PROCESSES
from xlaport.finding import Harm
from xlaport.report.places import Places
from xlaport.report.printable import printable
from xlaport.report.view import View
from xlaport.result import FileResult, ReportedFinding

_PLACES = 6
"""So many places of findings that are fixed, and alike, are named."""
_NAMES = re.compile(r"`[^`]*`|\d+")


@dataclass
class Group:
    """A finding, as it was found and as it is told, and those that say the same further on."""

    finding: ReportedFinding
    told: ReportedFinding
    others: list[ReportedFinding] = field(default_factory=list)
    """As they are told."""


def grouped(files: Sequence[FileResult], view: View, *, fold: bool) -> list[tuple[FileResult, list[Group]]]:
    """What is shown of each file that has something to show.

    With `fold`, what differs from a finding above it in names and lines only is told with that one. What is the same to
    the letter is so also where that is in another file, but for what a file leaves to the user: that stands with it,
    unless a whole job needs to be told once, or it is a leftover.
    """
    everywhere: dict[tuple[object, ...], Group] = {}
    found: list[tuple[FileResult, list[Group]]] = []
    for file in files:
        places = Places(file)
        here: dict[tuple[object, ...], Group] = {}
        shown: list[Group] = []
        for finding in file.findings:
            if finding.fixed and view.fixed is None:
                continue
            told = places.finding(finding) if view.written else finding
            exact = (finding.code, view.mark(finding), finding.message, finding.notes)
            alike = (*exact[:2], _NAMES.sub("`", finding.message), finding.notes)
            elsewhere = everywhere.get(exact) if not view.is_left(finding) or _is_of_a_job(finding) else None
            first = (elsewhere or here.get(alike)) if fold else None
            if first is not None:
                first.others.append(told)
                continue
            group = everywhere[exact] = here[alike] = Group(finding, told)
            shown.append(group)
        if shown:
            found.append((file, shown))
    return found


def _is_of_a_job(finding: ReportedFinding) -> bool:
    return finding.harm is Harm.LEFTOVER or finding.code.startswith(SEVERAL_PROCESSES)


def also(group: Group, view: View) -> str:
    """Where else it is so: ``2 more like this: lines 12, 40``. Of what is left to the user, no place is passed over."""
    if not group.others:
        return ""
    shown = group.others if view.is_left(group.finding) else group.others[:_PLACES]
    by_file: dict[str, list[str]] = {}
    for other in shown:
        line = f"{other.line}" if other.cell is None else f"{other.line} of cell {other.cell}"
        by_file.setdefault(other.path, []).append(line)
    parts = [_in_file(path, list(dict.fromkeys(lines)), path == group.told.path) for path, lines in by_file.items()]
    more = ", …" if len(group.others) > len(shown) else ""
    return f"{len(group.others)} more like this: {'; '.join(parts)}{more}"


def _in_file(path: str, lines: Sequence[str], is_same: bool) -> str:
    numbers = f"line{'s' if len(lines) > 1 else ''} {', '.join(lines)}"
    return numbers if is_same else f"{printable(path)} {numbers}"
