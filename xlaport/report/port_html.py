"""The port of a whole repository as one page of HTML that needs nothing else: no network, no script, light and dark.

It is written for somebody who has to say what is done and what is left, and for whoever does the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from xlaport.finding import Applicability
from xlaport.report import all_errors, port_html_changes, port_html_left
from xlaport.report.effort import EXPLANATION, FileEffort, by_file
from xlaport.report.findings_text import summary
from xlaport.report.markup import Markup, element, join
from xlaport.report.page import document, glossary, prose, section, table
from xlaport.report.rule_pages import article
from xlaport.report.view import of_check, of_convert
from xlaport.result import ReportedFinding, RunResult
from xlaport.rule import Rule

_FILES = 200
"""Rows of the table of files."""


class Page:
    """One report. `written`: whether the changes are in the files, or would be; `unsafe`: whether --unsafe was said."""

    def __init__(self, run: RunResult, rules: Sequence[Rule], *, written: bool, unsafe: bool) -> None:
        self.run = run
        self.written = written
        self.view = of_convert(unsafe=unsafe) if written else of_check(unsafe=unsafe)
        codes = {finding.code for finding in (*run.findings, *run.possible)}
        self.rules = [rule for rule in rules if rule.code in codes]
        self.files = by_file(run, self._is_left, lambda finding: finding.applicability is Applicability.UNSAFE)
        self.links = {
            finding.path: f"#changes-{number}" for number, file in enumerate(run.changed) for finding in file.findings
        }

    def render(self) -> str:
        """The whole document."""
        return document(f"Port of {self._name()} - xlaport", self._sections(), ["verdict.css", "port.css"])

    def _is_left(self, finding: ReportedFinding) -> bool:
        return self.view.is_left(finding)

    def _name(self) -> str:
        return Path.cwd().name or "/"

    def _places(self, waiting: bool) -> list[port_html_left.Place]:
        wanted = self.view.waits if waiting else self._is_left
        return [(file, finding) for file in self.run.files for finding in file.findings if wanted(finding)]

    def _sections(self) -> Iterator[Markup]:
        left, waiting = self._places(waiting=False), self._places(waiting=True)
        fixed = sum(finding.fixed for finding in self.run.findings)
        yield self._header(fixed, len(waiting), len(left))
        errors = all_errors(self.run)
        if errors:
            rows = ([element("code", error.path), error.message] for error in errors)
            yield section("errors", "Files that could not be ported", table(("file", "why"), rows))
        if self.run.findings:
            yield section("next", "What to do next", element("ol", *self._next(fixed, len(waiting), len(left))))
        known = port_html_left.Left({rule.code: rule.summary for rule in self.rules}, self.links, self.written)
        if left:
            yield section("left", "What is left for you", *port_html_left.by_rule(left, known))
        if waiting:
            said = "These fixes may change values, order or output: look at each, then convert with --unsafe."
            listed = port_html_left.by_rule(waiting, known)
            yield section("unsafe", "What --unsafe would do", element("p", said), *listed)
        possible = [(file, finding) for file in self.run.files for finding in file.possible]
        if possible:
            said = "The code does not say enough to be sure of these: look, or run the port under `xlaport verify`."
            listed = port_html_left.by_rule(possible, known)
            yield section("possible", "What may be so", element("p", *prose(said)), *listed)
        if self.files:
            yield section("files", "Effort by file", element("p", EXPLANATION, class_="muted"), *self._efforts())
        if self.run.changed:
            title = "What was changed" if self.written else "What a conversion changes"
            yield section("changed", title, *port_html_changes.files(self.run.changed))
        if self.rules:
            yield section("rules", "The rules, explained", *map(article, self.rules))
        yield glossary()

    def _header(self, fixed: int, waiting: int, left: int) -> Markup:
        tiles = (
            ("done", fixed, "done by xlaport" if self.written else "fixed by a conversion"),
            ("waits", waiting, "more with --unsafe"),
            ("left", left, "left for you"),
        )
        total = max(fixed + waiting + left, 1)
        parts = [
            element("span", class_=name, style=f"width: {100 * number / total:.2f}%")
            for name, number, _ in tiles
            if number
        ]
        looked = f"{self.run.seen} Python files looked at, {len(self.run.changed)} files "
        return element(
            "header",
            element("h1", f"Port of {self._name()} to {self.run.target}"),
            element("p", summary(self.run.with_possible(), self.view), class_="said"),
            element("p", looked + ("changed." if self.written else "to change."), class_="muted"),
            element(
                "ul",
                *(
                    element("li", element("b", str(number)), " ", element("span", said), class_=name)
                    for name, number, said in tiles
                ),
                class_="tiles",
            ),
            element("div", *parts, class_="share", aria_hidden="true") if parts else None,
            element(
                "p",
                "Lines are counted in the files as they were before the conversion.",
                class_="muted",
            ) if self.run.changed and self.written else None,
        )  # fmt: skip

    def _next(self, fixed: int, waiting: int, left: int) -> Iterator[Markup]:
        if fixed and self.written:
            yield element("li", "Read ", element("a", "what was changed", href="#changed"), ", and commit it.")
        elif fixed:
            yield _step("xlaport convert PATH", " writes ", element("a", "these changes", href="#changed"), ".")
        if waiting:
            unsafe = element("a", "what may change values", href="#unsafe")
            yield _step("xlaport convert --unsafe PATH", " does ", unsafe, ", too.")
        if left:
            first = next(file for file in self.files if file.left)
            yield element(
                "li",
                "Do by hand ", element("a", "what is left", href="#left"), "; most of it is in ",
                element("code", first.path), ".",
            )  # fmt: skip
        yield _step("xlaport verify train.py", " runs the ported script on XLA, a TPU or not, and judges it.")

    def _efforts(self) -> Iterator[Markup]:
        most = max((file.points for file in self.files), default=0)
        rows = (self._effort(file, most) for file in self.files[:_FILES])
        yield table(("file", "done", "unsafe", "left", "rules of what is left", "points", ""), rows)
        if len(self.files) > _FILES:
            yield element("p", f"… and {len(self.files) - _FILES} more files.", class_="muted")

    def _effort(self, file: FileEffort, most: int) -> list[str]:
        link = self.links.get(file.path)
        codes = join([element("a", code, href=f"#rule-{code}") for code in file.rules], " ")
        bar = element("span", class_="bar", style=f"width: {6 * file.points / max(most, 1):.2f}rem")
        numbers = [str(number) if number else "" for number in (file.done, file.unsafe, file.left)]
        name = element("code", file.path)
        return [element("a", name, href=link) if link else name, *numbers, codes, str(file.points), bar]


def as_html(run: RunResult, rules: Sequence[Rule], *, written: bool, unsafe: bool) -> str:
    """The whole page. `rules`: those that may have found something, for their pages."""
    return Page(run, rules, written=written, unsafe=unsafe).render()


def _step(command: str, *said: str) -> Markup:
    return element("li", element("code", command), *said)
