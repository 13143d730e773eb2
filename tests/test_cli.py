"""The command line as a user meets it: exit codes, one clear line for bad input, nothing lost."""

from __future__ import annotations

import json
import os
import platform
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import xlaport
from xlaport import run
from xlaport.config import Config
from xlaport.report import all_errors

CUDA = """\
import torch

x = torch.zeros(3, device="cuda")
if torch.cuda.is_available():
    x = x.cuda()
"""
PORTED = """\
import torch
import torch_xla

x = torch.zeros(3, device=torch_xla.device())
x = x.to(torch_xla.device())
"""
CLEAN = "import torch\n\nprint(torch.ones(3))\n"


def xlaport_run(*arguments: str | Path, cwd: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "xlaport", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        **options,
    )


def write(folder: Path, **files: str) -> Path:
    """Write Python files by name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


# -- convert and check -------------------------------------------------------------------------------------


def test_convert_rewrites_in_place_and_a_second_time_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA)
    run = xlaport_run("convert", "train.py", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == PORTED
    assert "train.py\n  4:27  XP103  fixed" in run.stdout  # behind the import that came
    again = xlaport_run("convert", "train.py", cwd=tmp_path)
    assert again.returncode == 0
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == PORTED


SEVERAL = """\
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def main():
    dist.init_process_group("nccl")
    model = torch.nn.Linear(2, 2).cuda()
    model = DistributedDataParallel(model)
    total = model(torch.ones(1, 2).cuda()).sum()
    total.backward()
    print(float(total.half()))


if __name__ == "__main__":
    main()
