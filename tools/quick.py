"""``make quick``: ruff, mypy, and the tests that the changes of the working tree reach (`tools.reach`), side by side.

It takes at most some two minutes on two cores: a test that has not begun after `_SECONDS` is left out, and counted.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tools.reach.__main__ import main as reach

ROOT = Path(__file__).parent.parent
_SECONDS = 100
_LINTERS = (
    ("ruff", "check", "--quiet", "."),
    ("ruff", "format", "--quiet", "--check", "."),
    ("mypy", "--no-error-summary"),
)


def main() -> int:
    """Run all of it, and say what was found. Returns the exit code."""
    until = time.time() + _SECONDS
    programs = Path(sys.executable).parent
    started = [
        subprocess.Popen([programs / name, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for name, *arguments in _LINTERS
    ]
    try:
        code = reach(["--run", "--until", str(until), *sys.argv[1:]])
        for process in started:
            output, _ = process.communicate()
            sys.stdout.buffer.write(output)
            code = code or process.returncode
    finally:
        for process in started:
            process.kill()
    return code


if __name__ == "__main__":
    raise SystemExit(main())
