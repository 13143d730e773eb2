"""List the tests that the changes of the working tree reach, or run them."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tools.reach import changes
from tools.reach.checkout import Checkout
from tools.reach.plan import DEADLINE, PLAN, Plan, plan

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_NOTHING_TO_RUN = 5
"""What pytest ends with then."""
ROOT = Path(__file__).parent.parent.parent


def checkout_of(root: Path) -> Checkout:
    """The checkout; what ruff passes over is data."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return Checkout(root, changes.files(root), settings["tool"]["ruff"]["extend-exclude"])


def told(found: Plan) -> str:
    """What is left out, and why."""
    left = {file: chosen.left for file, chosen in found.files.items() if chosen.left}
    lines = []
    if left:
        count = sum(map(len, left.values()))
        lines.append(
            f"Left to make test, since they start torch, a browser, pip or many programs: {count} "
            f"test{'' if count == 1 else 's'} of {', '.join(left)}."
        )
    if found.unread:
        lines.append(f"No test reads {', '.join(found.unread)}.")
    return "".join(f"{line}\n" for line in lines)


def run(found: Plan, until: float, root: Path) -> int:
    """Run the chosen tests. Returns the exit code."""
    files = [file for file, chosen in found.files.items() if not chosen.idle]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "plan.json")
        place.write_text(json.dumps(found.as_data()), encoding="utf-8")
        environment = {**os.environ, PLAN: str(place), DEADLINE: str(until)}
        command = [sys.executable, "-m", "pytest", "-p", "tools.reach.chosen", "-n", "2", *files]
        code = subprocess.run(command, cwd=root, env=environment, check=False).returncode
    return 0 if code == _NOTHING_TO_RUN else code


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.reach", description=__doc__)
    parser.add_argument("files", nargs="*", help="changed files, in the place of those that git names")
    parser.add_argument("--since", help="the commit to compare with (where the branch left main)")
    parser.add_argument("--run", action="store_true", help="run the tests")
    parser.add_argument("--until", type=float, help="the second of the clock after which no test begins")
    arguments = parser.parse_args(words)
    since = arguments.since or changes.base(ROOT)
    changed = arguments.files or changes.changed(ROOT, since)
    found = plan(checkout_of(ROOT), changed, lambda file: changes.before(ROOT, since, file))
    if not arguments.run:
        for file, chosen in found.files.items():
            codes = "" if chosen.codes is None else f"  {' '.join(chosen.codes)}"
            print(f"{chosen.distance:3}  {file}{codes}")
    print(f"{len(changed)} changed file{'' if len(changed) == 1 else 's'} since {since[:8]}.\n{told(found)}", end="")
    if not arguments.run or all(chosen.idle for chosen in found.files.values()):
        return 0
    sys.stdout.flush()
    return run(found, arguments.until or time.time() + 100, ROOT)


if __name__ == "__main__":
    raise SystemExit(main())
