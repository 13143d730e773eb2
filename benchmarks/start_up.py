"""What a start costs: ``python -m benchmarks.start_up`` prints CPU seconds of xlaport's quickest commands.

Each runs in turn with an empty interpreter (``python -c pass``), many times. A ratio is that of the two in one pair,
and means the same on a slow machine; what stands beside it are medians, too.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROGRAM = "import torch\nx = torch.zeros(3).cuda()\n"
EMPTY = ("-c", "pass")


def cpu_seconds(arguments: Sequence[str], environment: Mapping[str, str]) -> float:
    """The CPU seconds of a Python with some arguments, from its start to its end."""
    process = subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)  # or it would be waited for once more
    if process.returncode > 1:
        raise SystemExit(f"python {' '.join(arguments)} ends with {process.returncode}")
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=30, help="how often each command runs")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "train.py")
        script.write_text(PROGRAM, encoding="utf-8")
        commands = {
            "--version": ("--version",),
            "check, without a cache": ("check", "--no-cache", str(script)),
            "check, kept from before": ("check", str(script)),
        }
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"XLAPORT_CACHE_DIR": str(Path(folder, "cache"))}
        environment.pop("XLAPORT_NO_CACHE", None)
        print(f"{'CPU seconds of':26} {'xlaport':>8} {'beyond empty':>13} {'ratio':>7}")
        for title, arguments in commands.items():
            command = ("-m", "xlaport", *arguments)
            cpu_seconds(command, environment)  # compiles, and fills the cache
            pairs = [(cpu_seconds(command, environment), cpu_seconds(EMPTY, environment)) for _ in range(runs)]
            own = statistics.median(own for own, _ in pairs)
            beyond = statistics.median(own - empty for own, empty in pairs)
            ratio = statistics.median(own / empty for own, empty in pairs)
            print(f"{title:26} {own:8.3f} {beyond:13.3f} {ratio:7.1f}")


if __name__ == "__main__":
    main()
