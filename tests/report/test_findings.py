"""The findings as JSON (the machine contract) and as text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from xlaport.report import findings_json
from xlaport.report.findings_text import render
from xlaport.report.next_step import Asked
from xlaport.report.printable import printable
from xlaport.report.terminal import Detail, Look
from xlaport.report.view import of_check, of_convert, of_diff
from xlaport.result import FileError, FileResult, Fix, ReportedFinding, RunResult, TextEdit
from xlaport.rule import Applicability, Harm

CHECK, CONVERT = of_check(unsafe=False), of_convert(unsafe=False)
EVIDENCE = Look(detail=Detail.EVIDENCE)
ASKED = Asked(("./", "s 1"))
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
        replace(
            finding(5, "manual", "`mask.nonzero()` has no fixed shape"),
            recipe="Use torch.where(mask, x, 0)",
            snippet="torch.where(mask, x, 0)",
        ),
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
                    "recipe": "",
                    "snippet": "",
                    "notes": [],
                    "harm": "slower",
                    "page": "rules/XP301.md",
                    "edits": None,
                    "line_after": 2,
                    "end_line_after": 2,
                },
                *json.loads(text)["findings"][1:],
            ],
            "possible": [],
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
            "possible": [],
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
        assert render(FULL, CONVERT) == (
            "s/train.py\n"
            "  2:8  XP301  fixed     the value goes behind the barrier\n"
            "  2:8  XP301  --unsafe  the sum stays on the device\n"
            "  5:8  XP301  by hand   `mask.nonzero()` has no fixed shape\n"
            "\n"
            "model.py\n"
            "  1:8  XP301  not fixed  not this one\n"
            "\n"
            "error: s/broken.py: cannot be parsed\n"
            "\n"
            "Fixed 1 finding in 1 file; 1 more with --unsafe; 2 left for you; 1 error.\n"
        )

    def test_with_all_the_evidence(self) -> None:
        assert render(FULL, CONVERT, EVIDENCE).splitlines()[:9] == [
            "s/train.py",
            "  2:8  XP301  fixed     the value goes behind the barrier",
            "                        - loss = loss.item()",
            "                        + loss = loss",
            "  2:8  XP301  --unsafe  the sum stays on the device",
            "  5:8  XP301  by hand   `mask.nonzero()` has no fixed shape",
            "                        5 | idx = mask.nonzero()  # \u8bad",
            "                        Use torch.where(mask, x, 0)",
            "                            torch.where(mask, x, 0)",
        ]

    def test_the_totals_alone(self) -> None:
        text = render(FULL, CHECK, Look(detail=Detail.SUMMARY), ASKED)
        assert text == (
            "error: s/broken.py: cannot be parsed\n\n"
            "A conversion would fix 1 finding in 1 file; 1 more with --unsafe; 2 left for you; 1 error.\n"
        )

    def test_a_check(self) -> None:
        lines = render(FULL, CHECK).splitlines()
        assert lines[1] == "  2:8  XP301  fixable   the value goes behind the barrier"
        assert lines[-1] == (
            "A conversion would fix 1 finding in 1 file; 1 more with --unsafe; 2 left for you; 1 error."
        )

    def test_beside_a_diff(self) -> None:
        lines = render(FULL, of_diff(unsafe=False)).splitlines()
        assert lines[-1].startswith("The diff fixes 1 finding in 1 file; 1 more with --unsafe;")
        assert not any("behind the barrier" in line for line in lines)

    def test_with_unsafe_fixes_allowed_nothing_waits(self) -> None:
        text = render(run(result(finding(2, "unsafe"))), of_convert(unsafe=True))
        assert text == "s/train.py\n  2:8  XP301  not fixed  it blocks\n\n1 left for you.\n"

    def test_a_fix_that_may_change_values_says_so(self) -> None:
        text = render(run(result(finding(2, "unsafe", fixed=True))), of_convert(unsafe=True))
        assert "XP301  fixed, unsafe  it blocks" in text

    def test_the_totals(self) -> None:
        def total(*findings: ReportedFinding, errors: tuple[FileError, ...] = ()) -> str:
            return render(run(result(*findings), errors=errors), CONVERT).splitlines()[-1]

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
        found = run(result(finding(3, "manual"), finding(4, "manual"), finding(99, "manual")))
        lines = render(found, CHECK, EVIDENCE).splitlines()
        assert [line.strip() for line in lines if "|" in line] == ["3 |", "4 | if mask.any():"]

    def test_what_differs_in_names_and_lines_only_is_said_once_in_a_file(self) -> None:
        one, two = "`a` grows, see line 3", "`b` grows, see line 4"
        here = result(finding(2, "manual", one), finding(4, "manual", two), finding(5, "unsafe", one))
        there = result(finding(4, "manual", two, path="b.py"), path="b.py")
        assert render(run(here, there), CHECK).splitlines()[:6] == [
            "s/train.py",
            "  2:8  XP301  by hand   `a` grows, see line 3 (1 more like this: line 4)",
            "  5:8  XP301  --unsafe  `a` grows, see line 3",
            "",
            "b.py",
            "  4:8  XP301  by hand  `b` grows, see line 4",
        ]

    def test_what_is_done_and_the_same_is_said_once_in_all_files(self) -> None:
        files = [result(finding(2, "unsafe", path=f"{name}.py"), path=f"{name}.py") for name in "abc"]
        assert render(run(*files), CHECK).splitlines()[:2] == [
            "a.py",
            "  2:8  XP301  --unsafe  it blocks (2 more like this: b.py line 2; c.py line 2)",
        ]

    def test_what_a_file_leaves_to_the_user_stands_with_it(self) -> None:
        files = [result(finding(2, "manual", path=f"{name}.py"), path=f"{name}.py") for name in "ab"]
        text = render(run(*files), CHECK)
        assert text.count("it blocks") == 2
        assert "b.py\n  2:8" in text

    def test_what_a_job_has_to_be_told_is_told_once(self) -> None:
        row = finding(2, "manual")
        for told in (replace(row, code="XP603"), replace(row, harm=Harm.LEFTOVER)):
            files = [result(replace(told, path=f"{name}.py"), path=f"{name}.py") for name in "ab"]
            assert "(1 more like this: b.py line 2)" in render(run(*files), CHECK)

    def test_of_many_places_some_are_named_and_of_what_is_left_all(self) -> None:
        def told(kind: str) -> str:
            return render(run(result(*(finding(line, kind) for line in range(1, 10)))), CHECK)

        assert "(8 more like this: lines 2, 3, 4, 5, 6, 7, …)" in told("unsafe")
        assert "(8 more like this: lines 2, 3, 4, 5, 6, 7, 8, 9)" in told("manual")

    def test_with_the_evidence_nothing_is_folded(self) -> None:
        text = render(run(result(finding(2, "manual"), finding(4, "manual"))), CHECK, EVIDENCE)
        assert text.count("it blocks") == 2

    def test_why_something_is_not_fixed_is_said(self) -> None:
        held = replace(finding(2, "safe"), notes=("not fixed: line 3 asks to be left as it is",))
        assert "it blocks; not fixed: line 3 asks" in render(run(result(held)), CHECK)
        assert "note: not fixed: line 3 asks" in render(run(result(held)), CHECK, EVIDENCE)

    def test_a_program_that_stays_on_the_cpu_comes_first(self) -> None:
        stays = replace(finding(5, "manual"), harm=Harm.ON_CPU)
        text = render(run(result(finding(2, "safe", fixed=True), stays, replace(stays, line=6))), CONVERT)
        assert text.splitlines()[:2] == ["s/train.py still runs on the CPU: lines 5, 6", ""]
        assert "still runs" not in render(run(result(replace(stays, fixed=True))), CONVERT)

    def test_what_matters_most_is_named(self) -> None:
        rows = [
            replace(finding(line, "manual"), harm=harm)
            for line, harm in ((1, Harm.SLOWER), (2, Harm.WAITS), (4, Harm.WRONG), (5, Harm.WAITS))
        ]
        assert "Look first" not in render(run(result(*rows[:2])), CHECK)
        assert " ".join(render(run(result(*rows)), CHECK).splitlines()[-3:-1]) == (
            "Look first at s/train.py:4 XP301 (it trains nothing, or computes something else); s/train.py:2 XP301 and "
            "s/train.py:5 XP301 (the host waits for the TPU in every step)."
        )

    def test_a_fix_that_waits_is_shown_alone_and_without_its_imports(self) -> None:
        start = TEXT.index("loss.item()")
        fix = Fix((TextEdit(start, start + 11, "loss"),), (TextEdit(0, 0, "import torch_xla\r\n"),))
        lines = render(run(result(replace(finding(2, "unsafe"), fix=fix))), CHECK, EVIDENCE).splitlines()
        assert [line.strip() for line in lines[2:4]] == ["2 - loss = loss.item()", "+ loss = loss"]

    def test_a_change_that_two_findings_share_is_shown_once(self) -> None:
        after = TEXT.replace("loss.item()", "loss")
        both = result(finding(2, "safe", "one", fixed=True), finding(2, "safe", "two", fixed=True), after=after)
        assert render(run(both), CONVERT, EVIDENCE).count("- loss = loss.item()") == 1

    def test_a_line_that_comes_has_the_line_above_it_and_a_long_change_is_cut(self) -> None:
        after = TEXT.replace("\tidx", "\tsync()\n\tidx")
        text = render(run(result(finding(5, "safe", fixed=True), after=after)), CONVERT, EVIDENCE)
        assert [line.strip() for line in text.splitlines()[2:4]] == ["4   if mask.any():", "+     sync()"]
        text = render(run(result(finding(2, "safe", fixed=True), after="x\n" * 30)), CONVERT, EVIDENCE)
        assert len(text.splitlines()) == 13
        assert "more lines (--diff shows all)" in text

    def test_a_line_behind_one_that_goes_is_not_shown_below_it_again(self) -> None:
        start, end = TEXT.index("loss.item()"), TEXT.index("\x0c")
        fix = Fix((TextEdit(start, start + 11, "loss"), TextEdit(end, end, "sync()\r\n")))
        lines = render(run(result(replace(finding(2, "unsafe"), fix=fix))), CHECK, EVIDENCE).splitlines()
        assert [line.strip() for line in lines[2:5]] == ["2 - loss = loss.item()", "+ loss = loss", "+ sync()"]

    def test_the_findings_of_each_rule_are_counted_on_request(self) -> None:
        findings = [replace(finding(2, "manual", "a"), code="XP401", name="long-name-of-a-rule")] * 3
        findings += [finding(2, "safe", "b", fixed=True)] * 7
        findings += [finding(2, "unsafe", "c"), replace(finding(2, "unsafe", "d"), code="XP999", name="x")]
        assert "long-name" not in render(run(result(*findings)), CHECK)
        lines = render(run(result(*findings)), CHECK, statistics=True).splitlines()
        head = next(index for index, line in enumerate(lines) if line.startswith("rule"))
        assert lines[head : head + 4] == [
            "rule                        left for you  with --unsafe  fixable",
            "XP401  long-name-of-a-rule             3              -        -",
            "XP301  item-in-step-loop               -              1        7",
            "XP999  x                               -              1        -",
        ]

    def test_a_notebook_cell_is_named_and_not_quoted(self) -> None:
        text = render(run(result(finding(2, "manual", path="n.ipynb", cell=3))), CHECK)
        assert text.startswith("n.ipynb\n  cell 3:2:8  XP301  by hand  it blocks\n\n")

    def test_nothing_is_wider_than_it_may_be(self) -> None:
        long = FileResult(Path("a.py"), "x" * 1000, "", (finding(1, "manual", "word " * 200),))
        for width in (60, 120):
            lines = render(run(long), CHECK, Look(width, detail=Detail.EVIDENCE)).splitlines()
            assert width - 10 < max(map(len, lines)) <= width

    def test_nothing_steers_the_terminal_or_breaks_the_encoder(self) -> None:
        nasty = "a\x1b[2Jb\u202ec\udce9d\ud800\x9b"
        assert printable(nasty) == "a\\x1b[2Jb\\u202ec\\xe9d\\ud800\\x9b"
        assert printable("\u00e9\u6f22\tx") == "\u00e9\u6f22\tx"
        file = FileResult(Path("a.py"), nasty, "", (finding(1, "manual", nasty, path=nasty),))
        text = render(run(file, errors=(FileError(nasty, nasty),)), CHECK, EVIDENCE)
        text.encode()
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)

    def test_color_adds_only_color(self) -> None:
        for view in (CHECK, CONVERT, of_diff(unsafe=False)):
            for detail in Detail:
                colored = render(FULL, view, Look(color=True, detail=detail), ASKED)
                assert ("\033[" in colored) is (detail is not Detail.SUMMARY or "error" in colored)
                plain = render(FULL, view, Look(detail=detail), ASKED)
                assert re.sub(r" +$", "", re.sub(r"\033\[[0-9;]*m", "", colored), flags=re.MULTILINE) == plain


class TestNext:
    def test_after_a_check_comes_the_conversion(self) -> None:
        assert render(FULL, CHECK, asked=ASKED).splitlines()[-1] == "next: xlaport convert ./"
        asked = Asked(("a.py", "model.py"), unsafe=True)
        assert render(FULL, CHECK, asked=asked).splitlines()[-1] == "next: xlaport convert --unsafe model.py"
        asked = Asked(("s", ".", "s/", "./s", "s/train.py"))
        assert render(FULL, CHECK, asked=asked).splitlines()[-1] == "next: xlaport convert PATH..."

    def test_what_only_waits_is_looked_at_first(self) -> None:
        waits = run(result(finding(2, "unsafe")))
        assert render(waits, CHECK, asked=ASKED).splitlines()[-1] == "next: xlaport convert --unsafe --diff ./"
        by_hand = run(result(finding(2, "manual")))
        assert "next:" not in render(by_hand, CHECK, asked=ASKED)

    def test_after_a_conversion_comes_a_run_of_the_program(self) -> None:
        def told(*files: FileResult) -> str:
            return render(run(*files), CONVERT, asked=ASKED).splitlines()[-1]

        def changed(name: str, text: str, findings: int = 1) -> FileResult:
            rows = (finding(1, "safe", path=name, fixed=True),) * findings
            return FileResult(Path(name), "", text, rows)

        main = 'if __name__ == "__main__":\n    main()\n'
        loop = "for x in y:\n    pass\n"
        assert told(changed("lib.py", "def f(): ...\n", 9), changed("go.py", main)) == "next: xlaport verify go.py"
        assert told(changed("a.py", main), changed("b.py", main, 2)) == "next: xlaport verify b.py"
        assert told(changed("a.py", loop), changed("b.py", "x = 1\n")) == "next: xlaport verify a.py"
        parsed = changed("a.py", f"import argparse\n{main}")
        assert told(parsed) == "next: xlaport verify a.py -- ARGUMENTS"
        assert told(replace(parsed, place=Path("out/a.py"))) == "next: xlaport verify out/a.py -- ARGUMENTS"
        assert "next" not in told(changed("lib.py", "def f(): ...\n"))


def test_the_formats_for_machines_are_cheap_to_import() -> None:
    code = (
        "import sys, xlaport.report.findings_text, xlaport.report.findings_json, xlaport.report.diff;"
        "print({'rich', 'libcst', 'pathspec', 'typer'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
