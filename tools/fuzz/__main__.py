"""Convert thousands of mutated programs, and look at what is promised of every one.

    python -m tools.fuzz --inputs 10000 --seed 0 --jobs 2 [--corpus FOLDER]... [--out build/fuzz]

Each broken promise is printed once for each kind, with the smallest input that shows it in the folder of ``--out``.
A sample of the inputs is converted again by a process with another hash seed: the results have to be the same.
``--only N`` looks at one input again. Exit code 1 where a promise was broken.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tools.fuzz.properties import Outcome
from tools.fuzz.work import Job

SAMPLE = 20
"""Each input of so many is converted under another hash seed, too."""


def main() -> None:
    """Read the arguments, run, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--corpus", type=Path, action="append", default=[], help="a folder with more programs")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"))
    parser.add_argument("--only", type=int, help="one input: its text, and what becomes of it")
    parser.add_argument("--digests", action="store_true", help="print what becomes of the sample, for a comparison")
    given = parser.parse_args()
    if given.only is not None:
        _show(given)
    elif given.digests:
        numbers = range(given.first, given.first + given.inputs)[::SAMPLE]
        json.dump({number: _job(given, number).run()[2] for number in numbers}, sys.stdout)
    else:
        raise SystemExit(_all(given))


def _job(given: argparse.Namespace, number: int) -> Job:
    return Job(tuple(given.corpus), given.seed, number)


def _all(given: argparse.Namespace) -> int:
    begun = time.monotonic()
    numbers = range(given.first, given.first + given.inputs)
    counts: collections.Counter[str] = collections.Counter()
    problems: dict[str, list[int]] = {}
    digests: dict[str, str] = {}
    with ProcessPoolExecutor(given.jobs) as pool:
        for number, found, digest in pool.map(Job.run, [_job(given, number) for number in numbers], chunksize=10):
            counts["refused" if found.refused else "changed" if found.changed else "kept"] += 1
            counts["findings"] += len(found.findings)
            if (number - given.first) % SAMPLE == 0:
                digests[str(number)] = digest
            if found.problem is not None:
                if found.problem.kind not in problems:
                    _report(given, number, found)
                problems.setdefault(found.problem.kind, []).append(number)
            if sum(counts[key] for key in ("refused", "changed", "kept")) % 500 == 0:
                print(f"{dict(counts)} after {time.monotonic() - begun:.0f} s", flush=True)
    other = _under_another_hash_seed()
    different = [number for number, digest in digests.items() if other.get(number) != digest]
    if different:
        problems["the result depends on the hash seed"] = [int(number) for number in different]
    print(f"{given.inputs} inputs, seed {given.seed}: {dict(counts)}; {len(digests)} under another hash seed")
    for kind, found_in in problems.items():
        print(f"{len(found_in):6} {kind}: {', '.join(map(str, sorted(found_in)[:8]))}")
    return 1 if problems else 0


def _under_another_hash_seed() -> dict[str, str]:
    seed = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    child = subprocess.run(
        [sys.executable, "-m", "tools.fuzz", *sys.argv[1:], "--digests"],
        env={**os.environ, "PYTHONHASHSEED": seed}, check=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    digests: dict[str, str] = json.loads(child.stdout)
    return digests


def _report(given: argparse.Namespace, number: int, found: Outcome) -> None:
    assert found.problem is not None
    job = _job(given, number)
    given.out.mkdir(parents=True, exist_ok=True)
    file = given.out / f"{given.seed}-{number}.py"
    file.write_bytes(job.smallest(found.problem.kind))
    last = found.problem.detail.strip().splitlines()[-1:] or [""]
    made = job.input()
    print(f"input {number} ({made.how}, from {made.origin}): {found.problem.kind}: {last[0]}\n    {file}", flush=True)


def _show(given: argparse.Namespace) -> None:
    job = _job(given, given.only)
    made, found = job.input(), job.run()[1]
    sys.stdout.write(made.data.decode("utf-8", "replace"))
    print(f"--- {made.how}, from {made.origin}; {found.refused or ''}\n--- {found.problem}")
    print(*found.findings, sep="\n")


if __name__ == "__main__":
    main()
