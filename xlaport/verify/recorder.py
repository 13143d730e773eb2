"""The program that records a run on a machine where xlaport is not: ``python xlaport_recorder.pyz train.py``.

It is this package in a zip file, with its very probe, that Python can run; it needs what the script needs and
nothing else. See `package`, which makes the file, and `recording`, which writes what it has seen.
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime, timezone
from importlib import metadata
from pathlib import Path
from typing import NoReturn

from xlaport import __version__
from xlaport.errors import UserError
from xlaport.verify.launch import Interrupted, Run, events_folder, interrupt_on_termination, run
from xlaport.verify.recording import Machine, Recording, gather_lines, save
from xlaport.verify.request import TORCH_TPU, TORCH_XLA, VerifyRequest
from xlaport.verify.words import read

_PACKAGES = ("torch", TORCH_XLA, TORCH_TPU, "libtpu")
_TIMED_OUT, _INTERRUPTED, _KILLED = 124, 130, 128
"""Exit codes, as ``timeout`` and shells have them; for a signal, its number is added."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see --help\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="xlaport_recorder",
        usage="python xlaport_recorder.pyz [--steps N] [--timeout S] [--out FILE] [--target T] [-m] SCRIPT [ARGS ...]",
        description="Run a ported script and record its compiles, executions and transfers, for  xlaport verify "
        "--metrics FILE  on any machine. The exit code is the script's; 2 if nothing could be recorded.",
    )
    parser.add_argument("--version", action="version", version=f"xlaport {__version__}")
    parser.add_argument(
        "--steps", type=int, default=100, metavar="N", help="stop after N steps; 0: run to its end [100]"
    )
    parser.add_argument("--timeout", type=float, default=600.0, metavar="S", help="stop after S seconds [600]")
    parser.add_argument("--out", type=Path, default=Path("run.xlaport"), metavar="FILE", help="[run.xlaport]")
    parser.add_argument(
        "--target", choices=(TORCH_XLA, TORCH_TPU), default=TORCH_XLA, help=f"what it was ported to [{TORCH_XLA}]"
    )
    parser.add_argument("-m", dest="module", action="store_true", help="SCRIPT is a module, as in python -m")
    parser.add_argument("script", metavar="SCRIPT", help="the ported script, run unchanged, or torchrun")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="its arguments")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Record one run, and say where. What the user can mend is one line on standard error, and exit code 2."""
    # A terminal that is closed and a job that is cancelled want to know, too, what was seen until then.
    interrupt_on_termination()
    try:
        return _record(_parser().parse_args(arguments))
    except UserError as error:
        sys.stderr.write(f"xlaport_recorder: {error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("xlaport_recorder: interrupted before anything was recorded\n")
        return _INTERRUPTED


def _record(options: argparse.Namespace) -> int:
    if options.steps < 0 or options.timeout <= 0:
        raise UserError("--steps and --timeout take positive numbers")
    for name in ("torch", options.target):
        if importlib.util.find_spec(name) is None:
            raise UserError(f"{sys.executable} has no {name}: start the recorder with the Python that trains")
    _check_writable(options.out)
    asked = read([], [options.script, *options.arguments], module=options.module)
    (script,) = asked.scripts
    request = VerifyRequest(
        script=asked.target(script),
        arguments=asked.arguments,
        module=asked.module,
        steps=options.steps or None,
        timeout=options.timeout,
        target=options.target,
    )
    with events_folder() as events:
        try:
            recorded = run(request, events)
        except Interrupted as interrupt:
            recorded = interrupt.run
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    save(Recording(recorded, _machine(), now, gather_lines(recorded)), options.out)
    sys.stderr.write(f"xlaport_recorder: {_told(recorded)}; judge it with  xlaport verify --metrics {options.out}\n")
    return _exit_code(recorded)


def _check_writable(out: Path) -> None:
    """A run on a TPU is dear: what would keep its recording from being written is said before."""
    if out.is_dir():
        raise UserError(f"--out {out} is a folder: name a file")
    try:
        with tempfile.TemporaryFile(dir=out.parent):
            pass
    except OSError as error:
        raise UserError(f"--out {out}: its folder cannot be written to: {error.strerror or error}") from error


def _machine() -> Machine:
    versions = {"Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return Machine(platform.node(), f"{platform.system()} {platform.machine()}", versions)


def _told(recorded: Run) -> str:
    if recorded.interrupted:
        how = "was interrupted"
    elif recorded.timed_out:
        how = "ran into the time limit"
    elif recorded.signal is not None:
        how = f"was killed by signal {recorded.signal}"
    else:
        how = f"ended with exit code {recorded.exit_code}"
    events = sum(len(trace.events) for trace in recorded.traces)
    return f"the script {how} after {recorded.seconds:.0f} s; {events} events recorded"


def _exit_code(recorded: Run) -> int:
    if recorded.interrupted:
        return _INTERRUPTED
    if recorded.timed_out:
        return _TIMED_OUT
    if recorded.signal is not None:
        return _KILLED + recorded.signal
    return recorded.exit_code or 0
