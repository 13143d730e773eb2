"""``xlaport verify --tpu``, as a user sees it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.warm_python import with_xlaport

TRAIN = """\
import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Sequential(torch.nn.Linear(512, 2048), torch.nn.ReLU(), torch.nn.Linear(2048, 512)).to(device)
average = [parameter.detach().clone() for parameter in model.parameters()]
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
for step in range(12):
    rows = torch.randn(64, 512).to(device)
    loss = model(rows).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
model.eval()
for step in range(6):
    with torch.no_grad():
        total = model(torch.randn(64, 512).to(device)).sum()
    torch_xla.sync()
"""
WEIGHTS = (512 * 2048 * 2 + 2048 + 512) * 4


def call(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [with_xlaport(), "-m", "xlaport", "verify", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
        env={**os.environ, "XLAPORT_CACHE_DIR": str(folder / "cache"), **variables},
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tpu")
    (made / "train.py").write_text(TRAIN, encoding="utf-8")
    return made


def test_the_steady_graphs_are_compiled_for_each_chip(folder: Path) -> None:
    done = call(folder, "--tpu", "v5e,v6e", "--output-format", "json", "train.py")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert [chip["tpu"] for chip in found["chips"]] == ["v5e", "v6e"]
    for chip in found["chips"]:
        assert chip["fits"]
        assert chip["compiler"] == "libtpu 0.0.21"
        train, evaluation = chip["graphs"]
        assert train["beside"] == WEIGHTS  # the average, which no step uses
        assert evaluation["beside"] >= 3 * WEIGHTS  # and the optimizer's state
        assert (train["line"], train["trains"], train["per_step"], train["error"]) == (14, True, 1.0, None)
        assert (evaluation["line"], evaluation["trains"]) == (19, False)
        kinds = train["memory"]["kinds"]
        assert kinds["parameters"] == pytest.approx(WEIGHTS, rel=0.02)
        assert kinds["optimizer state"] == pytest.approx(2 * WEIGHTS, rel=0.02)
        assert "optimizer state" not in evaluation["memory"]["kinds"]
        assert {item["path"] for item in train["memory"]["largest"]} <= {"train.py", None}
        assert chip["needed"] == max(each["memory"]["peak"] + each["beside"] for each in chip["graphs"])


def test_the_text_says_whether_it_fits_and_on_what_it_did_not_run(folder: Path) -> None:
    done = call(folder, "--tpu", "v5e", "train.py")
    assert done.returncode == 0
    assert "TPU v5e (compiled by libtpu 0.0.21, not run): fits, " in done.stdout
    assert "train.py:14: " in done.stdout
    assert "compiling for TPU v5e: the graph of train.py:14" in done.stderr
    assert not list(folder.glob("*.pb"))


def test_what_was_compiled_once_is_not_compiled_again(folder: Path) -> None:
    assert call(folder, "--tpu", "v5e", "train.py", XLAPORT_NO_CACHE="").returncode == 0
    again = call(folder, "--tpu", "v5e", "--tpu-timeout", "1", "train.py", XLAPORT_NO_CACHE="")
    assert again.returncode == 0, again.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--tpu", "v9", "train.py"), "--tpu v9: not known; take one of v4, v5e, v5p, v6e"),
        (("--tpu", "v5e-7", "train.py"), "--tpu v5e-7: TPU v5e has no slice of that size"),
        (("--tpu-timeout", "5", "train.py"), "nothing is compiled without --tpu: leave out --tpu-timeout"),
        (
            ("--tpu", "v5e", "--tpu-timeout", "1", "train.py"),
            "--tpu v5e: the compiler of TPUs took more than 1 s for the graph of train.py:14",
        ),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_code_2(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    done = call(folder, *arguments, XLAPORT_NO_CACHE="1")
    assert done.returncode == 2
    assert words in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_without_steady_steps_there_is_nothing_to_compile(folder: Path) -> None:
    (folder / "still.py").write_text("print('nothing')\n", encoding="utf-8")
    done = call(folder, "--tpu", "v5e", "still.py")
    assert done.returncode == 1
    assert "compiling" not in done.stderr


def test_a_budget_of_memory_is_held(folder: Path) -> None:
    done = call(folder, "--tpu", "v5e", "--max-hbm", "0.001", "--output-format", "json", "train.py")
    assert done.returncode == 1
    fail, _ = [item for item in json.loads(done.stdout)["findings"] if item["severity"] == "fail"]
    assert fail["kind"] == "tpu-budget"
    assert (fail["path"], fail["line"]) == ("train.py", 14)
    assert "`--max-hbm` allows 0.001" in fail["reason"]


def test_the_page_and_tensorboard_show_the_chip(folder: Path) -> None:
    done = call(folder, "--tpu", "v5e", "--html", "page.html", "--tensorboard", "runs", "train.py")
    assert done.returncode == 0, done.stderr
    page = (folder / "page.html").read_text(encoding="utf-8")
    assert "On a TPU v5e" in page
    assert "optimizer state" in page
    (events,) = (folder / "runs").rglob("events.*")
    assert b"tpu/v5e/needed_gib" in events.read_bytes()


def test_a_budget_of_time_is_held(folder: Path) -> None:
    done = call(folder, "--tpu", "v5e", "--max-step-ms-bound", "0.0001", "--output-format", "json", "train.py")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    fails = [item for item in found["findings"] if item["severity"] == "fail"]
    assert [(item["kind"], item["line"]) for item in fails] == [("tpu-budget", 14), ("tpu-budget", 19)]
    work = found["chips"][0]["graphs"][0]["work"]
    by_hand = 6 * 64 * 512 * 2048 * 2 - 2 * 64 * 512 * 2048  # the first layer's input needs no gradient
    assert work["flops"] == pytest.approx(by_hand, rel=0.01)
    assert work["least_ms"] == max(work["matrix_ms"], work["memory_ms"])
    assert call(folder, "--tpu", "v5e", "--max-step-ms-bound", "1000", "train.py").returncode == 0
