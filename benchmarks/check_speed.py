"""How long a check takes, as ratios to what is run beside it: the parse-only floor, TorchFix, an empty interpreter.

    python -m benchmarks.check_speed PATH [--runs 3] [--torchfix /path/to/torchfix] [--only check,warm]

PATH is a tree of Python files, such as the source of transformers. Each round runs everything once, one after the
other; a ratio is that of the two in one round, and the median of the rounds is shown with the least and the most. CPU
time is that of the process and all that it starts, in seconds; a machine that does other things beside it makes both
sides slower, and the ratio stays about what it is. TorchFix pins an old LibCST: install it into an environment of its
own.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_XLAPORT = (sys.executable, "-m", "xlaport")


@dataclass(frozen=True)
class Limit:
    """What one program may take, in terms of another one of the same round."""

    name: str
    other: str
    most: float
    """Times the other; for a difference, seconds more than it."""
    is_difference: bool = False


LIMITS = (
    Limit("check", "floor", 2.5),
    Limit("check", "torchfix", 0.01),
    Limit("convert", "check", 2.0),
    Limit("warm", "cold", 0.1),
    Limit("version", "empty", 0.2, is_difference=True),
)


def programs(tree: Path, scratch: Path, torchfix: str | None) -> dict[str, tuple[Sequence[str], Mapping[str, str]]]:
    """What is run in each round, in order, with the variables that it gets."""
    looks_again, remembers = {"XLAPORT_NO_CACHE": "1"}, {"XLAPORT_CACHE_DIR": str(scratch / "cache")}
    check = (*_XLAPORT, "check", "--output-format", "json", "--output-file", str(scratch / "report.json"), str(tree))
    found: dict[str, tuple[Sequence[str], Mapping[str, str]]] = {
        "empty": ((sys.executable, "-c", "pass"), {}),
        "version": ((*_XLAPORT, "--version"), {}),
        "floor": ((sys.executable, "-m", "benchmarks.floor", str(tree)), {}),
        "check": (check, looks_again),
        "convert": ((*_XLAPORT, "convert", str(tree), "--out", str(scratch / "port")), looks_again),
        "cold": (check, remembers),
        "warm": (check, remembers),
    }
    if torchfix is not None:
        found["torchfix"] = ((torchfix, "--select", "ALL", str(tree)), {})
    return found


def seconds(command: Sequence[str], variables: Mapping[str, str], timeout: float) -> float:
    """The CPU time of a program and of what it starts. Raises `TimeoutExpired`, and `SystemExit` where it fails."""
    before = os.times()
    done = subprocess.run(
        command, env={**os.environ, **variables}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=timeout,
        check=False,
    )  # fmt: skip
    after = os.times()
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.decode()[-500:]}")
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Run the rounds and print the figures; exit code 1 where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--torchfix", help="the program, in an environment of its own")
    parser.add_argument("--only", help="some of the programs, by comma", default="")
    parser.add_argument("--timeout", type=float, default=3600, help="seconds of waiting for one program")
    given = parser.parse_args()
    times: dict[str, list[float]] = {}
    for number in range(given.runs):
        with tempfile.TemporaryDirectory() as scratch:
            for name, (command, variables) in programs(given.tree, Path(scratch), given.torchfix).items():
                if given.only and name not in given.only.split(","):
                    continue
                times.setdefault(name, []).append(seconds(command, variables, given.timeout))
                print(f"round {number + 1}: {name} {times[name][-1]:.2f} s", file=sys.stderr, flush=True)
            shutil.rmtree(Path(scratch) / "port", ignore_errors=True)
    for name, found in times.items():
        print(f"{name:10} {statistics.median(found):8.2f} s   ({min(found):.2f} to {max(found):.2f})")
    held = [_holds(limit, times) for limit in LIMITS]  # each is shown, whatever became of those before
    raise SystemExit(0 if all(held) else 1)


def _holds(limit: Limit, times: Mapping[str, Sequence[float]]) -> bool:
    if limit.name not in times or limit.other not in times:
        return True
    pairs = list(zip(times[limit.name], times[limit.other], strict=True))
    figures = [own - other if limit.is_difference else own / other for own, other in pairs]
    found = statistics.median(figures)
    sign = "-" if limit.is_difference else "/"
    said = "holds" if found <= limit.most else "DOES NOT HOLD"
    print(
        f"{limit.name} {sign} {limit.other}: {found:.3g} ({min(figures):.3g} to {max(figures):.3g}), "
        f"at most {limit.most:g}: {said}"
    )
    return found <= limit.most


if __name__ == "__main__":
    main()
