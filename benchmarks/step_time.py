"""Compare the step times of converted samples with those of ports that were written by hand.

    python benchmarks/step_time.py [--rounds N] [SAMPLE...]

For each sample: converts it, by default and with ``--unsafe``, and runs both ports and the one in ``benchmarks/ports``
in turn, N times, in processes of their own. They have to do the same work, as many steps and the same losses, or the
benchmark says so and ends. The time of a step is the median of the times between the ends of successive steps, those
that log included, the first ones left out. A ratio is the time of a converted port over that of the hand-written one
in the same round; for a sample, the median of the rounds and their spread are shown: for the time of the clock, and
for the time that the process has used on all cores. The clock counts, since it sees the host wait for the device;
where other programs run on the same machine, it sees them, too, and only the second figure can be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
WARM_UP = 10
"""Steps that are left out: a port compiles its graphs in the first ones."""


@dataclass(frozen=True)
class Workload:
    """What of a sample is run, and which events of the recorder end its steps."""

    script: str
    arguments: str
    step: str = "optimizer 0"


WORKLOADS = {
    "mnist": Workload("train.py", "--epochs 3 --train-size 4096 --test-size 512 --dropout 0"),
    "char_lm": Workload("train.py", "--steps 150 --eval-interval 75 --eval-iters 4 --sample 20 --dropout 0"),
    "resnet": Workload("train.py", "--seed 1 --epochs 3 --train-size 3072 --val-size 256 --lr 0.02"),
    "vae_gan": Workload("train.py", "--niter 5 --lr 1e-4"),
    "grad_accum": Workload("train.py", "--epochs 3 --train-size 3072 --eval-size 256 --dropout 0 --lr 1e-4"),
    "diffusion_sampling": Workload("sample.py", "--train-steps 30 --log-interval 10 --steps 60", "barrier sample"),
}

HAND, SAFE, UNSAFE = "hand-written", "converted", "converted --unsafe"


@dataclass(frozen=True)
class Run:
    """One run of one port."""

    clock: list[float]
    """When its steps ended, in seconds."""
    process: list[float]
    """How long the process had worked by then, on all cores."""
    printed: list[float]
    graphs: int
    compiles: int
    transfers: int


@dataclass(frozen=True)
class Comparison:
    """The ratios of one converted port, one for each round."""

    ratios: Sequence[float]

    def __str__(self) -> str:
        return f"{median(self.ratios):.2f} ({min(self.ratios):.2f} to {max(self.ratios):.2f})"


def step_time(ends: Sequence[float]) -> float:
    """The median time of a step after the warm-up, in seconds."""
    times = [end - start for start, end in pairwise(ends)][WARM_UP:]
    if not times:
        raise ValueError(f"{len(ends)} steps are too few: the first {WARM_UP} are warm-up")
    return median(times)


def printed_numbers(output: str) -> list[float]:
    """The losses that a sample prints, and what it says of the images it made."""
    return [float(n) for n in re.findall(r"(?:[Ll]oss(?:_\w+)?:?|train|val|mean|std)\s(\d+\.\d+)", output)]


def difference(run: Run, reference: Run) -> str | None:
    """What shows that two runs did not do the same work."""
    if len(run.clock) != len(reference.clock):
        return f"{len(run.clock)} steps and not {len(reference.clock)}"
    if len(run.printed) != len(reference.printed) or not run.printed:
        return f"{len(run.printed)} losses printed and not {len(reference.printed)}"
    for mine, other in zip(run.printed, reference.printed, strict=True):
        if abs(mine - other) > 2e-3 + 5e-3 * abs(other):
            return f"a loss of {mine} and not {other}"
    return None


def compare(runs: Sequence[Sequence[float]], references: Sequence[Sequence[float]]) -> Comparison:
    """The ratios of the step times, round by round."""
    return Comparison([step_time(run) / step_time(other) for run, other in zip(runs, references, strict=True)])


# -- running -------------------------------------------------------------------------------------------


def make_ports(sample: str, folder: Path) -> dict[str, Path]:
    """The ports of a sample, each in a folder of its own."""
    source = ROOT / "samples" / sample
    ports = {HAND: folder / "hand", SAFE: folder / "safe", UNSAFE: folder / "unsafe"}
    shutil.copytree(source, ports[HAND], ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "benchmarks" / "ports" / sample, ports[HAND], dirs_exist_ok=True)
    for name, options in ((SAFE, []), (UNSAFE, ["--unsafe"])):
        command = [sys.executable, "-m", "xlaport", "convert", str(source), "--out", str(ports[name]), *options]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return ports


def run_port(folder: Path, workload: Workload) -> Run:
    """Run one port under the recorder."""
    recording = folder / "recording.json"
    command = [sys.executable, "-W", "ignore", str(Path(__file__).parent / "recorder.py"), str(recording)]
    environment = {**os.environ, "PJRT_DEVICE": "CPU", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, str(folder / workload.script), *workload.arguments.split()],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{folder} failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    recorded = json.loads(recording.read_text(encoding="utf-8"))
    ends = [(clock, process) for clock, process, event in recorded.pop("events") if event == workload.step]
    return Run([end[0] for end in ends], [end[1] for end in ends], printed_numbers(done.stdout), **recorded)


def measure(sample: str, rounds: int, folder: Path) -> dict[str, list[Run]]:
    """The runs of all ports of a sample, in an order that changes from round to round."""
    ports = make_ports(sample, folder)
    runs: dict[str, list[Run]] = {name: [] for name in ports}
    names = list(ports)
    for _ in range(rounds):
        for name in names:
            runs[name].append(run_port(ports[name], WORKLOADS[sample]))
        names.append(names.pop(0))
    for name in (SAFE, UNSAFE):
        unlike = difference(runs[name][0], runs[HAND][0])
        if unlike is not None:
            raise SystemExit(f"{sample}: the {name} port does not do the work of the hand-written one: {unlike}")
    return runs


def main() -> None:
    """Print one line for each port, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", nargs="*", metavar="SAMPLE", help=", ".join(WORKLOADS))
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()

    medians: dict[str, list[float]] = {SAFE: [], UNSAFE: []}
    print(f"{'':20}{'':20}{'ms':>8}  {'ratio':22}{'cpu ms':>8}  {'ratio':22}", end="")
    print(f"{'steps':>6}{'graphs':>8}{'compiles':>10}{'reads':>7}")
    for sample in arguments.samples or WORKLOADS:
        with tempfile.TemporaryDirectory() as folder:
            runs = measure(sample, arguments.rounds, Path(folder))
        for name, mine in runs.items():
            clock = compare([run.clock for run in mine], [run.clock for run in runs[HAND]])
            process = compare([run.process for run in mine], [run.process for run in runs[HAND]])
            if name != HAND:
                medians[name].append(median(clock.ratios))
            last, by_hand = mine[-1], name == HAND
            print(
                f"{sample:20}{name:20}"
                f"{1000 * median(step_time(run.clock) for run in mine):8.1f}  {'' if by_hand else str(clock):22}"
                f"{1000 * median(step_time(run.process) for run in mine):8.1f}  {'' if by_hand else str(process):22}"
                f"{len(last.clock):6}{last.graphs:8}{last.compiles:10}{last.transfers:7}",
                flush=True,
            )
    for name, ratios in medians.items():
        print(f"median ratio, {name}: {Comparison(ratios)}")


if __name__ == "__main__":
    main()
