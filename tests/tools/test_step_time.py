"""The benchmark of the step times: what it computes, and the hand-written ports that it compares with."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks import step_time
from benchmarks.step_time import WARM_UP, Comparison, Run, compare, difference, printed_numbers
from tests.samples.programs import NAMES, SAMPLES, entry, files
from xlaport import run
from xlaport.config import Config

PORTS = Path(step_time.__file__).parent / "ports"


def a_run(steps: int = 3, printed: tuple[float, ...] = (1.0, 0.5)) -> Run:
    ends = [float(i) for i in range(steps)]
    return Run(clock=ends, process=ends, printed=list(printed), graphs=steps, compiles=1, transfers=0)


def test_the_step_time_is_the_median_behind_the_warm_up() -> None:
    warm_up = [5.0 * i for i in range(WARM_UP + 1)]
    assert step_time.step_time([*warm_up, *(warm_up[-1] + t for t in (1.0, 2.0, 9.0))]) == 1.0
    with pytest.raises(ValueError, match="too few"):
        step_time.step_time(warm_up)


def test_ratios_are_taken_round_by_round() -> None:
    slow, fast = ([t * i for i in range(WARM_UP + 3)] for t in (3.0, 2.0))
    comparison = compare([slow, fast, slow], [fast, fast, slow])
    assert comparison.ratios == [1.5, 1.0, 1.0]
    assert str(Comparison([1.5, 1.0, 0.9])) == "1.00 (0.90 to 1.50)"


def test_what_is_not_the_same_work_is_said() -> None:
    assert difference(a_run(), a_run()) is None
    assert difference(a_run(printed=(1.001, 0.5)), a_run()) is None
    assert difference(a_run(steps=4), a_run()) == "4 steps and not 3"
    assert difference(a_run(printed=(1.0,)), a_run()) == "1 losses printed and not 2"
    assert difference(a_run(printed=(1.1, 0.5)), a_run()) == "a loss of 1.1 and not 1.0"
    assert difference(a_run(printed=()), a_run(printed=())) == "0 losses printed and not 0"


def test_losses_are_found_in_what_the_samples_print() -> None:
    assert printed_numbers("Train Epoch: 1 [    0/2048]\tLoss: 2.25\nEpoch 1: 3.3 s, 615 images/s") == [2.25]
    assert printed_numbers("[0/2][0/16] Loss_D: 2.1044 Loss_G: 1.0090 D(x): 0.5304") == [2.1044, 1.009]
    assert printed_numbers("mean 0.5097 | std 0.4888 | 10 of 16 show their class") == [0.5097, 0.4888]


@pytest.mark.parametrize("name", step_time.WORKLOADS)
def test_a_hand_written_port_replaces_files_of_its_sample_and_leaves_nothing_to_port(name: str, tmp_path: Path) -> None:
    port = sorted(path.name for path in (PORTS / name).iterdir() if path.suffix == ".py")
    assert set(port) <= {path.name for path in files(name)}
    assert step_time.WORKLOADS[name].script == entry(name)
    shutil.copytree(SAMPLES / name, tmp_path, dirs_exist_ok=True)
    shutil.copytree(PORTS / name, tmp_path, dirs_exist_ok=True)
    left = [finding for file in run.convert([tmp_path], Config()).files for finding in file.findings]
    assert [finding.message for finding in left if finding.code != "XP305"] == []  # logs of every n-th step read there


def test_every_sample_is_compared_but_those_about_shapes_kernels_and_processes() -> None:
    """They settle by `--unsafe` or `--multi` alone, or not at all: there are no three ports to compare."""
    shapes = ["detection_head", "dlrm", "generate", "mlm", "seq2seq"]
    processes = ["amp_resnet", "ddp", "ddp_toy", "fsdp_vit", "llama_spmd"]
    assert sorted([*step_time.WORKLOADS, *shapes, *processes]) == NAMES
