"""A verdict as one page of HTML that needs nothing else: no network, no script for what matters, light and dark.

It is written for somebody who opens it first and has never used a TPU: what to change and where, then the evidence.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from xlaport.report import on_chip_html, replicas
from xlaport.report.markup import Markup, element, join
from xlaport.report.page import advice, diff, document, glossary, prose, section, sentence, table
from xlaport.report.saying import say
from xlaport.report.static_causes import Cause, Causes
from xlaport.report.verdict_actions import Action, actions
from xlaport.report.verdict_html_chart import chart
from xlaport.report.verdict_html_source import Listing, Remark
from xlaport.report.verdict_words import (
    answers,
    device_note,
    head,
    origin,
    relative,
    steps_in_words,
    stopped,
    transfers,
)
from xlaport.verify.verdict import Compilation, Loop, Original, Verdict, VerdictFinding
from xlaport.wording import speaking_of

_CAUSES = 6
"""Lines to change that one action shows; the others are counted."""
_COMPILATIONS = 200


class Page:
    """One report. `directory`: the paths that are shown are relative to it."""

    def __init__(self, verdict: Verdict, causes: Causes, directory: Path | None = None) -> None:
        self.verdict = verdict
        self.directory = directory
        self.listing = Listing()
        self.actions = actions(verdict, causes)
        for action in self.actions:
            for cause in action.causes:
                self.listing.add(cause.path, cause.finding.line, Remark("cause", "Change this.", cause.finding.message))
        elsewhere = {item: action.causes[0] for action in self.actions if action.causes for item in action.seen}
        for item in verdict.findings:
            if item.path and item.line:
                title = f"{item.kind}{f' [{item.rule}]' if item.rule else ''}:"
                style = "fail" if item.severity == "fail" else "note"
                there = elsewhere.get(item)
                advice = f"see {self._shown(there.path)}:{there.finding.line}" if there else item.advice
                self.listing.add(item.path, item.line, Remark(style, title, item.reason, advice))

    def render(self) -> str:
        """The whole document."""
        title = f"{self.verdict.verdict.upper()}: {self._script()} - xlaport verify"
        return document(title, self._sections(), ["verdict.css"], "verdict.js")

    def _sections(self) -> Iterator[Markup]:
        yield self._header()
        yield section("change", "What to change", *self._changes())
        questions = list(answers(self.verdict)) if self.verdict.steps and self.verdict.verdict != "error" else []
        if questions:
            yield section("answers", "What was asked", table(("", "question", "measured"), map(_answer, questions)))
        if self.verdict.replicas:
            compared = table(replicas.HEADS, map(list, replicas.rows(self.verdict)))
            yield section("replicas", "The replicas", element("p", replicas.said(self.verdict)), compared)
        for chip in self.verdict.chips:
            yield from on_chip_html.parts(chip, self.directory)
        drawn = chart(self.verdict, [self._loop(loop) for loop in self.verdict.details.loops])
        if drawn:
            yield section("growth", "How it grows over the steps", drawn)
        if self.listing.remarks:
            names = {path: self._shown(path) for path in self.listing.remarks}
            yield section("source", "In the source", *self.listing.render(names))
        yield from self._graphs()
        yield from self._notes()
        yield section("run", "The run", *self._run())
        yield glossary()

    def _header(self) -> Markup:
        word, _, said = head(self.verdict).partition(": ")
        lines = [*device_note(self.verdict)]
        if self.verdict.steps:
            compiles = self.verdict.compiles
            lines.append(
                f"{self.verdict.steps} steps: {compiles.total} {say.phrase('graphs')} compiled, "
                f"{compiles.after_warmup} of them after warm-up; {transfers(self.verdict)}."
            )
            if self.verdict.details.stopped:
                lines.append(f"{stopped()}.")
        return element(
            "header",
            element("h1", element("span", word, class_=f"badge {self.verdict.verdict}"), " ", self._script()),
            element("p", said[:1].upper() + said[1:] + ".", class_="said"),
            *(element("p", *prose(line), class_="muted") for line in lines),
        )

    # -- what to change ------------------------------------------------------------------------------------

    def _changes(self) -> Iterator[Markup]:
        if not self.actions:
            nothing = "Nothing has to change." if self.verdict.verdict == "pass" else "Nothing was found to change."
            yield element("p", nothing)
            return
        if len(self.actions) > 1:
            yield element("p", "What costs most comes first.", class_="muted")
        yield element("ol", *(self._action(action) for action in self.actions), class_="actions")

    def _action(self, action: Action) -> Markup:
        first, new = action.seen[0], bool(action.causes) and not action.is_told
        code = action.causes[0].finding.code if action.causes else first.rule
        return element(
            "li",
            element("h3", *prose(action.kind.message)),
            *(self._to_change(action) if new else ()),
            *self._seen(action),
            element("p", *prose(self._reason(first))),
            element("p", element("b", "Do: "), *prose(first.advice)) if first.advice and not new else None,
            element("p", *prose(" ".join(filter(None, (action.kind.recipe, action.cost)))), class_="muted"),
            element("p", "More: ", element("code", f"xlaport explain {code}"), class_="muted") if code else None,
        )

    def _seen(self, action: Action) -> Iterator[Markup | None]:
        """Where the run showed it, unless these are the lines that stand there already."""
        places = {(cause.path, cause.finding.line) for cause in action.causes}
        lines = [item for item in action.seen if (item.path, item.line) not in places]
        if any(item.path for item in lines):
            yield element("p", element("b", "Seen here" if action.causes else "Change here"), class_="label")
            yield from (self._line(item.path, item.line, item.function, item.original) for item in lines)
        sites = dict.fromkeys(item.seen_at for item in action.seen if item.seen_at)
        if sites:
            yield element("p", element("b", "Seen at"), class_="label")
            yield from (self._line(site.path, site.line, site.function) for site in sites)

    def _to_change(self, action: Action) -> Iterator[Markup | None]:
        """The lines to change."""
        yield element(
            "p", element("b", "Change here: the likely cause" if action.is_likely else "Change here"), class_="label"
        )
        for group in action.edits[:_CAUSES]:
            for cause in group:
                yield self._line(cause.path, cause.finding.line, None)
            messages = list(dict.fromkeys(cause.finding.message for cause in group))
            yield element("p", *prose(sentence(messages[0])), " The other lines likewise." * (len(messages) > 1))
            yield from advice(group[0].finding)
            yield from _fix(group[0])
        if len(action.edits) > _CAUSES:
            yield element("p", f"… and {len(action.edits) - _CAUSES} more: xlaport check lists them.", class_="muted")

    def _line(
        self, path: str | None, line: int | None, function: str | None, original: Original | None = None
    ) -> Markup | None:
        """A line of the source, with its place as a link to the listing."""
        if path is None:
            return None
        where = f"{self._shown(path)}:{line}"
        anchor = self.listing.anchor(path, line)
        place = element("a", where, href=anchor) if anchor else element("span", where)
        inside = f" in {function}()" if function and function != "<module>" else ""
        inside += origin(original, self.directory)
        text = self.listing.line(path, line)
        return element("div", element("div", place, inside, class_="place"), element("code", text), class_="line")

    def _reason(self, item: VerdictFinding) -> str:
        steps = f" (steps {steps_in_words(item.steps)})" if item.steps else ""
        return sentence(item.reason + steps)

    # -- evidence ------------------------------------------------------------------------------------------

    def _graphs(self) -> Iterator[Markup]:
        compilations = self.verdict.details.compilations
        if not compilations:
            return
        warm = {step for loop in self.verdict.details.loops for step in loop.steps[: loop.warmup]}
        rows = (self._compilation(item, item.step in warm) for item in compilations[:_COMPILATIONS])
        more = len(compilations) - _COMPILATIONS
        yield section(
            "graphs",
            say.phrase("graphs compiled"),
            table(("step", "line", "seconds", "how it differs from an earlier graph of this line"), rows),
            element("p", f"… and {more} more.", class_="muted") if more > 0 else None,
        )

    def _compilation(self, item: Compilation, warm: bool) -> list[str]:
        site = item.site
        where = f"{self._shown(site.path)}:{site.line}" if site else "unknown"
        anchor = self.listing.anchor(site.path, site.line) if site else None
        reason = item.reason or ("warm-up: the graph is new" if warm else "not looked into")
        told: Markup = element("span", reason)
        if item.changes:
            rows = (
                [
                    element("code", change.before),
                    element("code", change.after),
                    f"{self._shown(change.path)}:{change.line}" if change.path else "",
                ]
                for change in item.changes
            )
            changed = element("div", table(("before", "now", "from"), rows), class_="scroll")
            told = element("details", element("summary", reason), changed)
        step = element("span", str(item.step), element("i", " warm-up") if warm else None)
        return [step, element("a", where, href=anchor) if anchor else where, f"{item.seconds:.2f}", told]

    def _notes(self) -> Iterator[Markup]:
        notes = [item for item in self.verdict.findings if item.severity != "fail"]
        if notes:
            lines = (
                join(
                    [
                        self._line(item.path, item.line, item.function, item.original),
                        element("p", *prose(sentence(item.reason))),
                    ]
                )
                for item in notes
            )
            yield section("notes", "Seen, within the budgets", *lines)

    def _run(self) -> Iterator[Markup]:
        details = self.verdict.details
        facts = [
            ("command", element("code", shlex.join(details.command))),
            ("folder", element("code", details.directory)),
            ("time", f"{details.seconds:.0f} s"),
            ("device", self.verdict.device),
            *((name, version) for name, version in details.versions),
        ]
        yield table(("", ""), ([name, value] for name, value in facts))
        yield element("h3", "Operations that the host computed")
        ops = ((element("code", op), str(count)) for op, count in self.verdict.fallbacks)
        none = element("p", "None: every op is lowered.")
        yield table(("operation", "times"), map(list, ops)) if self.verdict.fallbacks else none
        yield element("h3", "Budgets")
        yield table(("option", "at most"), ([element("code", name), limit] for name, limit in details.budgets))

    # -- names ---------------------------------------------------------------------------------------------

    def _shown(self, path: str) -> str:
        return relative(path, self.directory) or path

    def _script(self) -> str:
        words = self.verdict.details.command[1:]
        name = words[1] if words[:1] == ("-m",) else words[0] if words else "verify"
        return self._shown(name) if name.startswith("/") else name

    def _loop(self, loop: Loop) -> str:
        if loop.site is None:
            return "steps"
        name = loop.site.function
        return (f"{name}() " if name != "<module>" else "") + f"{Path(loop.site.path).name}:{loop.site.line}"


def as_html(verdict: Verdict, causes: Causes, directory: Path | None = None) -> str:
    """The whole page; paths are relative to `directory` (the current one)."""
    with speaking_of(verdict.table):
        return Page(verdict, causes, directory).render()


def _answer(row: tuple[str, str, str]) -> list[str]:
    answer, question, figure = row
    return [
        element("span", answer, class_=f"answer {answer if answer in ('yes', 'no') else 'open'}"),
        question,
        element("span", *prose(figure)),
    ]


def _fix(cause: Cause) -> Iterator[Markup]:
    """What xlaport would write there."""
    fix = cause.fix
    if fix is None:
        return
    writes = " writes these lines:" if fix.rows else " does it."
    yield element("p", element("b", "Do: "), element("code", fix.command), writes)
    if fix.rows:
        yield diff((row[:1], row[1:]) for row in fix.rows)
