"""``xlaport launch --checked``: a slice that is known to be too small is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.launching.test_launch import SCRIPTS, launch
from xlaport.launching.job import Start
from xlaport.report import verdict_json
from xlaport.tpu.saying import say
from xlaport.verify.on_chip import GraphOnChip, Memory, OnChip, SteadyGraph
from xlaport.verify.verdict import Verdict, finding

GIB = 2**30
GRAPH = SteadyGraph("", None, "sync", None, True, 1.0)


def judged(folder: Path, code: str, name: str, peak: int, error: str = "") -> None:
    """A script, and the verdict on it, as it is written for one slice."""
    (folder / "train.py").write_text(SCRIPTS[Start.SPMD])
    memory = Memory(peak, (("parameters", peak),), 0, ()) if peak else None
    chip = OnChip(code, name, 8, 15 * GIB, "libtpu", (GraphOnChip(GRAPH, error, memory, chips=8),))
    said = [finding(say("tpu-memory.sharded", chip=name, used=peak / GIB, there=15.0), "fail")] if peak else []
    verdict = Verdict("fail", "CPU", "2.9", findings=tuple(said), chips=(chip,))
    (folder / "verdict.json").write_text(verdict_json.as_json(verdict))


@pytest.mark.parametrize("asked", ["v5litepod-8", "v5e-8"])
def test_a_slice_that_fits_is_launched(tmp_path: Path, asked: str) -> None:
    judged(tmp_path, "v5e-8", "TPU v5e-8", 14 * GIB)
    run = launch(tmp_path, "train.py", "--tpu", asked, "--checked", "verdict.json")
    assert run.returncode == 0, run.stderr
    assert "python3 train.py" in run.stdout


@pytest.mark.parametrize(
    ("slice_", "peak", "error", "says"),
    [
        (
            "v5e-8",
            18 * GIB,
            "",
            "train.py does not fit a TPU v5e-8: 18.0 GiB are needed on a chip, and 15.0 are there: Shard the model",
        ),
        ("v5e-8", 0, "INTERNAL: odd", "train.py: the compiler of TPU v5e-8 does not take a graph of it: INTERNAL: odd"),
        ("v5e-16", GIB, "", "says nothing of a v5e-16, only of v5e-8; ask by  xlaport verify --tpu v5e-16 "),
        ("v2-8", GIB, "", "--tpu v2-8: not known"),
    ],
)
def test_a_slice_that_does_not_do_is_one_line(tmp_path: Path, slice_: str, peak: int, error: str, says: str) -> None:
    judged(tmp_path, "v5e-8", "TPU v5e-8", peak, error)
    run = launch(tmp_path, "train.py", "--tpu", slice_, "--checked", "verdict.json", "--out", "job.txt")
    assert run.returncode == 2
    assert says in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert not (tmp_path / "job.txt").exists()


def test_the_name_of_a_slice_counts_cores_where_cloud_tpus_does(tmp_path: Path) -> None:
    judged(tmp_path, "v4-8", "TPU v4-8", 18 * GIB)
    run = launch(tmp_path, "train.py", "--tpu", "v4-8", "--checked", "verdict.json")
    assert "train.py does not fit a TPU v4-8: " in run.stderr


@pytest.mark.parametrize("text", [None, "", "[]", "{}", '{"chips": []}', "PASS"])
def test_what_is_no_verdict_is_one_line(tmp_path: Path, text: str | None) -> None:
    judged(tmp_path, "v5e-8", "TPU v5e-8", GIB)
    if text is None:
        (tmp_path / "verdict.json").unlink()
    else:
        (tmp_path / "verdict.json").write_text(text)
    run = launch(tmp_path, "train.py", "--tpu", "v5e-8", "--checked", "verdict.json")
    assert run.returncode == 2
    assert "verdict.json" in run.stderr
    assert len(run.stderr.splitlines()) == 1
