"""Measure what the probe of `xlaport verify` costs a script: ``python -m benchmarks.verify_overhead [--rounds N]``.

200 steps of a small transformer (``small_transformer.py``) are run plainly and under the probe, in turn, in processes
of their own; which of both comes first changes from round to round. A ratio is the time under the probe over the plain
one of the same round; the median of the rounds and their spread are shown. Steps: from the end of the warm-up to the
last one. Run: the whole process, from the start of Python on, compiling included. The clock counts; where other
programs run on the same machine, it sees them, too, and what the main thread and the process have worked tells more.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.step_time import WARM_UP, Comparison
from xlaport.verify.launch import run as run_with_probe
from xlaport.verify.request import VerifyRequest

SCRIPT = Path(__file__).parent / "small_transformer.py"
MEASURES = {"clock": "wall clock", "thread": "main thread", "process": "process, all cores"}
_ENVIRONMENT = {"PJRT_DEVICE": "CPU", "OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Times:
    """Seconds of one run by each measure: of its steady steps, and of the whole of it."""

    steps: Mapping[str, float]
    whole: Mapping[str, float]
    loss: str


def times(recorded: Mapping[str, Sequence[float]], clock: float, output: str) -> Times:
    """What a run has recorded; `clock` is how long the whole of it took."""
    if len(recorded["clock"]) <= WARM_UP + 1:
        raise ValueError(f"{len(recorded['clock'])} steps are too few: the first {WARM_UP} are warm-up")
    steps = {name: ends[-1] - ends[WARM_UP] for name, ends in recorded.items()}
    whole = {name: ends[-1] for name, ends in recorded.items()}
    found = re.search(r"loss \S+", output)
    return Times(steps, {**whole, "clock": clock}, found[0] if found else "")


def plain(folder: Path, steps: int) -> Times:
    """One run without the probe."""
    record = folder / "times.json"
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(record), str(steps)],
        cwd=folder,
        env={**os.environ, **_ENVIRONMENT},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"the script failed:\n{done.stdout[-2000:]}")
    return times(json.loads(record.read_text(encoding="utf-8")), time.monotonic() - start, done.stdout)


def probed(folder: Path, steps: int) -> Times:
    """One run under the probe, as `xlaport verify` starts it."""
    record = folder / "times.json"
    request = VerifyRequest(
        SCRIPT, (str(record), str(steps)), directory=folder, environment=tuple(_ENVIRONMENT.items())
    )
    with tempfile.TemporaryDirectory() as events:
        done = run_with_probe(request, Path(events))
    if done.exit_code:
        raise SystemExit(f"the script failed under the probe:\n{done.tail[-2000:]}")
    return times(json.loads(record.read_text(encoding="utf-8")), done.seconds, done.tail)


def main() -> None:
    """Print a line for each measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=200)
    arguments = parser.parse_args()

    pairs: list[tuple[Times, Times]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(arguments.rounds):
            ways = (plain, probed) if number % 2 else (probed, plain)
            one, other = (way(Path(folder), arguments.steps) for way in ways)
            pairs.append((one, other) if number % 2 else (other, one))
            if one.loss != other.loss:
                raise SystemExit(f"the probe has changed the run: {one.loss} and {other.loss}")
    print(f"{'':30}{'plain, s':>10}{'probed, s':>11}  ratio of pairs: median (least to most)")
    for part in ("steps", "whole"):
        for name, words in MEASURES.items():
            both = [(getattr(a, part)[name], getattr(b, part)[name]) for a, b in pairs]
            ratios = Comparison([with_probe / without for without, with_probe in both])
            without, with_probe = (median(side) for side in zip(*both, strict=True))
            print(f"{f'{part}, {words}':30}{without:10.2f}{with_probe:11.2f}  {ratios}")


if __name__ == "__main__":
    main()