"""


def test_multi_ports_the_processes_and_nothing_else_that_is_unsafe(tmp_path: Path) -> None:
    write(tmp_path, train=SEVERAL)
    plain = xlaport_run("check", "train.py", "--output-format", "json", cwd=tmp_path)
    multi = xlaport_run("convert", "--multi", "train.py", "--output-format", "json", cwd=tmp_path)
    assert (plain.returncode, multi.returncode) == (1, 0), multi.stderr
    text = (tmp_path / "train.py").read_text(encoding="utf-8")
    assert "nccl" not in text
    assert "torch_xla.launch(_mp_fn)" in text
    found = json.loads(multi.stdout)["findings"]
    fixed = {one["code"] for one in found if one["applicability"] == "unsafe" and one["fixed"]}
    assert fixed == {"XP603"}
    assert any(one["applicability"] == "unsafe" and not one["fixed"] for one in found), "nothing unsafe was left"
    assert not any(one["code"] == "XP603" for one in json.loads(plain.stdout)["findings"] if one["fixed"])


def test_check_writes_nothing_and_exits_with_1_on_findings(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA, clean=CLEAN)
    assert xlaport_run("check", "train.py", cwd=tmp_path).returncode == 1
    assert xlaport_run("check", "clean.py", cwd=tmp_path).returncode == 0
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == CUDA


def test_check_of_nothing_named_checks_this_folder(tmp_path: Path) -> None:
    write(tmp_path, a=CUDA)
    named, unnamed = xlaport_run("check", ".", cwd=tmp_path), xlaport_run("check", cwd=tmp_path)
    assert unnamed.returncode == 1
    assert unnamed.stdout == named.stdout
    assert xlaport_run("convert", cwd=tmp_path).returncode == 2
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == CUDA


@pytest.mark.parametrize("command", [(), ("check",), ("convert",), ("verify",), ("explain",)], ids=" ".join)
def test_h_is_help(tmp_path: Path, command: tuple[str, ...]) -> None:
    short = xlaport_run(*command, "-h", cwd=tmp_path)
    assert short.returncode == 0
    assert short.stdout == xlaport_run(*command, "--help", cwd=tmp_path).stdout


def test_diff_writes_nothing_and_git_applies_it(tmp_path: Path) -> None:
    write(tmp_path / "sub", train=CUDA)
    run = xlaport_run("convert", "--diff", "sub", cwd=tmp_path)
    assert run.returncode == 1
    assert (tmp_path / "sub" / "train.py").read_text(encoding="utf-8") == CUDA
    subprocess.run(["git", "apply", "-"], input=run.stdout, text=True, cwd=tmp_path, check=True)
    assert (tmp_path / "sub" / "train.py").read_text(encoding="utf-8") == PORTED


def test_out_leaves_the_original_and_brings_what_the_port_needs(tmp_path: Path) -> None:
    write(tmp_path / "repo" / "pkg", train=CUDA, clean=CLEAN)
    (tmp_path / "repo" / "data.txt").write_text("42")
    run = xlaport_run("convert", "repo", "--out", "port", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "repo" / "pkg" / "train.py").read_text(encoding="utf-8") == CUDA
    assert (tmp_path / "port" / "pkg" / "train.py").read_text(encoding="utf-8") == PORTED
    assert (tmp_path / "port" / "pkg" / "clean.py").read_text(encoding="utf-8") == CLEAN
    assert (tmp_path / "port" / "data.txt").read_text() == "42"


@pytest.mark.parametrize("out", ["repo", "repo/port", ".", "file.txt"])
def test_out_into_the_original_is_refused(tmp_path: Path, out: str) -> None:
    write(tmp_path / "repo", train=CUDA)
    (tmp_path / "file.txt").write_text("")
    run = xlaport_run("convert", "repo", "--out", out, cwd=tmp_path)
    assert run.returncode == 2
    assert one_line(run.stderr).startswith("xlaport: --out")
    assert (tmp_path / "repo" / "train.py").read_text(encoding="utf-8") == CUDA


def test_select_and_ignore_take_codes_and_their_beginnings(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA)

    def codes(*options: str) -> set[str]:
        run = xlaport_run("check", "train.py", "--output-format", "json", *options, cwd=tmp_path)
        return {finding["code"] for finding in json.loads(run.stdout)["findings"]}

    assert codes() == {"XP102", "XP103", "XP104"}
    assert codes("--select", "XP104") == {"XP104"}
    assert codes("--select", "xp1", "--ignore", "XP102,XP103") == {"XP104"}
    assert codes("--ignore", "XP1") == set()


def test_json_keeps_the_contract(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA, broken="def f(:\n    torch.cuda\n")
    run = xlaport_run("convert", ".", "--output-format", "json", cwd=tmp_path)
    report = json.loads(run.stdout)
    assert run.returncode == 2
    assert list(report) == ["version", "tool", "target", "files", "findings", "errors"]
    assert report["version"] == 1
    assert report["tool"] == "xlaport"
    assert report["target"] == "torch_xla 2.9"
    assert report["files"] == {"seen": 2, "parsed": 2, "changed": 1, "documents": 0}
    first = report["findings"][0]
    assert list(first) == [
        "code", "name", "message", "path", "line", "column", "end_line", "end_column", "applicability", "fixed", "cell",
        "recipe", "snippet", "notes", "harm", "page", "edits", "line_after", "end_line_after",
    ]  # fmt: skip
    assert (first["code"], first["path"], first["line"], first["column"]) == ("XP103", "train.py", 3, 27)
    assert (first["line_after"], first["end_line_after"]) == (4, 4)
    assert first["fixed"] is True
    assert first["page"] == "rules/XP103.md"
    assert first["edits"][0] == {"line": 2, "column": 1, "end_line": 2, "end_column": 1, "text": "import torch_xla\n"}
    assert [error["path"] for error in report["errors"]] == ["broken.py"]
    check = json.loads(xlaport_run("check", ".", "--output-format", "json", cwd=tmp_path).stdout)
    assert all(finding["fixed"] is False for finding in check["findings"])
    assert check["files"]["changed"] == 0


# -- standard input ----------------------------------------------------------------------------------------


class TestStandardInput:
    def test_a_check(self, tmp_path: Path) -> None:
        run = xlaport_run("check", "-", cwd=tmp_path, input=CUDA)
        assert run.returncode == 1
        assert run.stdout.startswith("-\n  3:27  XP103  fixable")
        named = xlaport_run("check", "-", "--stdin-filename", "pkg/train.py", cwd=tmp_path, input=CUDA)
        assert named.stdout.startswith("pkg/train.py\n  3:27")

    def test_a_conversion_is_printed(self, tmp_path: Path) -> None:
        run = xlaport_run("convert", "-", cwd=tmp_path, input=CUDA)
        assert (run.returncode, run.stdout) == (0, PORTED)
        assert "Fixed 3 findings" in run.stderr
        again = xlaport_run("convert", "-", "-q", cwd=tmp_path, input=run.stdout)
        assert (again.returncode, again.stdout) == (0, PORTED)
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize(
        "data", [b"print(1)\r\n", b"import numpy\nx = 1", b"", b"import torch\nx = (\n", b"x = '\xff'"]
    )
    def test_what_is_not_ported_comes_out_as_it_came(self, tmp_path: Path, data: bytes) -> None:
        run = subprocess.run(
            [sys.executable, "-m", "xlaport", "convert", "-"],
            cwd=tmp_path,
            input=data,
            capture_output=True,
            check=False,
        )
        assert run.stdout == data

    def test_it_belongs_to_a_project(self, tmp_path: Path) -> None:
        write(tmp_path / "pkg", settings='import torch\nDEVICE = torch.device("cpu")\n')
        (tmp_path / "pkg" / "xlaport.toml").write_text('ignore = ["XP104"]\n')
        text = CUDA + "from settings import DEVICE\n"
        run = xlaport_run("check", "-", "--stdin-filename", "pkg/train.py", cwd=tmp_path, input=text)
        assert "XP104" not in run.stdout
        assert "XP103" in run.stdout

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("-", "a.py"), "- is standard input, and cannot be named beside other paths"),
            (("a.py", "--stdin-filename", "b.py"), "--stdin-filename says what standard input is called: name - "),
            (("-", "--stdin-filename", "a.yaml"), "standard input is read as Python; name other files as paths"),
            (("-", "--add-ignores"), "--add-ignores writes into files: name them"),
            (("-", "-q", "-v"), "--quiet and --verbose: choose one"),
            (("-", "-q", "--output-format", "sarif"), "--quiet is for the text report: leave it out with --output-"),
            (("-", "-v", "--output-format", "json"), "--verbose is for the text report: leave it out with --output-"),
            (("-", "--statistics", "--output-format", "junit"), "--statistics is for the text report: leave it out"),
        ],
    )
    def test_bad_input_is_one_line(self, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
        run = xlaport_run("check", *arguments, cwd=tmp_path, input=CUDA)
        assert run.returncode == 2
        assert told in one_line(run.stderr)

    def test_a_file_of_that_name_is_another(self, tmp_path: Path) -> None:
        (tmp_path / "-").write_text(CLEAN)
        run = xlaport_run("check", "./-", cwd=tmp_path, input=CUDA)
        assert (run.returncode, run.stdout.partition(":")[0]) == (2, "error"), "it is no Python file by its name"
        (tmp_path / "-").unlink()
        (tmp_path / "-" / "a.py").parent.mkdir()
        (tmp_path / "-" / "a.py").write_text(CUDA)
        assert xlaport_run("check", "./-", cwd=tmp_path, input=CLEAN).stdout.startswith("-/a.py\n")

    def test_a_diff_has_its_name(self, tmp_path: Path) -> None:
        for name, options in (("-", ()), ("./pkg/train.py", ("--stdin-filename", "pkg/train.py"))):
            run = xlaport_run("convert", "--diff", "-", *options, cwd=tmp_path, input=CUDA)
            assert run.stdout.splitlines()[:2] == [f"--- {name}", f"+++ {name}"]

    def test_what_is_excluded_is_passed_over(self, tmp_path: Path) -> None:
        """As editors call it: with the name of the file that is open."""
        (tmp_path / "xlaport.toml").write_text('exclude = ["old/"]\n')
        for name, is_left_out in (("old/train.py", True), ("new/train.py", False)):
            arguments = ("-", "--force-exclude", "--stdin-filename", name)
            checked = xlaport_run("check", *arguments, cwd=tmp_path, input=CUDA)
            assert checked.returncode == int(not is_left_out)
            converted = xlaport_run("convert", *arguments, cwd=tmp_path, input=CUDA)
            assert converted.stdout == (CUDA if is_left_out else PORTED)

    def test_what_does_not_parse(self, tmp_path: Path) -> None:
        run = xlaport_run("check", "-", cwd=tmp_path, input="import torch\nx = (\n")
        assert run.returncode == 2
        assert run.stdout.startswith("error: -: line 2: ")


def test_what_does_not_parse_is_an_error_also_without_torch(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA, other="x = (\n", old="print 'x'\n")
    run = xlaport_run("check", ".", cwd=tmp_path)
    assert run.returncode == 2
    errors = [line for line in run.stdout.splitlines() if line.startswith("error: ")]
    assert [line.partition(": ")[2].partition(":")[0] for line in errors] == ["old.py", "other.py"]
    assert "Python 2" in errors[0]


def test_a_typo_in_the_settings_of_verify_is_found_by_all(tmp_path: Path) -> None:
    write(tmp_path, train=CLEAN)
    (tmp_path / "xlaport.toml").write_text("[verify]\nstep = 3\n")
    for command in ("check .", "convert .", "verify train.py", "rules", "explain XP101", "doctor"):
        run = xlaport_run(*command.split(), cwd=tmp_path)
        assert run.returncode == 2, command
        assert "[verify] has no key step: did you mean steps?" in one_line(run.stderr)
    (tmp_path / "xlaport.toml").write_text('select = ["XQ"]\n')
    assert xlaport_run("verify", "train.py", cwd=tmp_path).returncode == 2


def test_a_hook_names_what_has_changed(tmp_path: Path) -> None:
    """What xlaport does not read is no error where excluded files are passed over."""
    write(tmp_path, train=CLEAN)
    (tmp_path / "notes.md").write_text("text")
    (tmp_path / "run.sh").write_text("python train.py --device cuda\n")
    run = xlaport_run("check", "--force-exclude", "train.py", "notes.md", "run.sh", cwd=tmp_path)
    assert run.returncode == 1
    assert "XP813" in run.stdout
    assert xlaport_run("check", "notes.md", cwd=tmp_path).returncode == 2


# -- bad input ---------------------------------------------------------------------------------------------


def one_line(text: str) -> str:
    """The text, which has to be one line and no traceback."""
    assert text.count("\n") == 1, text
    assert "Traceback" not in text
    return text


def test_a_file_that_does_not_parse_is_one_line_and_the_others_are_done(tmp_path: Path) -> None:
    write(tmp_path, a=CUDA, broken='import torch\nx = torch.zeros(3, device="cuda"\n', z=CUDA)
    (tmp_path / "bytes.py").write_bytes(b"import torch  # cuda \xff\n")
    run = xlaport_run("convert", ".", cwd=tmp_path)
    assert run.returncode == 2
    assert "Traceback" not in run.stdout + run.stderr
    errors = [line for line in run.stdout.splitlines() if line.startswith("error")]
    assert len(errors) == 2
    assert any("broken.py" in line and "line 2" in line for line in errors)
    assert any("bytes.py" in line for line in errors)
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == PORTED
    assert (tmp_path / "z.py").read_text(encoding="utf-8") == PORTED


@pytest.mark.parametrize("command", ["convert", "check"])
@pytest.mark.parametrize(
    ("path", "words"),
    [("missing.py", "no such file or folder"), ("empty", "no Python file"), ("a.txt", "not a Python")],
)
def test_what_is_not_there_is_one_line(tmp_path: Path, command: str, path: str, words: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.txt").write_text("")
    write(tmp_path, train=CUDA)
    run = xlaport_run(command, path, "train.py", cwd=tmp_path)
    assert run.returncode == 2
    lines = [line for line in run.stdout.splitlines() if words in line]
    assert len(lines) == 1
    assert path in lines[0]
    if command == "convert":
        assert (tmp_path / "train.py").read_text(encoding="utf-8") == PORTED


def test_an_unknown_rule_target_or_combination_is_one_line(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA)
    for options, word in [
        (["--select", "XP9999"], "XP9999"),
        (["--target", "1.0"], "1.0"),
        (["--diff", "--out", "x"], "--diff"),
    ]:
        run = xlaport_run("convert", "train.py", *options, cwd=tmp_path)
        assert run.returncode == 2
        assert word in one_line(run.stderr)
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == CUDA
    assert one_line(xlaport_run("explain", "XP9999", cwd=tmp_path).stderr)


def test_a_deeply_nested_file_is_one_line(tmp_path: Path) -> None:
    write(tmp_path, deep="import torch\ntorch.cuda.init()\nx = " + "(" * 5000 + ")" * 5000 + "\n", a=CUDA)
    run = xlaport_run("convert", ".", cwd=tmp_path)
    assert run.returncode == 2
    assert "Traceback" not in run.stdout + run.stderr
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == PORTED


def test_a_read_only_file_keeps_its_text_and_the_others_are_done(tmp_path: Path) -> None:
    write(tmp_path, a=CUDA, b=CUDA)
    (tmp_path / "a.py").chmod(0o444)
    run = xlaport_run("convert", ".", cwd=tmp_path)
    assert run.returncode == 2
    assert "a.py" in next(line for line in run.stdout.splitlines() if line.startswith("error"))
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == CUDA
    assert (tmp_path / "b.py").read_text(encoding="utf-8") == PORTED


def test_a_file_that_changes_meanwhile_keeps_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, a=CUDA, b=CUDA)
    monkeypatch.chdir(tmp_path)
    result = run.convert([Path()], Config())
    write(tmp_path, a=CUDA + "# and this\n")
    result = run.write(result)
    assert [error.message for error in all_errors(result)] == [
        "was changed by somebody else while it was converted: nothing was written; run again"
    ]
    assert not any(finding.fixed for finding in result.files[0].findings)
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == CUDA + "# and this\n"
    assert (tmp_path / "b.py").read_text(encoding="utf-8") == PORTED


def test_two_conversions_at_once_do_what_one_does(tmp_path: Path) -> None:
    names = [f"f{i}" for i in range(40)]
    write(tmp_path, **dict.fromkeys(names, CUDA))
    command = [sys.executable, "-m", "xlaport", "convert", "."]
    runs = [subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL) for _ in range(3)]
    assert [each.wait(timeout=120) for each in runs] == [0, 0, 0]
    assert {file.read_text(encoding="utf-8") for file in tmp_path.iterdir()} == {PORTED}
    assert len(list(tmp_path.iterdir())) == len(names)


def test_pipes_and_sockets_are_not_waited_for(tmp_path: Path) -> None:
    write(tmp_path, a=CUDA)
    for name in ("pipe.py", ".gitignore", "pipe.yaml"):
        os.mkfifo(tmp_path / name)
    for path in (".", "a.py"):
        assert xlaport_run("check", path, cwd=tmp_path).returncode == 1
    found = xlaport_run("check", "pipe.py", cwd=tmp_path)
    assert found.returncode == 2
    assert "error: pipe.py: not a Python file" in found.stdout


def test_a_conversion_killed_at_any_moment_leaves_whole_files(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    body = CUDA + "".join(f'y{i} = torch.ones({i}, device="cuda")\n' for i in range(10))
    names = [f"f{i}" for i in range(30)]
    write(repo, **dict.fromkeys(names, body))
    start = time.monotonic()
    assert xlaport_run("convert", ".", "--out", "../whole", cwd=repo).returncode == 0
    duration = time.monotonic() - start
    after = (tmp_path / "whole" / "f0.py").read_text(encoding="utf-8")
    choose = random.Random(7)
    outcomes: set[str] = set()
    groups: list[int] = []
    for tried in range(100):
        if tried >= 25 and outcomes == {"old", "new"}:
            break  # on a busy machine it takes more tries to hit the moment
        write(repo, **dict.fromkeys(names, body))
        process = subprocess.Popen(
            [sys.executable, "-m", "xlaport", "convert", "."],
            cwd=repo,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(duration * choose.uniform(0.3, 1.1 + tried / 50))
        process.send_signal(signal.SIGKILL)
        process.wait()
        for name in names:
            text = (repo / f"{name}.py").read_text(encoding="utf-8")
            assert text in (body, after), f"{name}.py is half-written"
            outcomes.add("old" if text == body else "new")
        groups.append(process.pid)
    assert outcomes == {"old", "new"}, "the kills never fell into a conversion"
    for _ in range(60):
        groups = [group for group in groups if is_alive(group)]
        if groups:
            time.sleep(0.5)
    assert not groups, "the processes that shared the work go on without the one that was killed"


def is_alive(group: int) -> bool:
    """Whether a process group has a process."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(
    ("body", "place", "reason"),
    [
        ("def f():\n    raise ValueError('boom')\nf()\n", "script.py:2 in f(): ", "ValueError: boom"),
        ("def f(:\n", "script.py:1: ", "SyntaxError"),
        ("raise SystemExit(3)\n", "", "exited with code 3"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "", "killed by SIGKILL"),
        ("import time\ntime.sleep(100)\n", "", "Stopped after 3 s: the script was still running"),
        ("print('no torch')\n", "", "without importing torch"),
    ],
)
def test_a_script_that_fails_under_verify_is_one_line(tmp_path: Path, body: str, place: str, reason: str) -> None:
    write(tmp_path, script=body)
    run = xlaport_run("verify", "script.py", "--timeout", "3", cwd=tmp_path)
    assert run.returncode == 2
    line = one_line(run.stdout)
    assert line.startswith(f"ERROR: {place}")
    assert reason in line
    assert " -> " in line


