"""Runs the script in a child process with the probe in front, and sees to it that it ends."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from xlaport.errors import UserError
from xlaport.verify.chips import tpu_chips
from xlaport.verify.events import Trace, read_directory
from xlaport.verify.request import VerifyRequest

_PROBE = Path(__file__).resolve().parent / "probe"
"""A folder, or a place in the recorder's zip file: Python imports from both."""
_TAIL = 65536
"""Bytes of the script's output that are kept to find its traceback in."""
_GRACE = 5.0
"""Seconds between asking a process group to end and killing it."""

# The child's own interpreter says what it has; torch is not imported for that.
_ASK = (
    "import importlib.util as u, json, sys; "
    "there = [u.find_spec(name) is not None for name in ('torch', 'torch_xla', 'libtpu')]; "
    "print(json.dumps([sys.version_info[:2], *there]))"
)


@dataclass(frozen=True)
class Run:
    """A script that has been run. `exit_code` is `None` if a signal (`signal`, its number) ended it.

    `timed_out`: we ended it, for it went on past the time limit; `interrupted`: the user did, and wants to know
    what was seen. `tail`: the end of what it printed. `directory`: where it ran. `seconds`: how long, wall clock.
    """

    command: tuple[str, ...]
    directory: Path
    exit_code: int | None
    signal: int | None
    timed_out: bool
    seconds: float
    tail: str
    traces: tuple[Trace, ...]
    interrupted: bool = False


class Interrupted(KeyboardInterrupt):
    """The user has interrupted a run: what there is of it."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run


def run(request: VerifyRequest, events: Path) -> Run:
    """Run the script to its end or to the limits of `request`; the probe writes into the folder `events`.

    What the script prints, on either stream, goes to our standard error, so that standard output stays ours.
    An interrupt ends the script and passes on as `Interrupted`.
    """
    directory = (request.directory or Path.cwd()).resolve()
    if not request.module and not (directory / request.script).exists():
        raise UserError(f"{request.script}: no such file; name the script to run, or use -m for a module")
    environment = _environment(request, events)
    start = time.monotonic()
    try:
        process = subprocess.Popen(
            request.command,
            cwd=directory,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise UserError(f"cannot run {request.python}: {error.strerror or error}") from error
    assert process.stdout is not None
    tail: deque[bytes] = deque()
    reader = threading.Thread(target=_pass_through, args=(process.stdout, tail), daemon=True)
    reader.start()
    timed_out = interrupted = False
    try:
        process.wait(request.timeout)
    except subprocess.TimeoutExpired:
        timed_out = True
    except KeyboardInterrupt:
        interrupted = True
    finally:
        # Also when we are interrupted, and for what the script has left behind (loader workers).
        _end(process)
        reader.join(_GRACE)
    code = process.returncode
    result = Run(
        command=request.command,
        directory=directory,
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        timed_out=timed_out,
        seconds=time.monotonic() - start,
        tail=b"".join(tail)[-_TAIL:].decode("utf-8", "replace"),
        traces=read_directory(events),
        interrupted=interrupted,
    )
    if interrupted:
        raise Interrupted(result)
    return result


def _environment(request: VerifyRequest, events: Path) -> dict[str, str]:
    version, torch, torch_xla, libtpu = _ask(request)
    environment = dict(os.environ)
    missing = [name for name, there in (("torch", torch), ("torch_xla", torch_xla)) if not there]
    if missing:
        raise UserError(
            f"{' and '.join(missing)} cannot be imported by {request.python}: "
            "run  pip install 'xlaport[xla]'  there (Linux only), or name another interpreter with --python"
        )
    if version < (3, 10):
        raise UserError(f"{request.python} is Python {version[0]}.{version[1]}: verify needs 3.10 or later")
    rest = environment.get("PYTHONPATH")
    environment["PYTHONPATH"] = os.pathsep.join([str(_PROBE), *([rest] if rest else [])])
    environment["XLAPORT_EVENTS"] = str(events)
    environment["XLAPORT_STEPS"] = str(request.steps or 0)
    environment.setdefault("PJRT_DEVICE", "TPU" if libtpu and tpu_chips() else "CPU")
    environment["XLA_METRICS_SAMPLES"] = "1"  # reading a metric copies all its samples: 0.3 us instead of 73
    environment["PYTHONUNBUFFERED"] = "1"  # what it printed before it was killed must not be lost
    if "xla_dump_to" not in environment.get("XLA_FLAGS", ""):
        dump = events / "dump"
        dump.mkdir(exist_ok=True)
        environment["XLAPORT_DUMP"] = str(dump)
        flags = [environment.get("XLA_FLAGS", ""), f"--xla_dump_to={dump}", "--xla_dump_hlo_as_proto"]
        environment["XLA_FLAGS"] = " ".join(flags).strip()
    if request.replicas > 1:
        if environment["PJRT_DEVICE"] != "CPU":
            raise UserError(
                f"--replicas plays replicas on XLA:CPU, and this run is on {environment['PJRT_DEVICE']}, where "
                "torch_xla.launch() starts one for each chip: leave it out, or set PJRT_DEVICE=CPU"
            )
        environment["XLAPORT_REPLICAS"] = str(request.replicas)
    # A graph that comes from the disk would not be seen to be compiled.
    environment.pop("XLA_PERSISTENT_CACHE_PATH", None)
    environment.update(request.environment)
    return environment


def _ask(request: VerifyRequest) -> tuple[tuple[int, int], bool, bool, bool]:
    try:
        answer = subprocess.run(
            [request.python, "-c", _ASK],
            cwd=request.directory,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        version, torch, torch_xla, libtpu = json.loads(answer.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        raise UserError(f"{request.python} does not work as a Python interpreter: {error}") from error
    return (version[0], version[1]), torch, torch_xla, libtpu


def _pass_through(stream: IO[bytes], tail: deque[bytes]) -> None:
    kept = 0
    while chunk := os.read(stream.fileno(), 65536):
        tail.append(chunk)
        kept += len(chunk)
        while kept - len(tail[0]) >= _TAIL:
            kept -= len(tail.popleft())
        try:
            sys.stderr.write(chunk.decode("utf-8", "replace"))
            sys.stderr.flush()
        except (OSError, ValueError):  # nobody listens any more; the script must not block on that
            continue


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the whole process group: ask first if the script still runs, then kill."""
    if process.poll() is None:
        _signal(process, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
    _signal(process, signal.SIGKILL)
    process.wait()


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    # The child leads a session of its own: its group has its number. It may all be gone already.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
