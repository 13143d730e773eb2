"""`convert` and `check` as a user meets them: what is written, exit codes, older targets."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.command_line import CLEAN, CUDA, PORTED, one_line, write, xlaport_run


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
    assert list(report) == ["version", "tool", "target", "files", "findings", "possible", "errors"]
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
            "2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8, 2.9, or torch_tpu\n"
        )
    assert (tmp_path / "train.py").read_text(encoding="utf-8") == STEP
