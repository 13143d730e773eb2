from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from xlaport.report import verdict_tensorboard
from xlaport.report.verdict_json import as_json
from xlaport.report.verdict_text import as_text
from xlaport.report.verdict_words import STOPPED
from xlaport.verify.verdict import Series, Verdict, VerdictFinding

from .recording import HERE, SYNC, Recording

GOOD = (1, 1, 0, 0, 0, 0)


def test_the_json_is_the_machine_contract() -> None:
    data = json.loads(as_json(Recording().train((1, 1, 1, 1, 1, 1)).verdict(), HERE))
    assert list(data) == [
        "version",
        "tool",
        "verdict",
        "device",
        "torch_xla",
        "steps",
        "warmup",
        "compiles",
        "executions",
        "transfers",
        "fallbacks",
        "findings",
        "loops",
        "compilations",
    ]
    assert (data["version"], data["tool"], data["verdict"], data["device"]) == (1, "xlaport", "fail", "CPU")
    assert data["compiles"] == {"total": 6, "after_warmup": 4, "per_step": [1] * 6}
    assert data["executions"] == {"per_step": [1] * 6}
    (finding,) = data["findings"]
    assert (finding["path"], finding["line"], finding["function"]) == ("train.py", SYNC, "train")
    assert finding["kind"] == "recompile"
    assert finding["severity"] == "fail"
    assert finding["steps"] == [3, 4, 5, 6]
    assert set(finding) == {
        "kind", "severity", "path", "line", "function", "count", "steps", "reason", "rule", "advice",
        "original", "causes", "seen_at",
    }  # fmt: skip
    (loop,) = data["loops"]
    assert loop == {
        "path": "train.py", "line": SYNC, "function": "train", "steps": [1, 2, 3, 4, 5, 6], "warmup": 2, "trains": True,
    }  # fmt: skip
    assert [item["step"] for item in data["compilations"]] == [1, 2, 3, 4, 5, 6]
    assert set(data["compilations"][0]) == {
        "step", "path", "line", "function", "count", "seconds", "reason", "changes",
    }  # fmt: skip


def test_the_text_says_the_verdict_first_and_which_device() -> None:
    lines = as_text(Recording().train(GOOD).verdict(), HERE).splitlines()
    assert lines[0].startswith("PASS")
    assert "XLA:CPU" in lines[1]
    assert "speed does not" in lines[1]
    assert not any(line.startswith("  no ") for line in lines)


def test_what_was_not_reached_is_said() -> None:
    stopped = as_text(Recording().train(GOOD).end("steps").verdict(), HERE).splitlines()
    assert stopped[4] == STOPPED
    assert STOPPED not in as_text(Recording().train(GOOD).verdict(), HERE)


def test_a_failure_shows_its_source_line_and_what_to_do(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text("\n\nprint(loss.item())  # here\n")
    finding = VerdictFinding("recompile", "fail", "read", "stop it", str(script), 3, "train", 4, (3, 4, 5, 9))
    text = as_text(
        Verdict("fail", "CPU", "2.9.0", 9, 2, executions=Series(9, 7, (1,) * 9), findings=(finding,)), tmp_path
    )
    assert "train.py:3 in train(): recompile" in text
    assert "| print(loss.item())" in text
    assert "(steps 3-5, 9)" in text
    assert "-> stop it" in text
    assert "  no   does it stop compiling?" in text


def test_a_place_outside_the_directory_keeps_its_whole_path() -> None:
    finding = VerdictFinding("host-read", "note", "read", "", "/elsewhere/lib.py", 3)
    verdict = Verdict("pass", "TPU", "2.9.0", 9, 2, findings=(finding,))
    assert "/elsewhere/lib.py:3" in as_text(verdict, HERE)
    assert "Ran on TPU" in as_text(verdict, HERE)


def test_an_error_is_short_and_fits_a_screen_even_with_many_notes() -> None:
    notes = tuple(VerdictFinding("host-read", "note", "read", path="/project/a.py", line=n) for n in range(90))
    text = as_text(Verdict("error", "CPU", None, findings=notes), HERE)
    assert text.startswith("ERROR")
    assert "does it stop compiling?" not in text
    assert len(text.splitlines()) < 24
    assert "86 more" in text


def test_runs_of_one_second_have_a_folder_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "strftime", lambda form: "now")
    verdict = Recording().train(GOOD).verdict()
    folders = [verdict_tensorboard.write(verdict, tmp_path / "runs", "train", HERE) for _ in range(3)]
    assert [folder.name for folder in folders] == ["train-now", "train-now-2", "train-now-3"]
    assert all(len(list(folder.iterdir())) == 1 for folder in folders)
