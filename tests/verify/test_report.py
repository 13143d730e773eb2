from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from xlaport.report import verdict_tensorboard
from xlaport.report.static_causes import Causes
from xlaport.report.verdict_html import as_html
from xlaport.report.verdict_json import as_json
from xlaport.report.verdict_text import as_text
from xlaport.report.verdict_words import answers, stopped
from xlaport.verify.events import Counts
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
    lines = as_text(Recording().train(GOOD).end("steps").verdict(), HERE).splitlines()
    assert lines[4] == stopped()
    assert stopped() not in as_text(Recording().train(GOOD).verdict(), HERE)


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


def answered(verdict: Verdict) -> dict[str, tuple[str, str]]:
    return {question: (answer, figure) for answer, question, figure in answers(verdict)}


def test_whether_it_stops_compiling_is_not_known_of_a_loop_that_is_too_short() -> None:
    recording = Recording().optimizer(gradients=0).optimizer(gradients=0, step=2).train((1,) * 5)
    verdict = recording.verdict()
    assert verdict.verdict == "fail"
    assert answered(verdict)["does it stop compiling?"][0] == "-"
    assert answered(Recording().train(GOOD).verdict())["does it stop compiling?"][0] == "yes"


def test_the_figure_of_an_answer_is_that_of_the_loop_that_fails() -> None:
    recording = Recording().train((1, 1, *(0,) * 30))
    for _ in range(6):
        recording.read(61, pending=True, nodes=40).sync(line=60)
    verdict = recording.verdict()
    answer, figure = answered(verdict)["one graph per step?"]
    assert (answer, figure) == ("no", "1 or 2 executed per steady step, by its loop")


def test_what_the_barriers_do_is_said_where_the_figure_does_not() -> None:
    recording = Recording()
    for index in range(8):
        recording.sync(int(index == 0), line=15).step().sync(int(index < 2), backwards=1)
    assert "the training step is cut in two" in answered(recording.verdict())["one graph per step?"][1]


def test_ops_that_run_on_the_host_cut_the_step_where_it_is_more_than_one_graph() -> None:
    one, several = Recording(), Recording()
    for index in range(12):
        one.point("fallback", 40, Counts(0, 0, 1, 0, {"aten::nonzero": 1})).step().sync(int(index == 0))
        several.fallback("aten::nonzero").step().sync(int(index == 0))
    assert answered(one.verdict())["one graph per step?"] == ("yes", "1 executed per steady step")
    answer, figure = answered(several.verdict())["one graph per step?"]
    assert (answer, figure) == ("no", "2 executed per steady step; ops that run on the host split it")


def test_transfers_that_nobody_waits_for_are_counted_apart() -> None:
    recording = Recording()
    for index in range(12):
        recording.step().sync(int(index < 2)).read(overlaps=True)
    verdict = recording.verdict()
    expected = ("yes", "10 device-to-host transfers in 10 steady steps, none of them waited for")
    assert answered(verdict)["are host reads rare?"] == expected
    assert json.loads(as_json(verdict, HERE))["transfers"]["stalling"] == {
        "total": 0, "after_warmup": 0, "per_step": [0] * 12,
    }  # fmt: skip
    assert "12 steps, 2 of them warm-up, the rest steady" in as_text(verdict, HERE)
    assert expected[1] in as_html(verdict, Causes(), HERE)


def test_a_recompile_is_reported_where_it_is_caused_and_where_it_was_seen() -> None:
    recording = Recording()
    for index in range(8):
        recording.step().point("sync", SYNC, Counts(1, 1, nodes=50), place=7 if index else None).sync(0, 0)
    verdict = recording.verdict()
    (finding,) = json.loads(as_json(verdict, HERE))["findings"]
    assert (finding["path"], finding["line"]) == ("train.py", 7)
    assert finding["seen_at"] == {"path": "train.py", "line": SYNC, "function": "train"}
    assert f"(seen at train.py:{SYNC})" in as_text(verdict, HERE)
    page = as_html(verdict, Causes(), HERE)
    assert "Seen at" in page
    assert f"train.py:{SYNC}" in page
