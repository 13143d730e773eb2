"""Findings of a conversion stand where they are afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from xlaport.cli import app
from xlaport.report.places import Places
from xlaport.result import FileResult, ReportedFinding
from xlaport.rule import Applicability

BEFORE = """\
import torch
from torch import nn

model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.cuda()
for step in range(100):
    loss = model(torch.randn(2, 4).cuda()).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if loss.item() < 1:
        break
"""


@pytest.fixture(name="program")
def _program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "a.py").write_text(BEFORE)
    return tmp_path / "p" / "a.py"


def ported(*arguments: str) -> str:
    return CliRunner().invoke(app, ["convert", "--no-cache", *arguments]).stdout


def places(text: str) -> dict[str, list[str]]:
    """The lines that each rule names first, by its code."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if ".py:" in line and not line.startswith(" "):
            place, _, rest = line.partition(" ")
            found.setdefault(rest.split()[0], []).append(place.rstrip(":").rsplit(":", 1)[0])
    return found


def test_in_place_the_lines_are_those_of_the_new_text(program: Path) -> None:
    shown = places(ported("p", "--output-format", "concise"))
    after = program.read_text().splitlines()
    assert shown["XP403"] == [f"p/a.py:{after.index('    if loss.item() < 1:') + 1}"]
    assert shown["XP203"] == [f"p/a.py:{after.index('optimizer = torch.optim.SGD(model.parameters(), lr=0.1)') + 1}"]
    assert shown["XP102"] == ["p/a.py:6", "p/a.py:9"]


def test_messages_speak_of_the_new_lines_too(program: Path) -> None:
    text = " ".join(ported("p", "--verbose").split())
    assert "decides whether the loop in line 8 goes on" in text
    assert "+ if step % 16 == 0 and loss.item() < 1:" in text


def test_another_folder_has_the_written_file(program: Path) -> None:
    assert places(ported("p", "--out", "q", "--output-format", "concise"))["XP403"] == ["q/a.py:14"]
    assert program.read_text() == BEFORE


def test_a_check_and_a_diff_speak_of_the_file_as_it_is(program: Path) -> None:
    checked = CliRunner().invoke(app, ["check", "--no-cache", "p", "--output-format", "concise"]).stdout
    assert places(checked)["XP403"] == ["p/a.py:12"]
    assert "\n  12:8  XP403" in CliRunner().invoke(app, ["convert", "--no-cache", "p", "--diff"]).output


def test_json_has_both(program: Path) -> None:
    rows = {row["code"]: row for row in json.loads(ported("p", "--output-format", "json"))["findings"]}
    assert (rows["XP403"]["line"], rows["XP403"]["line_after"], rows["XP403"]["end_line_after"]) == (12, 14, 14)
    assert "line 7" in rows["XP403"]["message"]


def test_json_of_a_check_has_them_where_they_are(program: Path) -> None:
    out = CliRunner().invoke(app, ["check", "--no-cache", "p", "--output-format", "json"]).stdout
    assert all(row["line_after"] == row["line"] for row in json.loads(out)["findings"])


def file(before: str, after: str) -> Places:
    return Places(FileResult(Path("a.py"), before, after))


def test_what_is_no_more_is_where_it_was() -> None:
    assert [file("a\nb\nc\n", "a\nc\n").line(n) for n in (1, 2, 3)] == [1, 2, 2]
    assert [file("a\nb\n", "a\n").line(n) for n in (1, 2)] == [1, 1]
    assert file("a\n", "").line(1) == 1


def test_lines_of_other_files_stay() -> None:
    row = ReportedFinding(
        "XP1", "x", "line 2 calls line 2 of b.py, see line 12", "a.py", 2, 1, 2, 2, Applicability.MANUAL
    )
    told = file("a\nb\n", "new\na\nb\n").finding(row)
    assert (told.line, told.message) == (3, "line 3 calls line 2 of b.py, see line 12")
