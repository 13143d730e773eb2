"""The formats and files of `convert` and `check` as a user asks for them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.commands.command_line import CLEAN, CUDA, PORTED, one_line, write, xlaport_run

FORMATS = ("text", "concise", "json", "sarif", "github")


def test_concise_is_a_line_for_each_finding_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA)
    run = xlaport_run("check", "train.py", "--output-format", "concise", cwd=tmp_path)
    assert run.returncode == 1
    assert run.stderr == ""
    assert [line.split(" ")[:2] for line in run.stdout.splitlines()] == [
        ["train.py:3:27:", "XP103"],
        ["train.py:4:4:", "XP104"],
        ["train.py:5:9:", "XP102"],
    ]
    converted = xlaport_run("convert", "train.py", "--output-format", "concise", cwd=tmp_path)
    assert converted.returncode == 0
    assert [line.split(" ")[:2] for line in converted.stdout.splitlines()] == [  # below the import, without the `if`
        ["train.py:4:27:", "XP103"],
        ["train.py:5:4:", "XP104"],
        ["train.py:5:5:", "XP102"],
    ]
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == PORTED


@pytest.mark.parametrize("wanted", FORMATS)
@pytest.mark.parametrize("command", ["check", "convert"])
def test_a_report_goes_into_a_file_as_it_goes_to_the_terminal(tmp_path: Path, wanted: str, command: str) -> None:
    for name in ("here", "there"):
        write(tmp_path / name, train=CUDA, broken="import torch\ntorch.cuda.f(:\n")
    printed = xlaport_run(command, ".", "--output-format", wanted, cwd=tmp_path / "here")
    run = xlaport_run(command, ".", "--output-format", wanted, "--output-file", "../report", cwd=tmp_path / "there")
    assert (run.returncode, run.stdout, run.stderr) == (2, "", "")
    assert (tmp_path / "report").read_text(encoding="utf-8") == printed.stdout
    assert "XP102" in printed.stdout
    assert "broken.py" in printed.stdout


def test_a_diff_goes_into_a_file_byte_by_byte(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"# coding: latin-1\n# \xe9\nimport torch\nx = torch.ones(2).cuda()\n")
    run = xlaport_run("convert", "--diff", "a.py", "--output-file", "a.patch", "--html", "a.html", cwd=tmp_path)
    assert run.returncode == 1, run.stderr
    assert run.stdout == ""
    assert "What a conversion changes" in (tmp_path / "a.html").read_text(encoding="utf-8")
    subprocess.run(["git", "apply", "a.patch"], cwd=tmp_path, check=True)
    assert b"# \xe9\nimport torch\nimport torch_xla\n" in (tmp_path / "a.py").read_bytes()


@pytest.mark.parametrize(
    ("command", "option"), [("convert", "--output-file"), ("convert", "--html"), ("check", "--html")]
)
@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("folder", "is a folder"),
        ("missing/report", "there is no folder missing"),
        ("train.py", "would be written over with the report"),
        ("other.py", "would be written over with the report"),
        ("book.ipynb", "would be written over with the report"),
        ("/dev/null", "is no regular file"),
        ("run.sh", "would be written over with the report"),
    ],
)
def test_a_file_that_cannot_be_written_is_one_line_before_anything_is_done(
    tmp_path: Path, command: str, option: str, place: str, reason: str
) -> None:
    write(tmp_path, train=CUDA, other=CLEAN)
    (tmp_path / "folder").mkdir()
    (tmp_path / "run.sh").write_text("torchrun train.py\n", encoding="utf-8")
    run = xlaport_run(command, "train.py", "run.sh", option, place, cwd=tmp_path)
    assert run.returncode == 2
    assert one_line(run.stderr).startswith(f"xlaport: {option} {place}: {reason}")
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == CUDA
    assert (tmp_path / "other.py").read_text(encoding="utf-8") == CLEAN


def test_a_read_only_report_and_one_file_for_two_are_refused(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA)
    run = xlaport_run("check", ".", "--html", "a", "--output-file", "a", cwd=tmp_path)
    assert run.returncode == 2
    assert "is the file of --output-file, too" in one_line(run.stderr)
    (tmp_path / "old").write_text("old", encoding="utf-8")
    (tmp_path / "old").chmod(0o444)
    run = xlaport_run("check", ".", "--output-file", "old", cwd=tmp_path)
    assert run.returncode == 2
    assert "read-only" in run.stderr or "may not be written" in run.stderr
    assert (tmp_path / "old").read_text(encoding="utf-8") == "old"
    one_line(run.stderr)


def test_options_that_make_no_sense_together_are_one_line(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA)
    for options, word in [
        (("convert", "--diff", "--output-format", "sarif"), "--diff"),
        (("check", "--explain-facts", "--output-format", "github"), "--explain-facts"),
        (("check", "--explain-facts", "--html", "a.html"), "--explain-facts"),
    ]:
        run = xlaport_run(*options, "train.py", cwd=tmp_path)
        assert run.returncode == 2
        assert word in one_line(run.stderr)
    assert not (tmp_path / "a.html").exists()
    facts = xlaport_run("check", "--explain-facts", "train.py", "--output-file", "facts", cwd=tmp_path)
    assert (facts.returncode, facts.stdout) == (0, "")
    assert (tmp_path / "facts").exists()


def test_exit_zero_is_for_findings_and_not_for_errors(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA)
    assert xlaport_run("check", "--exit-zero", "train.py", cwd=tmp_path).returncode == 0
    assert xlaport_run("check", "--exit-zero", "train.py", "missing.py", cwd=tmp_path).returncode == 2


def test_a_conversion_may_fail_for_what_is_left(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA, left="import torch\n\nprint(torch.cuda.memory_summary())\n")
    flag = "--exit-non-zero-on-manual"
    assert xlaport_run("convert", flag, "train.py", cwd=tmp_path).returncode == 0
    assert xlaport_run("convert", "left.py", cwd=tmp_path).returncode == 0
    assert xlaport_run("convert", flag, "left.py", cwd=tmp_path).returncode == 1
    assert xlaport_run("convert", flag, "left.py", "missing.py", cwd=tmp_path).returncode == 2


def test_names_of_any_bytes_break_no_format(tmp_path: Path) -> None:
    folder = tmp_path / "d\u00e9j\u00e0 vu,a:b%"
    folder.mkdir()
    for name in (b"new\nline.py", b"caf\xe9.py", b"\x1b[2J.py", b"::error::.py", b"a'\"<b>&.py"):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text(CUDA, encoding="utf-8")
    lines = {}
    for wanted in FORMATS:
        run = xlaport_run("check", ".", "--output-format", wanted, "--html", "p.html", cwd=tmp_path)
        assert (run.returncode, run.stderr) == (1, ""), wanted
        assert "\x1b" not in run.stdout
        lines[wanted] = run.stdout.splitlines()
    assert len(lines["concise"]) == len(lines["github"]) == 15
    assert all(line.startswith("::notice file=") for line in lines["github"])
    results = json.loads("\n".join(lines["sarif"]))["runs"][0]["results"]
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    assert len(results) == 15
    assert len(uris) == 5
    assert all(uri.isascii() and " " not in uri and "\n" not in uri for uri in uris)
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert "&lt;b&gt;" in page
    assert "<b>&" not in page


def test_the_page_of_a_conversion_into_another_folder_tells_what_is_written(tmp_path: Path) -> None:
    write(tmp_path / "repo", train=CUDA)
    run = xlaport_run("convert", "repo", "--out", "port", "--html", "port.html", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    page = (tmp_path / "port.html").read_text(encoding="utf-8")
    assert "What was changed" in page
    assert "+import torch_xla" in page
    assert (tmp_path / "repo" / "train.py").read_text(encoding="utf-8") == CUDA


def test_the_start_costs_no_library_of_the_reports(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA)
    for wanted in ("text", "concise", "github"):
        run = xlaport_run(
            "check", "train.py", "--output-format", wanted, cwd=tmp_path,
            env={**os.environ, "PYTHONPROFILEIMPORTTIME": "1"},
        )  # fmt: skip
        assert run.returncode == 1
        assert not {"markdown_it", "rich.progress"} & {line.split()[-1] for line in run.stderr.splitlines() if line}
