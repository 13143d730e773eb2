"""The user's files with what was found below its lines."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xlaport.report.markup import Markup, element
from xlaport.report.page import prose

_CONTEXT = 4
"""Lines that are shown around a remark."""
_LONGEST = 400
"""Characters of a line that are shown."""


@dataclass(frozen=True)
class Remark:
    """What is said below a line. `style`: ``fail``, ``note`` or ``cause``."""

    style: str
    title: str
    text: str
    advice: str = ""


@dataclass
class Listing:
    """The files that the page shows, and the anchors of their lines."""

    remarks: dict[str, dict[int, list[Remark]]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)

    def add(self, path: str, line: int, remark: Remark) -> None:
        """Say something of a line (from 1) of a file (absolute path)."""
        self._numbers.setdefault(path, len(self._numbers))
        said = self.remarks.setdefault(path, {}).setdefault(line, [])
        if remark not in said:
            said.append(remark)

    def anchor(self, path: str | None, line: int | None) -> str | None:
        """Where the page shows a line; `None` if it does not."""
        if path is None or line not in self.remarks.get(path, {}):
            return None
        return f"#f{self._numbers[path]}-{line}"

    def lines(self, path: str) -> Sequence[str]:
        """The lines of a file; none where neither it nor a recording of it is here."""
        linecache.checkcache(path)
        return [line.rstrip("\r\n") for line in linecache.getlines(path)]

    def line(self, path: str | None, line: int | None) -> str:
        """One line without its indentation."""
        if path is None or line is None:
            return ""
        lines = self.lines(path)
        return _shortened(lines[line - 1].strip()) if 0 < line <= len(lines) else ""

    def render(self, shown: Mapping[str, str]) -> Iterator[Markup]:
        """Each file with its remarks; `shown` are the names of the files."""
        for path, remarks in self.remarks.items():
            yield element(
                "section",
                element("h3", shown.get(path, path)),
                element("div", element("div", *self._rows(path, remarks), class_="listing"), class_="scroll"),
                class_="file",
            )

    def _rows(self, path: str, remarks: Mapping[int, Sequence[Remark]]) -> Iterator[Markup]:
        lines = self.lines(path)
        number = self._numbers[path]
        if not lines:
            yield element("p", "The file is not on this machine: only its lines are known.", class_="muted")
        last = 0
        for line in _around(remarks, len(lines)):
            if last and line != last + 1:
                yield element("div", "⋮", class_="gap")
            last = line
            text = _shortened(lines[line - 1]) if line <= len(lines) else ""
            worst = next((style for style in ("cause", "fail", "note") if style in _styles(remarks.get(line, ()))), "")
            yield element(
                "div",
                element("span", str(line), class_="number"),
                element("code", text),
                class_=f"row {worst}".strip(),
                id=f"f{number}-{line}",
            )
            for remark in remarks.get(line, ()):
                yield _remark(remark)


def _styles(remarks: Iterable[Remark]) -> set[str]:
    return {remark.style for remark in remarks}


def _around(lines: Iterable[int], count: int) -> list[int]:
    """The lines to show: those that are spoken of, and some around them."""
    found: set[int] = set()
    for line in lines:
        found.add(line)
        found.update(range(max(1, line - _CONTEXT), min(count, line + _CONTEXT) + 1))
    return sorted(found)


def _remark(remark: Remark) -> Markup:
    return element(
        "div",
        element("b", remark.title),
        " ",
        *prose(remark.text),
        element("div", element("b", "Do: "), *prose(remark.advice)) if remark.advice else None,
        class_=f"remark {remark.style}",
    )


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
