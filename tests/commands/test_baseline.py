"""A baseline: only what comes new is reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.command_line import CUDA, one_line, write, xlaport_run
from xlaport import baseline, run
from xlaport.config import Config
from xlaport.errors import UserError


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write(tmp_path, train=CUDA)
    write(tmp_path / "lib", model="import torch\ntorch.cuda.empty_cache()\ntorch.cuda.empty_cache()\n")
    return tmp_path


def known(project: Path, place: Path) -> int:
    _, number = baseline.without_known(run.convert([project], Config()), place)
    return number


def new(project: Path, place: Path) -> list[tuple[str, int]]:
    result, _ = baseline.without_known(run.convert([project], Config()), place)
    return [(finding.code, finding.line) for finding in result.findings]


def test_what_was_there_is_not_reported(project: Path) -> None:
    place = project / "known.json"
    assert baseline.write(run.convert([project], Config()), place) == 5
    assert new(project, place) == []
    assert known(project, place) == 5
    rows = json.loads(place.read_text())["findings"]
    assert {row["path"] for row in rows} == {"train.py", "lib/model.py"}
    assert [row["count"] for row in rows if row["path"] == "lib/model.py"] == [2]


def test_lines_may_move_and_one_more_is_new(project: Path) -> None:
    place = project / "known.json"
    baseline.write(run.convert([project], Config()), place)
    model = project / "lib" / "model.py"
    model.write_text("# a line above\n" + model.read_text())
    assert new(project, place) == []
    model.write_text(model.read_text() + "torch.cuda.empty_cache()\nx = torch.ones(1).cuda()\n")
    assert new(project, place) == [("XP801", 5), ("XP102", 6)]


def test_to_ignore_what_is_new_in_a_line_makes_nothing_new(tmp_path: Path) -> None:
    write(tmp_path, a="import torch\ntorch.cuda.empty_cache()\n")
    place = tmp_path / "known.json"
    baseline.write(run.convert([tmp_path], Config()), place)
    write(tmp_path, a="import torch\ntorch.cuda.empty_cache()  # xlaport: ignore[XP102]\n")
    assert "XP801" not in {code for code, _ in new(tmp_path, place)}
    baseline.write(run.convert([tmp_path], Config()), place)  # one that is written behind the comment
    write(tmp_path, a="import torch\ntorch.cuda.empty_cache()\n")
    assert new(tmp_path, place) == []


def test_it_counts_from_its_folder(project: Path, tmp_path: Path) -> None:
    place = tmp_path / "deep" / "known.json"
    place.parent.mkdir()
    baseline.write(run.convert([project], Config()), place)
    assert {row["path"] for row in json.loads(place.read_text())["findings"]} == {"../train.py", "../lib/model.py"}
    assert new(project, place) == []


def test_on_the_command_line(project: Path) -> None:
    first = xlaport_run("check", ".", "--write-baseline", "known.json", cwd=project)
    assert (first.returncode, first.stdout) == (0, "5 findings written to known.json.\n")
    clean = xlaport_run("check", ".", "--baseline", "known.json", cwd=project)
    assert clean.returncode == 0
    assert clean.stdout == "Nothing new in 2 Python files; 5 in the baseline.\n"
    (project / "pyproject.toml").write_text('[tool.xlaport]\nbaseline = "known.json"\n')
    assert xlaport_run("check", "lib", cwd=project).returncode == 0
    (project / "lib" / "more.py").write_text(CUDA)
    assert xlaport_run("check", cwd=project).returncode == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "cannot be read: No such file or directory"),
        ("[]", "is no baseline: write one with --write-baseline"),
        ("{", "is no baseline: write one with --write-baseline"),
        ('{"version": 1, "findings": [{}]}', "is no baseline: write one with --write-baseline"),
        ('{"version": 99, "findings": []}', "is of another version of xlaport: write it again, --write-baseline"),
    ],
)
def test_bad_input_is_one_line(project: Path, text: str | None, told: str) -> None:
    if text is not None:
        (project / "known.json").write_text(text)
    ended = xlaport_run("check", ".", "--baseline", "known.json", cwd=project)
    assert ended.returncode == 2
    assert told in one_line(ended.stderr)


def test_it_is_not_written_over_a_program(project: Path) -> None:
    ended = xlaport_run("check", ".", "--write-baseline", "train.py", cwd=project)
    assert ended.returncode == 2
    assert "--write-baseline train.py: would be written over with the report" in one_line(ended.stderr)
    assert (project / "train.py").read_text() == CUDA


def test_where_it_cannot_be_written(project: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        baseline.write(run.convert([project], Config()), project / "no" / "known.json")


def test_what_is_known_gets_no_comment(project: Path) -> None:
    (project / "xlaport.toml").write_text('baseline = "known.json"\n')
    assert xlaport_run("check", ".", "--write-baseline", "known.json", cwd=project).returncode == 0
    model = project / "lib" / "model.py"
    model.write_text(model.read_text() + "x = torch.ones(1).cuda()\n")
    assert "1 finding ignored by a comment; 0 left." in xlaport_run("check", "--add-ignores", ".", cwd=project).stdout
    assert model.read_text().endswith("x = torch.ones(1).cuda()  # xlaport: ignore[XP102]\n")
    assert (project / "train.py").read_text() == CUDA
