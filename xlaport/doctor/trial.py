"""Tries a first graph in a child process, which may hang or abort as it likes."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from xlaport.errors import UserError
from xlaport.verify.failure import find_crash

_PROGRAM = Path(__file__).with_name("first_graph.py")
_MARK = "xlaport-doctor:"
_LONGEST = 300
"""Characters of an error that are shown."""


@dataclass(frozen=True)
class Outcome:
    """How far a first graph came.

    `stage`: what was about to be done at the end: ``torch`` and ``torch_xla`` (its import), ``device`` (the runtime
    was asked for it), ``graph``; or ``done``. `facts`: what `first_graph` told. `ended`: by which signal, if by one;
    `timed_out`: by us, for it took longer than `seconds`. `error`: the exception, or the last line printed. `output`:
    all that was printed.
    """

    stage: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    ended: int | None = None
    timed_out: bool = False
    seconds: float = 0.0
    error: str = ""
    output: str = ""


def try_first_graph(python: str, timeout: float, environment: Mapping[str, str]) -> Outcome:
    """Run the first graph for so many seconds at most."""
    start = time.monotonic()
    try:
        # Not by its path: a module beside it is nobody's business, and one beside the user's script is.
        process = subprocess.Popen(
            [python, "-c", _PROGRAM.read_text(encoding="utf-8")],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env=dict(environment),
            start_new_session=True,
        )
    except OSError as error:
        raise UserError(f"cannot run {python}: {error.strerror or error}") from error
    timed_out = False
    try:
        printed, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
        _kill(process)
        printed, _ = process.communicate()
    finally:
        _kill(process)
    seconds = time.monotonic() - start
    return read_outcome(printed.decode("utf-8", "replace"), process.returncode, timed_out, seconds)


def read_outcome(output: str, code: int, timed_out: bool, seconds: float) -> Outcome:
    """What a child's output and exit code say."""
    facts: dict[str, Any] = {"stage": "torch"}
    others = []
    for line in output.splitlines():
        before, mark, told = line.partition(_MARK)
        if mark:
            with contextlib.suppress(ValueError):
                facts.update(json.loads(told))
        if before.strip():
            others.append(before.strip())
    stage = facts.pop("stage")
    crash = find_crash(output, "")
    error = crash.message if crash else others[-1] if others else ""
    error = error if len(error) <= _LONGEST else error[:_LONGEST] + "…"
    ended = -code if code < 0 and not timed_out else None
    return Outcome(stage, facts, ended, timed_out, seconds, error, output)


def _kill(process: subprocess.Popen[bytes]) -> None:
    # The child leads a session of its own: its group has its number. It may all be gone already.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
