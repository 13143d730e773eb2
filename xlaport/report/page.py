"""What the pages of HTML have in common: one file that loads nothing, sections, tables, and the words of the trade."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import xlaport
from xlaport.report.markup import Markup, element, join, raw
from xlaport.result import ReportedFinding

_HERE = Path(__file__).parent
_WORDS = (
    ("graph", "The operations of a step, which XLA compiles into one program for the device."),
    ("compile", "Making that program: seconds to minutes on a TPU. A good port does it once or twice."),
    ("barrier", "torch_xla.sync(): what was noted down up to here is run, as one graph. One at the end of each step."),
    ("warm-up", "The first steps of a loop, in which its graphs are compiled. They are not judged."),
    (
        "transfer, host read",
        "A tensor's value is fetched from the device: .item(), print, if, float(). The host waits.",
    ),
    ("fallback", "An operation that XLA has no kernel for: the host computes it, and the device waits."),
)


def document(title: str, sections: Iterable[Markup], styles: Sequence[str], script: str | None = None) -> str:
    """A whole page. `styles` and `script` name files beside this module.

    Nothing is loaded from anywhere, and no other script runs, whatever names and source say.
    """
    style = "".join(_text(name) for name in styles)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    code = None
    if script is not None:
        code = _text(script)
        digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        policy += f"; script-src 'sha256-{digest}'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", raw(style)),
    )
    footer = element("footer", f"xlaport {xlaport.__version__}")
    main = element("main", *sections, footer)
    body = element("body", main, element("script", raw(code)) if code is not None else None)
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def section(name: str, title: str, *children: str | None) -> Markup:
    """A part of the page with its heading; `name` is its anchor."""
    return element("section", element("h2", title), *children, id=name)


def table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> Markup:
    """A table that scrolls where it is too wide; without its line of heads where all are empty."""
    named = [element("th", head, scope="col") for head in heads]
    head = element("thead", element("tr", *named)) if any(named) else None
    body = (element("tr", *(element("td", cell) for cell in row)) for row in rows)
    return element("div", element("table", head, element("tbody", *body)), class_="scroll")


def glossary() -> Markup:
    """The words that somebody needs who has never used a TPU."""
    words = (join([element("dt", word), element("dd", meaning)]) for word, meaning in _WORDS)
    return section("words", "Words", element("dl", *words))


def diff(rows: Iterable[tuple[str, str]]) -> Markup:
    """Lines of a diff, each as its sign (``-``, ``+`` or a space) and its text."""
    styles = {"+": "added", "-": "removed"}
    lines = (element("div", f"{sign}{text}", class_=styles.get(sign)) for sign, text in rows)
    return element("div", element("div", *lines, class_="diff"), class_="scroll")


def ended(text: str) -> str:
    """A message with a full stop. It may begin with a name of the code, which keeps its spelling."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def sentence(text: str) -> str:
    """A reason as a sentence of its own; a name of the code keeps its spelling."""
    word = text.split(" ", 1)[0]
    start = text[:1].upper() + text[1:] if word.isalpha() else text
    return ended(start)


def prose(text: str) -> list[str]:
    """A sentence as the children of an element: what stands in backticks is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one of them has no other
        return [text]
    return [element("code", part) if index % 2 else part for index, part in enumerate(parts)]


def advice(finding: ReportedFinding) -> Iterator[Markup]:
    """What to do about a finding: its recipe, how that looks in code, and what is to be known besides."""
    if finding.recipe:
        yield element("p", element("b", "Do: "), *prose(finding.recipe))
    if finding.snippet:
        # Each line apart: what is escaped is one line.
        yield element("pre", element("code", join(finding.snippet.splitlines(), "\n")))
    yield from (element("p", *prose(sentence(note)), class_="muted") for note in finding.notes)


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