def test_verify_says_in_one_line_that_there_is_no_script_or_no_torch_xla(tmp_path: Path) -> None:
    missing = xlaport_run("verify", "missing.py", cwd=tmp_path)
    assert missing.returncode == 2
    assert "missing.py" in one_line(missing.stderr)
    write(tmp_path, script="import torch\n")
    empty = tmp_path / "empty"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(empty)], check=True)
    bare = xlaport_run("verify", "script.py", "--python", empty / "bin" / "python", cwd=tmp_path)
    assert bare.returncode == 2
    assert "torch_xla" in one_line(bare.stderr)
    assert "pip install" in bare.stderr


@pytest.mark.parametrize(
    ("option", "place", "reason"),
    [
        ("--html", "folder", "is a folder"),
        ("--html", "missing/page.html", "there is no folder missing"),
        ("--tensorboard", "script.py", "is a file"),
    ],
)
def test_a_report_that_cannot_be_written_is_one_line_before_the_run(
    tmp_path: Path, option: str, place: str, reason: str
) -> None:
    write(tmp_path, script="open('ran', 'w')\n")
    (tmp_path / "folder").mkdir()
    run = xlaport_run("verify", "script.py", option, place, cwd=tmp_path)
    assert run.returncode == 2
    assert one_line(run.stderr).startswith(f"xlaport: {option} {place}: {reason}")
    assert not (tmp_path / "ran").exists()


