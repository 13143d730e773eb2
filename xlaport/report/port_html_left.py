"""What a conversion leaves: by rule, each advice once, with the lines that it is for."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xlaport.report.hunks import Changes, lines, offer
from xlaport.report.markup import Markup, element
from xlaport.report.page import advice, diff, ended, prose, sentence
from xlaport.report.port_html_changes import shortened
from xlaport.result import FileResult, ReportedFinding

_BESIDE = 1
"""Lines that are shown above and below one."""
_UNFOLDED = 8
"""Places of one advice that are shown at once."""
_UNFOLDED_ROWS = 20
"""Lines of one rewrite that are shown at once."""

Place = tuple[FileResult, ReportedFinding]


@dataclass(frozen=True)
class Left:
    """What is known of a run. `written`: whether its changes are in the files."""

    summaries: Mapping[str, str]
    """What the rules say of themselves."""
    links: Mapping[str, str]
    """Where the page shows what was changed in a file."""
    written: bool


def by_rule(places: Sequence[Place], known: Left) -> Iterator[Markup]:
    """One part for each rule, those with most places first."""
    rules: dict[tuple[str, str], list[Place]] = {}
    for place in places:
        rules.setdefault((place[1].code, place[1].name), []).append(place)
    for (code, name), found in sorted(rules.items(), key=lambda item: (-len(item[1]), item[0])):
        same: dict[tuple[str, ...], list[Place]] = {}
        for place in found:
            finding = place[1]
            key = (finding.message, finding.recipe, finding.snippet, *finding.notes)
            same.setdefault(key, []).append(place)
        yield element(
            "article",
            element(
                "h3",
                element("span", str(len(found)), class_="count"),
                " ",
                element("a", code, href=f"#rule-{code}"),
                f" {name}",
            ),
            element("p", sentence(known.summaries[code]), class_="muted") if code in known.summaries else None,
            *(part for places_of_one in same.values() for part in _advice(places_of_one, known)),
            class_="rule",
        )


def _advice(places: Sequence[Place], known: Left) -> Iterator[Markup]:
    finding = places[0][1]
    yield element("p", *prose(ended(finding.message)))
    yield from advice(finding)
    yield from (_line(file, finding, known) for file, finding in places[:_UNFOLDED])
    if len(places) > _UNFOLDED:
        more = [_line(file, finding, known) for file, finding in places[_UNFOLDED:]]
        yield element("details", element("summary", f"and in {len(more)} more lines"), *more)


def _line(file: FileResult, finding: ReportedFinding, known: Left) -> Markup:
    """A place with its lines, and what the fix that waits would make of them."""
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    where = f"{finding.path}:{cell}{finding.line}"
    link = known.links.get(finding.path)
    head = element(
        "div",
        element("a", where, href=link) if link else where,
        _moved(file, finding) if known.written and finding.cell is None else None,
        class_="place",
    )
    rows = [(sign, shortened(text)) for hunk in offer(file, finding) for _, sign, text in hunk.rows()]
    if len(rows) > _UNFOLDED_ROWS:
        return element(
            "div", head, element("details", element("summary", f"{len(rows)} lines"), diff(rows)), class_="line"
        )
    return element("div", head, *([diff(rows)] if rows else _excerpt(file, finding)), class_="line")


def _moved(file: FileResult, finding: ReportedFinding) -> str:
    now = Changes(file).now(finding.line)
    return f" (line {now} now)" if now is not None and now != finding.line else ""


def _excerpt(file: FileResult, finding: ReportedFinding) -> Iterator[Markup]:
    """The line, with those beside it."""
    source = lines(file.before)
    if finding.cell is not None or finding.line > len(source):
        return
    near = range(max(1, finding.line - _BESIDE), min(len(source), finding.line + _BESIDE) + 1)
    numbers = [number for number in near if number == finding.line or source[number - 1].strip()]
    texts = textwrap.dedent("\n".join(source[number - 1] for number in numbers)).split("\n")
    for number, text in zip(numbers, texts, strict=True):
        yield element(
            "div",
            element("span", str(number), class_="number"),
            element("code", shortened(text)),
            class_="row meant" if number == finding.line else "row",
        )
