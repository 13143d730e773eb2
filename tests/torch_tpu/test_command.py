"""``xlaport verify --target torch_tpu`` on the command line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.verify.conftest import call
from xlaport.verify import Budgets
from xlaport.verify.package import write_recorder
from xlaport.verify.recording import load

FAULTS = Path(__file__).parent / "planted" / "faults"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("--tpu", "v5e"),
            "--target torch_tpu runs each operation at once",
        ),
        (("--replicas", "2"), "leave out --replicas"),
        (("--max-executions", "2"), "leave out --max-executions"),
    ],
)
def test_what_only_graphs_can_be_asked_is_refused(arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    done = call(tmp_path, "--target", "torch_tpu", *arguments, "a.py")
    assert done.returncode == 2
    assert says in done.stderr.replace("\n", " ")


def test_a_target_that_there_is_not_is_refused(tmp_path: Path) -> None:
    done = call(tmp_path, "--target", "torch_npu", "a.py")
    assert "unknown target 'torch_npu'" in done.stderr


def test_a_project_that_is_ported_to_it_need_not_say_so(tmp_path: Path) -> None:
    """The Python of the tests has no torch_tpu, and is told so."""
    (tmp_path / "pyproject.toml").write_text('[tool.xlaport]\ntarget = "torch_tpu"\n')
    (tmp_path / "a.py").write_text("")
    assert "torch_tpu cannot be imported" in call(tmp_path, "a.py").stderr
    assert "torch_tpu cannot be imported" not in call(tmp_path, "--target", "2.9", "a.py").stderr


def test_text_json_and_page_are_those_of_torch_xla_in_other_words(python: str, tmp_path: Path) -> None:
    arguments = ("--target", "torch_tpu", "--python", python, "--html", "page.html", "--output-format", "json")
    done = call(tmp_path, *arguments, str(FAULTS / "shape.py"))
    report = json.loads(done.stdout)
    assert (report["verdict"], report["target"], report["torch_tpu"], report["torch_xla"]) == (
        "fail",
        "torch_tpu",
        "0.2.0",
        None,
    )
    (finding,) = [item for item in report["findings"] if item["severity"] == "fail"]
    assert (finding["kind"], finding["rule"]) == ("recompile", "XP401")
    page = (tmp_path / "page.html").read_text()
    assert "Steps compile again and again" in page
    assert "XLA only records" not in page


def test_a_run_is_recorded_where_xlaport_is_not(python: str, tmp_path: Path) -> None:
    write_recorder(tmp_path / "recorder.pyz")
    words = [python, "recorder.pyz", "--target", "torch_tpu", "--out", "run.xlaport", str(FAULTS / "shape.py")]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    recording = load(tmp_path / "run.xlaport")
    assert "torch_tpu 0.2.0" in recording.origin
    verdict = recording.verdict(Budgets())
    (failed,) = [item for item in verdict.findings if item.severity == "fail"]
    assert (verdict.target, failed.kind, failed.rule) == ("torch_tpu", "recompile", "XP401")
