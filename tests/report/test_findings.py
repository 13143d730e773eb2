"""The findings as JSON (the machine contract) and as text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from xlaport.report import findings_json
from xlaport.report.findings_text import printable, render_check, render_convert, render_diff_notes
from xlaport.result import FileError, FileResult, Fix, ReportedFinding, RunResult, TextEdit
from xlaport.rule import Applicability

TEXT = "import torch\r\nloss = loss.item()\n\x0c\nif mask.any():\n\tidx = mask.nonzero()  # \u8bad\n"


def finding(
    line: int,
    kind: str,
    message: str = "it blocks",
    *,
    path: str = "s/train.py",
    fixed: bool = False,
    cell: int | None = None,
) -> ReportedFinding:
    return ReportedFinding(
        "XP301", "item-in-step-loop", message, path, line, 8, line, 19, Applicability(kind), fixed, cell
    )


def result(*findings: ReportedFinding, path: str = "s/train.py", after: str | None = None) -> FileResult:
    return FileResult(Path(path), TEXT, TEXT if after is None else after, findings)


def run(*files: FileResult, errors: tuple[FileError, ...] = ()) -> RunResult:
    return RunResult("torch_xla 2.9", 12, 3, files, errors)


BROKEN = FileError("s/broken.py", "cannot be parsed")
FULL = run(
    result(
        finding(2, "safe", "the value goes behind the barrier", fixed=True),
        finding(2, "unsafe", "the sum stays on the device"),
        finding(5, "manual", "`mask.nonzero()` has no fixed shape\nuse torch.where(mask, x, 0)"),
        after=TEXT.replace("loss.item()", "loss"),
    ),
    result(finding(1, "safe", "not this one", path="model.py"), path="model.py"),
    result(path="clean.py"),
    errors=(BROKEN,),
)


class TestJson:
    def test_the_contract(self) -> None:
        text = findings_json.render(run(FULL.files[0], errors=(BROKEN,)))
        assert text.endswith("}\n")
        assert json.loads(text) == {
            "version": 1,
            "tool": "xlaport",
            "target": "torch_xla 2.9",
            "files": {"seen": 12, "parsed": 3, "changed": 1, "documents": 0},
            "findings": [
                {
                    "code": "XP301",
                    "name": "item-in-step-loop",
                    "message": "the value goes behind the barrier",
                    "path": "s/train.py",
                    "line": 2,
                    "column": 8,
                    "end_line": 2,
                    "end_column": 19,
                    "applicability": "safe",
                    "fixed": True,
                    "cell": None,
                    "line_after": 2,
                    "end_line_after": 2,
                },
                *json.loads(text)["findings"][1:],
            ],
            "errors": [{"path": "s/broken.py", "message": "cannot be parsed"}],
        }
        assert [f["applicability"] for f in json.loads(text)["findings"]] == ["safe", "unsafe", "manual"]

    def test_an_empty_run(self) -> None:
        assert json.loads(findings_json.render(run())) == {
            "version": 1,
            "tool": "xlaport",
            "target": "torch_xla 2.9",
            "files": {"seen": 12, "parsed": 3, "changed": 0, "documents": 0},
            "findings": [],
            "errors": [],
        }

    def test_errors_of_files_and_of_the_run_come_once_and_by_path(self) -> None:
        other = FileError("a.py", "is read-only")
        broken = FileResult(Path("s/broken.py"), "", "", error=BROKEN)
        report = json.loads(findings_json.render(run(broken, errors=(BROKEN, other))))
        assert [error["path"] for error in report["errors"]] == ["a.py", "s/broken.py"]

    def test_names_that_are_not_text_survive(self) -> None:
        text = findings_json.render(run(errors=(FileError("caf\udce9.py", "\u00e9"),)))
        assert text.isascii()
        assert json.loads(text)["errors"] == [{"path": "caf\udce9.py", "message": "\u00e9"}]


class TestText:
    def test_a_conversion(self) -> None:
        assert render_convert(FULL) == (
            "s/train.py:2:8 XP301 [safe] the value goes behind the barrier (fixed)\n"
            "    - loss = loss.item()\n"
            "    + loss = loss\n"
            "s/train.py:2:8 XP301 [unsafe] the sum stays on the device (with --unsafe)\n"
            "s/train.py:5:8 XP301 [manual] `mask.nonzero()` has no fixed shape\n"
            "    use torch.where(mask, x, 0)\n"
            "    5 | idx = mask.nonzero()  # \u8bad\n"
            "\n"
            "model.py:1:8 XP301 [safe] not this one (not fixed)\n"
            "    1 | import torch\n"
            "\n"
            "error: s/broken.py: cannot be parsed\n"
            "\n"
            "Fixed 1 finding in 1 file; 1 more with --unsafe; 2 left for you; 1 error.\n"
        )

    def test_a_check(self) -> None:
        lines = render_check(FULL).splitlines()
        assert lines[0] == ("s/train.py:2:8 XP301 [safe] the value goes behind the barrier (a conversion fixes it)")
        assert lines[-1] == (
            "A conversion would fix 1 finding in 1 file; 1 more with --unsafe; 2 left for you; 1 error."
        )
        assert lines[1:3] == ["    2 - loss = loss.item()", "      + loss = loss"]
        assert lines[3:-1] == render_convert(FULL).splitlines()[3:-1]

    def test_beside_a_diff(self) -> None:
        lines = render_diff_notes(FULL).splitlines()
        assert lines[-1].startswith("The diff fixes 1 finding in 1 file; 1 more with --unsafe;")
        assert lines[:-1] == render_convert(FULL).splitlines()[3:-1]

    def test_with_unsafe_fixes_allowed_nothing_waits(self) -> None:
        text = render_convert(run(result(finding(2, "unsafe"))), unsafe=True)
        assert text == (
            "s/train.py:2:8 XP301 [unsafe] it blocks (not fixed)\n    2 | loss = loss.item()\n\n1 left for you.\n"
        )

    def test_the_totals(self) -> None:
        def total(*findings: ReportedFinding, errors: tuple[FileError, ...] = ()) -> str:
            return render_convert(run(result(*findings), errors=errors)).splitlines()[-1]

        fixed, unsafe, manual = finding(2, "safe", fixed=True), finding(2, "unsafe"), finding(2, "manual")
        elsewhere = finding(2, "unsafe", path="b.py", fixed=True)
        assert total() == "Nothing to port in 12 Python files."
        assert total(errors=(BROKEN,)) == "Nothing to port in 12 Python files; 1 error."
        assert total(fixed) == "Fixed 1 finding in 1 file."
        assert total(fixed, fixed, elsewhere) == "Fixed 3 findings in 2 files."
        assert total(unsafe, unsafe) == "2 with --unsafe."
        assert total(manual, unsafe) == "1 with --unsafe; 1 left for you."
        assert total(finding(2, "manual", fixed=True)) == "Fixed 1 finding in 1 file."

    def test_lines_are_counted_as_python_counts_them(self) -> None:
        text = render_check(run(result(finding(3, "manual"), finding(4, "manual"), finding(99, "manual"))))
        assert [line for line in text.splitlines() if "|" in line] == ["    3 | ", "    4 | if mask.any():"]

    def test_what_is_said_again_is_said_shortly_with_the_place_of_the_first(self) -> None:
        beginning = "`x.item()` blocks: the host waits here for all that the device has to do"
        long = f"{beginning}. Read it later, behind the loop; or less often"
        here = result(finding(2, "manual", long), finding(4, "manual", long), finding(4, "safe", "other", fixed=True))
        there = result(finding(4, "unsafe", long, path="b.py"), path="b.py")
        assert render_check(run(here, there)) == (
            f"s/train.py:2:8 XP301 [manual] {long}\n"
            "    2 | loss = loss.item()\n"
            f"s/train.py:4:8 XP301 [manual] {beginning}: as in line 2\n"
            "    4 | if mask.any():\n"
            "s/train.py:4:8 XP301 [safe] other (a conversion fixes it)\n"
            "\n"
            f"b.py:4:8 XP301 [unsafe] {beginning}: as in s/train.py:2 (with --unsafe)\n"
            "\n"
            "A conversion would fix 1 finding in 1 file; 1 more with --unsafe; 2 left for you.\n"
        )

    def test_what_is_short_is_said_again(self) -> None:
        text = render_check(run(result(finding(2, "manual"), finding(4, "manual"))))
        assert text.count("[manual] it blocks\n") == 2

    def test_a_fix_that_waits_is_shown_alone_and_without_its_imports(self) -> None:
        start = TEXT.index("loss.item()")
        fix = Fix((TextEdit(start, start + 11, "loss"),), (TextEdit(0, 0, "import torch_xla\r\n"),))
        text = render_check(run(result(replace(finding(2, "unsafe"), fix=fix))))
        assert text.splitlines()[1:3] == ["    2 - loss = loss.item()", "      + loss = loss"]

    def test_a_change_that_two_findings_share_is_shown_once(self) -> None:
        after = TEXT.replace("loss.item()", "loss")
        both = result(finding(2, "safe", "one", fixed=True), finding(2, "safe", "two", fixed=True), after=after)
        assert render_convert(run(both)).count("- loss = loss.item()") == 1

    def test_a_line_that_comes_has_the_line_above_it_and_a_long_change_is_cut(self) -> None:
        after = TEXT.replace("\tidx", "\tsync()\n\tidx")
        text = render_convert(run(result(finding(5, "safe", fixed=True), after=after)))
        assert text.splitlines()[1:3] == ["    4   if mask.any():", "      + \tsync()"]
        text = render_convert(run(result(finding(2, "safe", fixed=True), after="x\n" * 30)))
        assert len(text.splitlines()) == 12
        assert "more lines (--diff shows all)" in text

    def test_a_line_behind_one_that_goes_is_not_shown_below_it_again(self) -> None:
        start, end = TEXT.index("loss.item()"), TEXT.index("\x0c")
        fix = Fix((TextEdit(start, start + 11, "loss"), TextEdit(end, end, "sync()\r\n")))
        text = render_check(run(result(replace(finding(2, "unsafe"), fix=fix))))
        assert text.splitlines()[1:4] == ["    2 - loss = loss.item()", "      + loss = loss", "      + sync()"]

    def test_many_findings_have_totals_by_rule(self) -> None:
        findings = [replace(finding(2, "manual", "a"), code="XP401", name="long-name-of-a-rule")] * 3
        findings += [finding(2, "safe", "b", fixed=True)] * 7
        assert "explain" not in render_check(run(result(*findings)))
        findings += [finding(2, "unsafe", "c"), replace(finding(2, "unsafe", "d"), code="XP999", name="x")]
        assert render_check(run(result(*findings))).splitlines()[-7:] == [
            "                            left for you  with --unsafe  fixable",
            "XP401  long-name-of-a-rule             3              -        -",
            "XP301  item-in-step-loop               -              1        7",
            "XP999  x                               -              1        -",
            "xlaport explain XP401 says more about a rule; xlaport convert --diff shows all that it would fix.",
            "",
            "A conversion would fix 7 findings in 1 file; 2 more with --unsafe; 3 left for you.",
        ]
        assert "with --unsafe" not in render_check(run(result(*findings)), unsafe=True)

    def test_a_notebook_cell_is_named_and_not_quoted(self) -> None:
        text = render_check(run(result(finding(2, "manual", path="n.ipynb", cell=3))))
        assert text.startswith("n.ipynb:cell 3:2:8 XP301 [manual] it blocks\n\n")

    def test_a_long_line_is_cut(self) -> None:
        long = FileResult(Path("a.py"), "x" * 1000, "", (finding(1, "manual"),))
        assert max(map(len, render_check(run(long)).splitlines())) < 120

    def test_nothing_steers_the_terminal_or_breaks_the_encoder(self) -> None:
        nasty = "a\x1b[2Jb\u202ec\udce9d\ud800\x9b"
        assert printable(nasty) == "a\\x1b[2Jb\\u202ec\\xe9d\\ud800\\x9b"
        assert printable("\u00e9\u6f22\tx") == "\u00e9\u6f22\tx"
        file = FileResult(Path("a.py"), nasty, "", (finding(1, "manual", nasty, path=nasty),))
        text = render_check(run(file, errors=(FileError(nasty, nasty),)))
        text.encode()
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)

    def test_colour_adds_only_colour(self) -> None:
        for render in (render_check, render_convert, render_diff_notes):
            colored = render(FULL, color=True)
            assert "\033[" in colored
            assert re.sub(r"\033\[[0-9;]*m", "", colored) == render(FULL)


def test_the_reports_are_cheap_to_import() -> None:
    code = (
        "import sys, xlaport.report.findings_text, xlaport.report.findings_json, xlaport.report.diff;"
        "print({'rich', 'libcst', 'pathspec', 'typer'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