def test_tensorboard_that_is_not_installed_is_one_line(tmp_path: Path) -> None:
    write(tmp_path, script="open('ran', 'w')\n", tensorboard="raise ImportError('no tensorboard here')\n")
    run = xlaport_run("verify", "script.py", "--tensorboard", "runs", cwd=tmp_path)
    assert run.returncode == 2
    assert "no tensorboard here" in one_line(run.stderr)
    assert "pip install 'xlaport[tensorboard]'" in run.stderr
    assert not (tmp_path / "ran").exists()


def test_verify_runs_a_script_or_judges_a_recording(tmp_path: Path) -> None:
    for arguments, words in [
        ((), "name the script to run, or a recorded run with --metrics FILE"),
        (("a.py", "--metrics", "b"), "leave out SCRIPT"),
        (("--metrics", "b", "--steps", "100", "-m"), "leave out --module, --steps"),
        (("a.py", "--metrics", "b", "--", "--lr"), "leave out SCRIPT"),
        (("--metrics", "b"), "b: cannot be read: No such file"),
    ]:
        run = xlaport_run("verify", *arguments, cwd=tmp_path)
        assert run.returncode == 2
        assert run.stdout == ""
        assert words in one_line(run.stderr)


# -- the rest ----------------------------------------------------------------------------------------------


