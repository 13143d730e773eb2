"""The page in a real browser: that of a failing port, and of scripts with names and source that mean harm."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from tests.browser import Browser
from tests.samples.programs import ENVIRONMENT, SAMPLES
from tests.warm_python import with_xlaport
from xlaport.report.static_causes import Causes
from xlaport.report.verdict_html import as_html
from xlaport.verify.events import Change, Site
from xlaport.verify.verdict import Compilation, Details, Loop, Series, Verdict, VerdictFinding

SMALL = ("--train-size", "256", "--val-size", "64", "--layers", "1", "--dim", "16", "--max-words", "16")


@dataclass(frozen=True)
class Judged:
    """A port that was verified in `folder`: what was printed, and the files that were written."""

    folder: Path
    data: dict[str, Any]
    page: Path
    events: Path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture(scope="module")
def seq2seq(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """The sample seq2seq, converted without --unsafe: nearly each batch has another shape."""
    folder = tmp_path_factory.mktemp("seq2seq")
    converted = xlaport("convert", str(SAMPLES / "seq2seq"), "--out", "port", folder=folder)
    assert converted.returncode == 0, converted.stderr
    run = xlaport(
        *("verify", "port/train.py", "--steps", "6", "--output-format", "json"),
        *("--html", "report.html", "--tensorboard", "runs", "--", *SMALL),
        folder=folder,
    )
    assert run.returncode == 1, run.stderr
    (events,) = (folder / "runs").iterdir()
    return Judged(folder, json.loads(run.stdout), folder / "report.html", events)


def xlaport(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [with_xlaport(), "-m", "xlaport", *arguments],
        cwd=folder,
        env={**ENVIRONMENT, "PJRT_DEVICE": "CPU"},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


@pytest.fixture
def shown(browser: Browser) -> Browser:
    """The browser as a newcomer has it: a window of usual size, in light colours, with scripts."""
    browser.be(1100, 900)
    browser.wear("light")
    browser.run_scripts(True)
    return browser


def texts(browser: Browser, selector: str) -> list[str]:
    found: list[str] = browser.ask(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")
    return found


# --- a failing port


def test_the_first_thing_said_is_what_to_change_in_which_line(shown: Browser, seq2seq: Judged) -> None:
    source = (seq2seq.folder / "port/data.py").read_text().splitlines()
    padded = [number for number, line in enumerate(source, start=1) if "= pad_sequence(" in line]
    assert len(padded) == 2
    shown.open(seq2seq.page)
    assert texts(shown, "h1") == ["FAIL port/train.py"]
    assert texts(shown, "h2")[0] == "What to change"
    assert texts(shown, "#change h3")[0] == "Steps recompile again and again"
    first = "#change li:first-child "
    assert texts(shown, first + "a")[:2] == [f"port/data.py:{number}" for number in padded]
    assert texts(shown, first + ".line code")[:2] == [source[number - 1].strip() for number in padded]
    assert "xlaport convert --unsafe port/data.py" in texts(shown, first + "code")
    # Where it was seen is named, too, with the shapes.
    barrier = next(item for item in seq2seq.data["findings"] if item["kind"] == "recompile")
    assert f"port/train.py:{barrier['line']}" in texts(shown, first + "a")
    assert any("became" in text for text in texts(shown, first + "p"))
    # A click on the line leads to it, and to the remark below it.
    shown.ask(f"document.querySelector({json.dumps(first + 'a')}).click()")
    assert texts(shown, ":target code") == [source[padded[0] - 1]]
    assert "pads to the longest item of each batch" in texts(shown, ":target + .remark")[0]


def test_the_command_of_the_page_writes_the_lines_of_the_page(shown: Browser, seq2seq: Judged, tmp_path: Path) -> None:
    shown.open(seq2seq.page)
    added = [row[1:] for row in texts(shown, "#change li:first-child .diff .added")]
    command = next(text for text in texts(shown, "#change li:first-child code") if text.startswith("xlaport convert"))
    subprocess.run(["cp", "-r", str(seq2seq.folder / "port"), str(tmp_path)], check=True)
    assert xlaport(*command.split()[1:], folder=tmp_path).returncode == 0
    after = (tmp_path / "port/data.py").read_text().splitlines()
    before = (seq2seq.folder / "port/data.py").read_text().splitlines()
    assert len(added) > 3
    assert set(added) <= set(after)
    assert not set(filter(None, added)) <= set(before)


def test_the_page_needs_nothing_but_itself(shown: Browser, seq2seq: Judged) -> None:
    shown.open(seq2seq.page)
    assert shown.requests == [seq2seq.page.as_uri()]
    assert shown.problems == []


def test_the_pointer_shows_the_figures_of_a_step(shown: Browser, seq2seq: Judged) -> None:
    shown.open(seq2seq.page)
    assert shown.ask("document.querySelector('.tip').checkVisibility()") is False
    shown.point_at(".hit:nth-last-child(1 of .hit)")
    (told,) = texts(shown, ".tip")
    compiles = seq2seq.data["compiles"]
    assert told.startswith("step 6 of train() ")
    assert f"{compiles['total']} compiled (+{compiles['per_step'][-1]})" in told
    assert f"{sum(seq2seq.data['executions']['per_step'])} executed (+1)" in told
    assert shown.ask("document.querySelector('.tip').checkVisibility()") is True
    shown.point_at("h1")
    assert shown.ask("document.querySelector('.tip').checkVisibility()") is False


def test_the_curves_end_at_their_sums_and_the_table_has_the_same(shown: Browser, seq2seq: Judged) -> None:
    shown.open(seq2seq.page)
    totals = [seq2seq.data["compiles"]["total"], seq2seq.data["transfers"]["total"]]
    titles = texts(shown, ".chart .title")
    assert [int(title.split()[0]) for title in titles[:2]] == totals
    cells = texts(shown, ".chart tbody td:nth-child(3)")
    assert [int(cell) for cell in cells] == seq2seq.data["compiles"]["per_step"]


def test_the_differences_of_the_graphs_unfold(shown: Browser, seq2seq: Judged) -> None:
    shown.open(seq2seq.page)
    assert shown.ask("document.querySelector('#graphs details table').checkVisibility()") is False
    shown.ask("document.querySelectorAll('#graphs summary').forEach(e => e.click())")
    assert shown.ask("document.querySelector('#graphs details table').checkVisibility()") is True
    step = next(item for item in seq2seq.data["compilations"] if item["reason"] and "became" in item["reason"])
    rows = texts(shown, "#graphs details td:nth-child(1)")
    assert step["changes"]
    assert {change["before"] for change in step["changes"]} <= set(rows)


def test_without_scripts_everything_is_there(shown: Browser, seq2seq: Judged) -> None:
    shown.run_scripts(False)
    shown.open(seq2seq.page)
    assert shown.ask("document.querySelectorAll('.hit > title').length") == 6
    shown.ask("document.querySelector('#graphs summary').click()")
    assert shown.ask("document.querySelector('#graphs details table').checkVisibility()") is True


def test_dark_and_light_differ_and_both_can_be_read(shown: Browser, seq2seq: Judged) -> None:
    shown.open(seq2seq.page)
    for scheme, dark in (("light", False), ("dark", True)):
        shown.wear(scheme)
        for selector in ("body", ".muted", ".listing .row.fail code", ".diff .added", ".remark", ".badge"):
            text, ground = shown.ask(CONTRAST % json.dumps(selector))
            assert (ground < 0.2) == dark or selector == ".badge", (scheme, selector)
            assert (max(text, ground) + 0.05) / (min(text, ground) + 0.05) >= 4.5, (scheme, selector)


CONTRAST = """(() => {
  const light = (colour) => {
    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255);
    const linear = parts.map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const element = document.querySelector(%s);
  let ground = element;
  while (getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") ground = ground.parentElement;
  return [light(getComputedStyle(element).color), light(getComputedStyle(ground).backgroundColor)];
})()"""
"""Relative luminances of an element's text and of what is behind it, as WCAG 2 defines them."""


def test_a_narrow_window_scrolls_downwards_only(shown: Browser, seq2seq: Judged) -> None:
    shown.be(400, 800)
    shown.open(seq2seq.page)
    assert shown.ask("document.documentElement.scrollWidth <= innerWidth") is True


# --- the same run in TensorBoard


def test_tensorboard_reads_the_same_figures(seq2seq: Judged) -> None:
    events = EventAccumulator(str(seq2seq.events)).Reload()
    per_step = {name: seq2seq.data[name]["per_step"] for name in ("compiles", "executions", "transfers")}
    for name, values in per_step.items():
        read = events.Scalars(f"verify/{name}")
        assert [(event.step, event.value) for event in read] == list(enumerate(values, start=1))
        assert events.Scalars(f"verify/{name}_total")[-1].value == sum(values)
    assert all(event.value > 100 for event in events.Scalars("verify/graph_size"))
    assert all(event.value > 0 for event in events.Scalars("verify/compile_seconds"))
    assert events.PluginTagToContent("text").keys() == {"verify/verdict", "verify/findings"}
    (verdict,) = events.Tensors("verify/verdict")
    assert verdict.tensor_proto.string_val[0].decode().startswith("    FAIL: ")
    findings = [event.tensor_proto.string_val[0].decode() for event in events.Tensors("verify/findings")]
    assert len(findings) == len(seq2seq.data["findings"])
    assert "port/train.py:" in findings[0]
    assert "became" in findings[0]


# --- names and source that mean harm, and runs of other kinds


NAMED = "</script><img src=x onerror=\"document.title='owned'\">"
EVIL = f"<b>&amp;\x1b[31m\u202e {NAMED}<!-- \udcff"


def evil(folder: Path) -> Verdict:
    script = folder / "<img src=x onerror=alert(1)>.py"
    script.write_text("x = 1\n# </code></div><script>document.title='owned'</script>\n" + "y" * 9999 + "\n")
    site = Site(str(script), 2, EVIL)
    finding = VerdictFinding("recompile", "fail", EVIL, EVIL, str(script), 2, EVIL, 3, (3,), "XP401")
    odd = VerdictFinding(EVIL, "fail", EVIL, EVIL, str(folder / "gone.py"), 7)
    details = Details(
        ("python", EVIL),
        EVIL,
        versions=((EVIL, EVIL),),
        loops=(Loop(site, (1, 2, 3), 1, True),),
        compilations=(Compilation(1, "sync", site, 1, 0.5, EVIL, (Change(EVIL, EVIL, EVIL, 1),)),),
    )
    series = Series(3, 1, (1, 1, 1))
    return Verdict("fail", EVIL, EVIL, 3, 1, series, series, series, ((EVIL, 1),), (finding, odd), details)


def test_nothing_of_the_user_becomes_markup(shown: Browser, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(as_html(evil(tmp_path), Causes(), tmp_path), encoding="utf-8")
    shown.open(page)
    assert shown.ask("document.title").startswith("FAIL: ")
    assert shown.ask("document.querySelectorAll('script').length") == 1
    assert shown.ask("document.querySelectorAll('img, #source b:not(.remark b)').length") == 0
    assert shown.requests == [page.as_uri()]
    assert shown.problems == []
    assert any(NAMED in text for text in texts(shown, "#change p"))
    assert "# </code></div><script>document.title='owned'</script>" in texts(shown, "#source .row code")
    assert "<img src=x onerror=alert(1)>.py:2" in texts(shown, "#change a")
    assert any("\\u202e" in text for text in texts(shown, "#change p"))
    shown.point_at(".hit")
    assert NAMED in texts(shown, ".tip")[0]
    assert any("not on this machine" in text for text in texts(shown, "#source p"))


def test_a_long_run_of_many_loops_stays_small_and_quick_to_show(shown: Browser, tmp_path: Path) -> None:
    count = 20_000
    sites = [Site(str(tmp_path / "train.py"), line, f"loop{line}") for line in range(1, 10)]
    steps = range(1, count + 1)
    loops = tuple(Loop(site, tuple(n for n in steps if n % 9 == i), 2, i == 0) for i, site in enumerate(sites))
    compiled = tuple(Compilation(n, "sync", sites[0], 1, 1.0, "new", (Change("a", "b"),)) for n in range(1, 1001))
    series = Series(count, count, (1,) * count)
    details = Details(("python", "train.py"), str(tmp_path), loops=loops, compilations=compiled)
    page = tmp_path / "page.html"
    page.write_text(
        as_html(Verdict("pass", "TPU", "2.9.0", count, 2, series, series, series, details=details), Causes())
    )
    assert page.stat().st_size < 1_000_000
    shown.open(page)
    assert texts(shown, ".badge") == ["PASS"]
    assert texts(shown, "#change p") == ["Nothing has to change."]
    assert "… and 800 more." in texts(shown, "#graphs p")
    shown.point_at(".hit:nth-last-child(1 of .hit)")
    assert texts(shown, ".tip")[0].startswith("steps 19951-20000 ")
    assert "20000 compiled (+50)" in texts(shown, ".tip")[0]


def test_a_run_that_broke_off_says_what_broke_it(shown: Browser, tmp_path: Path) -> None:
    crash = VerdictFinding("crash", "fail", "ValueError: no", "mend it", str(tmp_path / "a.py"), 3, "f")
    page = tmp_path / "page.html"
    broken = Verdict("error", "CPU", None, findings=(crash,), details=Details(("python", "a.py")))
    page.write_text(as_html(broken, Causes(), tmp_path))
    shown.open(page)
    assert texts(shown, "h1") == ["ERROR a.py"]
    assert texts(shown, "#change h3") == ["Crash"]
    assert texts(shown, "#change a") == ["a.py:3"]
    assert shown.ask("document.querySelector('.chart')") is None
    page.write_text(as_html(replace(broken, findings=()), Causes(), tmp_path))
    shown.open(page)
    assert texts(shown, "#change p") == ["Nothing was found to change."]
