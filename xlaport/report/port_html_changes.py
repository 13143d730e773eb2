"""The changes of the files of a port: each change with the findings behind it, and those of a file folded away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xlaport.report.hunks import Changes
from xlaport.report.markup import Markup, element
from xlaport.report.page import diff, ended, prose
from xlaport.result import FileResult, ReportedFinding

_OPEN = 3
"""So many files are shown unfolded."""
_MOST = 3000
"""Rows of one file's diff that are shown."""
_LONGEST = 400
"""Characters of a line that are shown."""
_CONTEXT = 3


def files(changed: Sequence[FileResult]) -> Iterator[Markup]:
    """All that changes, file by file."""
    for number, file in enumerate(changed):
        changes = Changes(file)
        hunks = changes.hunks
        added, removed = sum(len(hunk.added) for hunk in hunks), sum(len(hunk.removed) for hunk in hunks)
        yield element(
            "details",
            element(
                "summary",
                element("b", _name(file)),
                " ",
                element("span", f"+{added}", class_="plus"),
                " ",
                element("span", f"\N{MINUS SIGN}{removed}", class_="minus"),
            ),
            *_parts(changes),
            id=f"changes-{number}",
            open="" if len(changed) <= _OPEN else None,
            class_="file",
        )


def shortened(text: str) -> str:
    """A line of source, cut where nobody reads on."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def _name(file: FileResult) -> str:
    return file.findings[0].path if file.findings else file.path.as_posix()


def _parts(changes: Changes) -> Iterator[Markup]:
    """The parts of the file's diff, and behind each what was found in its lines."""
    fixed = [finding for finding in changes.file.findings if finding.fixed]
    places = {finding: [hunk.start for hunk in changes.of(finding)] for finding in fixed}
    said: set[ReportedFinding] = set()
    shown = 0
    for group in changes.groups(_CONTEXT):
        rows = list(_rows(group, changes.before, changes.after))
        if shown >= _MOST:
            yield element("p", "The rest is left out here: xlaport convert --diff shows it.", class_="muted")
            return
        shown += len(rows)
        first, last = group[0][1] + 1, group[-1][2]
        yield element("p", f"line {first}", class_="muted where")
        yield diff(rows[:_MOST])
        here = [
            finding
            for finding, starts in places.items()
            if finding not in said and any(first <= start <= last + 1 for start in starts)
        ]
        said.update(here)
        yield from _remarks(here)
    rest = [finding for finding in places if finding not in said]
    if rest:
        yield element("p", "Besides, in this file:", class_="muted where")
        yield from _remarks(rest)


def _rows(
    group: Sequence[tuple[str, int, int, int, int]], before: Sequence[str], after: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for tag, a, b, c, d in group:
        if tag == "equal":
            yield from ((" ", shortened(line)) for line in before[a:b])
        else:
            yield from (("-", shortened(line)) for line in before[a:b])
            yield from (("+", shortened(line)) for line in after[c:d])


def _remarks(findings: Sequence[ReportedFinding]) -> Iterator[Markup]:
    """What was found, with the lines where it was the same."""
    same: dict[tuple[str, str], list[ReportedFinding]] = {}
    for finding in findings:
        same.setdefault((finding.code, finding.message), []).append(finding)
    for (code, message), found in same.items():
        numbers = list(dict.fromkeys(str(finding.line) for finding in found))
        where = f"line{'s' * (len(numbers) > 1)} {', '.join(numbers)}: "
        is_unsafe = found[0].applicability.value == "unsafe"
        yield element(
            "div",
            element("a", code, href=f"#rule-{code}"),
            " ",
            element("span", "unsafe", class_="tag unsafe") if is_unsafe else None,
            " " if is_unsafe else None,
            where,
            *prose(ended(message)),
            class_="remark done",
        )