def test_version_rules_and_explain(tmp_path: Path) -> None:
    here = f"Python {platform.python_version()}; writes for torch_xla 2.9"
    assert xlaport_run("--version", cwd=tmp_path).stdout == f"xlaport {xlaport.__version__} ({here})\n"
    table = xlaport_run("rules", cwd=tmp_path).stdout
    codes = [row["code"] for row in json.loads(xlaport_run("rules", "--output-format", "json", cwd=tmp_path).stdout)]
    assert codes == sorted(codes)
    assert codes == [line.split()[0] for line in table.splitlines()]
    for code in (codes[0], codes[-1]):  # (tests/test_pages.py reads all of them)
        page = xlaport_run("explain", code, cwd=tmp_path).stdout
        assert page.startswith(f"# {code}: ")
        assert "## When it is wrong" in page


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("xlaport exp", ["explain"]),
        ("xlaport explain XP20", ["XP201", "XP202"]),
        ("xlaport check --select XP101,XP20", ["XP101,XP201", "XP101,XP202"]),
        ("xlaport check --output-format j", ["json"]),
    ],
)
def test_a_shell_completes_commands_and_codes(tmp_path: Path, words: str, expected: list[str]) -> None:
    asked = {"_XLAPORT_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    command = [sys.executable, "-c", "import sys; sys.argv[0] = 'xlaport'; from xlaport.cli import main; main()"]
    run = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **asked}, capture_output=True, text=True, check=False
    )
    assert run.stdout.split()[: len(expected)] == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_shown_for_a_shell(tmp_path: Path, shell: str) -> None:
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [sys.executable, "-c", "import sys; sys.argv[0] = 'xlaport'; from xlaport.cli import main; main()"]
    run = subprocess.run(
        [*command, "--show-completion", shell], cwd=tmp_path, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert "_XLAPORT_COMPLETE" in run.stdout
    assert run.returncode == 0


def test_explain_for_a_machine(tmp_path: Path) -> None:
    run = xlaport_run("explain", "optimizer-before-move", "--output-format", "json", cwd=tmp_path)
    assert run.returncode == 0
    row = json.loads(run.stdout)
    assert (row["code"], row["applicability"], row["on_request"]) == ("XP203", "safe", False)
    assert "model.to(torch.device" in row["sections"]["Example"]
    catalogue = json.loads(xlaport_run("rules", "--output-format", "json", cwd=tmp_path).stdout)
    assert row in catalogue


def test_explain_is_json_in_a_terminal_that_knows_ascii_only(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = xlaport_run("explain", "XP202", "--output-format", "json", cwd=tmp_path, env=environment)
    assert "…" in json.loads(run.stdout)["documentation"]


def test_explain_lists_a_family(tmp_path: Path) -> None:
    run = xlaport_run("explain", "xp20", cwd=tmp_path)
    assert run.returncode == 0
    assert [line.split()[0] for line in run.stdout.splitlines()] == [f"XP20{number}" for number in range(1, 10)]
    rows = json.loads(xlaport_run("explain", "XP20", "--output-format", "json", cwd=tmp_path).stdout)
    assert len(rows) == 9


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("item_in_step", "XP301 (item-in-step-loop)"),
     ("optimiser-before-move", "XP203 (optimizer-before-move)"), ("XP3O1", "XP301 (item-in-step-loop)")],
)  # fmt: skip
def test_explain_names_the_rule_that_was_meant(asked: str, meant: str, tmp_path: Path) -> None:
    run = xlaport_run("explain", asked, cwd=tmp_path)
    assert run.returncode == 2
    assert run.stdout == ""
    said = one_line(run.stderr)
    assert f"'{asked}'" in said
    assert meant in said


