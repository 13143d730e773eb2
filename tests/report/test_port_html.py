"""The page of a port in a real browser: of a project, and of files with names and source that mean harm."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.browser import Browser
from xlaport import registry, run
from xlaport.config import Config
from xlaport.report.effort import by_file
from xlaport.report.hunks import Changes
from xlaport.report.port_html import as_html
from xlaport.result import FileError, FileResult, Fix, ReportedFinding, RunResult, TextEdit
from xlaport.rule import Applicability, Rule

HARM = "</script></style><script>window.hurt = 1</script><img src=x onerror='window.hurt = 1'>\u202e\x1b[2J"
TRAIN = """\
import torch
from torch import nn
from data import loader

model = nn.Linear(2, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total = 0.0
for x in loader():
    x = x.cuda()
    loss = model(x).sum()
    loss.backward()
    optimizer.step()
    total += loss.item()
print(total, torch.cuda.memory_summary())
print(torch.cuda.memory_summary())
"""
DATA = """\
import torch


def loader():
    for _ in range(3):
        yield torch.zeros(4, 2, device="cuda")
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def shown(browser: Browser) -> Browser:
    """A browser that runs no script: the page needs none."""
    browser.be(1100, 900)
    browser.wear("light")
    browser.run_scripts(False)
    return browser


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("train.py").write_text(TRAIN, encoding="utf-8")
    Path("data.py").write_text(DATA, encoding="utf-8")
    return folder


def page(result: RunResult, folder: Path, *, written: bool = False, unsafe: bool = False) -> Path:
    path = folder.parent / "page.html"
    path.write_text(as_html(result, registry.load(), written=written, unsafe=unsafe), encoding="utf-8")
    return path


def texts(browser: Browser, selector: str) -> list[str]:
    found: list[str] = browser.ask(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")
    return found


def test_it_says_what_changes_what_is_left_and_what_comes_next(shown: Browser, project: Path) -> None:
    result = run.convert([Path()], Config())
    shown.open(page(result, project))
    findings = result.findings
    fixed = sum(finding.fixed for finding in findings)
    waiting = sum(not f.fixed and f.applicability is Applicability.UNSAFE for f in findings)
    assert texts(shown, "h1") == ["Port of project to torch_xla 2.9"]
    assert texts(shown, ".tiles b") == [str(fixed), str(waiting), str(len(findings) - fixed - waiting)]
    assert texts(shown, "h2") == [
        *("What to do next", "What is left for you", "What --unsafe would do", "Effort by file"),
        *("What a conversion changes", "The rules, explained", "Words"),
    ]
    assert "xlaport convert PATH" in texts(shown, "#next code")
    # One advice for both lines, each with the line that is meant.
    assert texts(shown, "#left .row.meant code") == [
        "print(total, torch.cuda.memory_summary())",
        "print(torch.cuda.memory_summary())",
    ]
    advice = texts(shown, "#left .rule > p:not(.muted)")
    assert len(advice) == 2
    assert advice[1].startswith("Do: ")
    assert "-    total += loss.item()" in texts(shown, "#unsafe .diff .removed")
    # Each change, with the reason for it.
    added = [row[1:] for row in texts(shown, "#changed .added")]
    after = {line for file in result.changed for line in file.after.split("\n")}
    before = {line for file in result.changed for line in file.before.split("\n")}
    assert set(added) >= after - before
    assert len(texts(shown, "#changed .remark")) >= 3
    assert all(text.startswith("XP") for text in texts(shown, "#changed .remark a"))


def test_a_snippet_keeps_its_lines(shown: Browser, project: Path) -> None:
    row = replace(
        ReportedFinding("XP402", "growing-tensor", "`idx` grows", "a.py", 1, 1, 1, 2, Applicability.MANUAL),
        recipe="Allocate `idx` once.", snippet="for x in <y>:\n    z\x1b(x)", notes=("by hand, since `a` stays",),
    )  # fmt: skip
    found = RunResult("torch_xla 2.9", 1, 1, (FileResult(Path("a.py"), "x\n", "x\n", (row,)),))
    shown.open(page(found, project))
    assert texts(shown, "#left pre code") == ["for x in <y>:\n    z\\x1b(x)"]
    assert texts(shown, "#left .rule > p:not(.muted)") == ["idx grows.", "Do: Allocate idx once."]
    assert "By hand, since a stays." in texts(shown, "#left .rule > p.muted")


def test_every_link_leads_to_something(shown: Browser, project: Path) -> None:
    shown.open(page(run.convert([Path()], Config()), project))
    targets = shown.ask("[...document.querySelectorAll('a')].map(e => e.getAttribute('href'))")
    assert len(targets) > 10
    ids = set(shown.ask("[...document.querySelectorAll('[id]')].map(e => e.id)"))
    assert {target.removeprefix("#") for target in targets} <= ids
    codes = {finding.code for finding in run.convert([Path()], Config()).findings}
    assert {f"rule-{code}" for code in codes} <= ids
    assert "What it does" in texts(shown, "#rules h4")


def test_after_a_conversion_a_line_has_its_new_number(shown: Browser, project: Path) -> None:
    result = run.convert([Path()], Config())
    (train,) = (file for file in result.files if file.path.name == "train.py")
    left = [f.line for f in train.findings if f.applicability is Applicability.MANUAL]
    now = [train.after.split("\n").index(train.before.split("\n")[line - 1]) + 1 for line in left]
    shown.open(page(result, project, written=True))
    places = texts(shown, "#left .place")
    assert places == [f"train.py:{old} (line {new} now)" for old, new in zip(left, now, strict=True)]
    shown.open(page(result, project))
    assert texts(shown, "#left .place") == [f"train.py:{line}" for line in left]


def test_a_run_without_findings_says_so(shown: Browser, project: Path) -> None:
    shown.open(page(RunResult("torch_xla 2.9", 3, 0), project))
    assert texts(shown, ".said") == ["Nothing to port in 3 Python files."]
    assert texts(shown, "h2") == ["Words"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1100, 400])
def test_it_is_readable_in_light_and_dark_on_a_wide_and_a_narrow_screen(
    shown: Browser, project: Path, scheme: str, width: int
) -> None:
    shown.be(width, 900)
    shown.wear(scheme)
    shown.open(page(run.convert([Path()], Config()), project))
    assert shown.ask("document.documentElement.scrollWidth <= window.innerWidth")
    selectors = ["p", "a", ".muted", ".added", ".removed", ".row.meant code", ".row code", ".remark", "td", ".count"]
    for selector in selectors:
        assert shown.ask(_CONTRAST % json.dumps(selector)) >= 4.5, selector
    assert shown.problems == []
    assert shown.requests[1:] == []


_CONTRAST = """(() => {
  const e = document.querySelector(%s);
  const parse = (c) => c.match(/[\\d.]+/g).map(Number);
  let back = e, ground;
  do { ground = parse(getComputedStyle(back).backgroundColor); back = back.parentElement; }
  while (ground[3] === 0 && back);
  const light = (c) => { const [r, g, b] = c.slice(0, 3).map(v => v / 255)
    .map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const [a, b] = [light(parse(getComputedStyle(e).color)), light(ground)];
  return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
})()"""


class Harmful(Rule):
    """Do harm <script>window.hurt = 1</script>.

    ## What it does
    ![image](http://localhost/image.png) <img src=x onerror='window.hurt = 1'> [link](javascript:window.hurt=1)

        </script><script>window.hurt = 1</script>
    """

    code = "XP301"
    name = HARM
    summary = HARM
    applicability = Applicability.MANUAL
    words = ()


def test_nothing_in_names_messages_and_source_does_harm(shown: Browser, tmp_path: Path) -> None:
    name = f"{HARM}\n\udcff.py"
    fix = Fix((TextEdit(0, 3, HARM),))
    rows = [
        ReportedFinding("XP301", HARM, f"{HARM}\n{HARM}", name, 1, 1, 1, 2, Applicability(kind), fixed, None, fix)
        for kind, fixed in (("manual", False), ("unsafe", False), ("safe", True))
    ]
    file = FileResult(Path(name), f"one\n{HARM}\n", f"{HARM}\n{HARM}\n", tuple(rows))
    result = RunResult(HARM, 1, 1, (file,), (FileError(name, HARM),))
    path = tmp_path / "page.html"
    path.write_text(as_html(result, [Harmful()], written=True, unsafe=False), encoding="utf-8")
    shown.run_scripts(True)
    shown.open(path)
    assert shown.ask("typeof window.hurt") == "undefined"
    assert shown.ask("document.scripts.length + document.images.length") == 0
    assert shown.ask("document.querySelectorAll('a[href^=javascript]').length") == 0
    assert shown.requests[1:] == []
    body = "".join(texts(shown, "body"))
    assert "\u202e" not in body
    assert "\x1b" not in body
    assert body.count("<script>window.hurt = 1</script>") > 8


def test_the_new_place_of_a_line() -> None:
    changes = Changes(FileResult(Path("a.py"), "a\nb\nc\nd\ne\n", "new\na\nB\nB\nd\n"))
    assert [changes.now(line) for line in range(1, 6)] == [2, None, None, 5, None]


def test_a_name_of_the_code_keeps_its_spelling(shown: Browser, tmp_path: Path) -> None:
    row = ReportedFinding("XP402", "growing-tensor", "idx grows", "a.py", 1, 1, 1, 2, Applicability.MANUAL)
    shown.open(page(RunResult("t", 1, 1, (FileResult(Path("a.py"), "idx", "idx", (row,)),)), tmp_path))
    assert texts(shown, "#left .rule > p:not(.muted)") == ["idx grows."]


def test_effort_is_counted_as_it_says() -> None:
    def row(code: str, kind: str, path: str = "a.py", fixed: bool = False) -> ReportedFinding:
        return ReportedFinding(code, "n", "m", path, 1, 1, 1, 2, Applicability(kind), fixed)

    a = [row("XP1", "manual"), row("XP1", "manual"), row("XP2", "manual"), row("XP3", "unsafe"), row("XP4", "safe")]
    b = [row("XP1", "manual", "b.py"), row("XP4", "safe", "b.py", fixed=True)]
    files = (FileResult(Path("b.py"), "", "", tuple(b)), FileResult(Path("a.py"), "", "", tuple(a)))
    efforts = by_file(
        RunResult("t", 2, 2, files),
        lambda finding: finding.applicability is Applicability.MANUAL,
        lambda finding: finding.applicability is Applicability.UNSAFE,
    )
    assert [(e.path, e.points, e.left, e.unsafe, e.done) for e in efforts] == [
        ("a.py", 3 + 1 + 3 + 1, 3, 1, 0),
        ("b.py", 3, 1, 0, 1),
    ]