def test_explain_of_what_nothing_is_like(tmp_path: Path) -> None:
    run = xlaport_run("explain", "zzzzzzzz", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (2, "")
    assert "did you mean" not in one_line(run.stderr)


def test_explain_of_several_lines_is_answered_in_one(tmp_path: Path) -> None:
    assert "'XP203\\nXP204'" in one_line(xlaport_run("explain", "XP203\nXP204", cwd=tmp_path).stderr)


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    write(tmp_path, **{f"f{i}": CUDA for i in range(200)})
    run = subprocess.run(
        f"{shlex.quote(sys.executable)} -m xlaport check . | head -n 1",
        shell=True, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in run.stderr
    assert run.stdout.count("\n") == 1


def test_convert_and_check_do_not_import_torch(tmp_path: Path) -> None:
    write(tmp_path, train=CUDA)
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("raise ImportError('torch was imported')")
    run = xlaport_run("convert", "train.py", cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == PORTED


# -- an older torch_xla ------------------------------------------------------------------------------------

STEP = """\
import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(2, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    model(torch.ones(4, 2, device=device)).sum().backward()
    optimizer.step()
"""


def test_an_older_target_is_written_as_it_spells_it(tmp_path: Path) -> None:
    write(tmp_path, train=STEP)
    result = xlaport_run("convert", "--target", "2.4", "--output-format", "json", "train.py", cwd=tmp_path)
    assert result.returncode == 0
    assert json.loads(result.stdout)["target"] == "torch_xla 2.4"
    text = (tmp_path / "train.py").read_text(encoding="utf-8")
    assert "    xm.mark_step()\n" in text
    assert "device = torch_xla.device()\n" in text
    assert "torch_xla.sync" not in text


@pytest.mark.parametrize("version", ["2.12", "foo", "2.4.0"])
def test_an_unknown_target_is_one_clear_line(version: str, tmp_path: Path) -> None:
    write(tmp_path, train=STEP)
    for command in ("convert", "check"):
        result = xlaport_run(command, "--target", version, "train.py", cwd=tmp_path)
        assert result.returncode == 2
        assert result.stdout == ""
        assert result.stderr == (
            f"xlaport: unknown target '{version}': choose a version of torch_xla, "
            "2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.9\n"
        )
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == STEP
