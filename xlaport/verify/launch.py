"""Runs the script in a child process with the probe in front, and sees to it that it ends."""

from __future__ import annotations

import contextlib
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from xlaport.errors import UserError
from xlaport.verify.aftermath import with_aftermath
from xlaport.verify.chips import tpu_chips
from xlaport.verify.eager.names import CACHES
from xlaport.verify.eager.setting import setting
from xlaport.verify.events import Trace, read_directory
from xlaport.verify.interpreter import ask
from xlaport.verify.printed import Printed
from xlaport.verify.request import TORCH_TPU, VerifyRequest
from xlaport.verify.room import SECONDS, Room
from xlaport.verify.sandbox import copied, copied_folder, restored

_PROBE = Path(__file__).resolve().parent / "probe"
"""A folder, or a place in the recorder's zip file: Python imports from both."""
_GRACE = 5.0
"""Seconds between asking a process group to end and killing it."""
_MEMORY = Path("/dev/shm")
_ROOM = 4 * 2**30
"""Bytes that must be free there: DataLoader's workers hand their batches over in it, and must not run short."""


@dataclass(frozen=True)
class Run:
    """A script that has been run. `exit_code` is `None` if a signal (`signal`, its number) ended it.

    `timed_out`: we ended it, for it went on past the time limit; `interrupted`: the user did, and wants to know
    what was seen. `tail`: the end of what it printed. `directory`: where it ran. `seconds`: how long, wall clock.
    `peak`: bytes of memory that it used at most, 0 where that is not known. `has_filled`: we ended it, for it had
    written more than so many bytes into its copy of the folder.
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
    peak: int = 0
    has_filled: int = 0


class Interrupted(KeyboardInterrupt):
    """The user has interrupted a run: what there is of it."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run


def interrupt_on_termination() -> None:
    """Take the end of a terminal, or of a job, as an interrupt: the script is to be ended then, too, and judged."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


@contextlib.contextmanager
def events_folder() -> Iterator[Path]:
    """A temporary folder for the events of one run; `UserError` where there can be none.

    It is in memory where there is room, unless TMPDIR names a place: XLA writes a thousand small files beside the graph
    of a small transformer, which took a tenth of the whole run on a disk (measured; `benchmarks/verify_overhead.py`).
    """
    try:
        folder = tempfile.TemporaryDirectory(prefix="xlaport-", dir=_in_memory(), ignore_cleanup_errors=True)
    except OSError as error:
        why = error.strerror or error
        raise UserError(f"no temporary folder can be made: {why}; let TMPDIR name a folder with some room") from error
    with folder as name:
        yield Path(name)


def _in_memory() -> Path | None:
    try:
        there = os.statvfs(_MEMORY)
    except OSError:  # not on this system
        return None
    writable = os.access(_MEMORY, os.W_OK | os.X_OK) and not there.f_flag & os.ST_RDONLY
    return None if "TMPDIR" in os.environ or not writable or there.f_bavail * there.f_frsize < _ROOM else _MEMORY


def run(request: VerifyRequest, events: Path) -> Run:
    """Run the script to its end or to the limits of `request`; the probe writes into the folder `events`.

    What the script prints, on either stream, goes to our standard error, so that standard output stays ours.
    An interrupt ends the script and passes on as `Interrupted`. In a sandbox, all paths are told as those of the folder
    that it is a copy of.
    """
    if request.sandbox is None:
        return _run(request, events)
    folder = copied_folder(request)
    with copied(request) as (inside, copy):
        try:
            room = Room(copy, request.sandbox.room) if request.sandbox.room is not None else None
            return replace(restored(_run(inside, events, room), copy, folder), command=request.command)
        except Interrupted as interrupt:
            raise Interrupted(restored(interrupt.run, copy, folder)) from None


def _run(request: VerifyRequest, events: Path, room: Room | None = None) -> Run:
    directory = (request.directory or Path.cwd()).resolve()
    if not request.module and not (directory / request.script).exists():
        raise UserError(f"{request.script}: no such file; name the script to run, or use -m for a module")
    environment = _environment(request, events)
    start = time.monotonic()
    script = _Supervised(request.command, directory, environment, events)
    output = Printed()
    reader = threading.Thread(target=output.read, args=(script.output,), daemon=True)
    reader.start()
    timed_out = interrupted = has_filled = False
    try:
        has_filled = room is not None and script.fills(room, request.timeout)
        timed_out = not has_filled and not script.wait(start + request.timeout - time.monotonic())
    except KeyboardInterrupt:
        interrupted = True
    finally:
        seconds = time.monotonic() - start
        script.end()
        reader.join(_GRACE)
    code = script.status
    printed = output.end
    result = Run(
        command=request.command,
        directory=directory,
        exit_code=code if code >= 0 else None,
        signal=-code if code < 0 else None,
        timed_out=timed_out,
        seconds=seconds,
        tail=printed,
        peak=script.peak,
        traces=with_aftermath(read_directory(events), events, directory, printed),
        interrupted=interrupted,
        has_filled=room.most if has_filled and room is not None else 0,
    )
    if interrupted:
        raise Interrupted(result)
    return result


class _Supervised:
    """A script that runs below a supervisor (see `supervisor`), which outlives us if need be, to end it."""

    def __init__(self, command: tuple[str, ...], directory: Path, environment: dict[str, str], events: Path) -> None:
        source = pkgutil.get_data(__package__, "supervisor.py")
        assert source is not None
        life, self._life = os.pipe()
        self._report, report = os.pipe()
        told = (str(life), str(report), str(_GRACE), str(events))
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-ISc", source.decode("utf-8"), *told, *command],
                cwd=directory,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(life, report),
                start_new_session=True,
            )
        except OSError as error:
            os.close(self._life)
            os.close(self._report)
            raise UserError(f"cannot run {command[0]} in {directory}: {error.strerror or error}") from error
        finally:
            os.close(life)
            os.close(report)
        assert self._process.stdout is not None
        self.output: IO[bytes] = self._process.stdout
        self.status = -int(signal.SIGKILL)
        """The script's exit code, or the number of the signal that ended it, negative. Known at the end."""
        self.peak = 0

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the script and of all that it has started; whether it came in time."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def fills(self, room: Room, seconds: float) -> bool:
        """Wait for the end of the script, so long; whether it has used up its room before."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0 and not self.wait(min(SECONDS, left)):
            if room.is_used_up():
                return True
        return False

    def end(self) -> None:
        """End what still runs, and learn how the script has ended."""
        os.close(self._life)
        if not self.wait(3 * _GRACE):
            self._process.kill()
            self._process.wait()
        with open(self._report, encoding="utf-8") as report:
            told: dict[str, Any] = {}
            for line in report:
                told.update(json.loads(line))
        if "error" in told:
            raise UserError(f"cannot run the script: {told['error']}")
        if told.get("status") is not None:
            self.status, self.peak = told["status"], told["peak"]
        elif "pid" in told:  # the supervisor has been killed, or could not kill
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(told["pid"], signal.SIGKILL)


def _environment(request: VerifyRequest, events: Path) -> dict[str, str]:
    has = ask(request)
    environment = dict(os.environ)
    if request.target == TORCH_TPU:
        environment.update(setting(request.python, has, tpu_chips(), environment))
        for cache in CACHES:
            environment.pop(cache, None)
    elif missing := [name for name in ("torch", "torch_xla") if name not in has.modules]:
        raise UserError(
            f"{' and '.join(missing)} cannot be imported by {request.python}: "
            "run  pip install 'xlaport[xla]'  there (Linux only), or name another interpreter with --python"
        )
    if has.version < (3, 10):
        raise UserError(f"{request.python} is Python {has.version[0]}.{has.version[1]}: verify needs 3.10 or later")
    added = dict(request.environment)
    rest = added.pop("PYTHONPATH", environment.get("PYTHONPATH"))
    environment["PYTHONPATH"] = os.pathsep.join([str(_PROBE), *([rest] if rest else [])])
    environment["XLAPORT_EVENTS"] = str(events)
    environment["XLAPORT_STEPS"] = str(request.steps or 0)
    environment["PYTHONUNBUFFERED"] = "1"  # what it printed before it was killed must not be lost
    if request.target != TORCH_TPU:
        _set_for_xla(environment, request, events, "TPU" if "libtpu" in has.modules and tpu_chips() else "CPU")
    environment.update(added)
    return environment


def _free_port() -> int:
    with socket.create_server(("localhost", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def _set_for_xla(environment: dict[str, str], request: VerifyRequest, events: Path, device: str) -> None:
    """What torch_xla and the compiler below it are told; `device` is what they use where nobody has said so."""
    environment.setdefault("PJRT_DEVICE", device)
    if environment["PJRT_DEVICE"] == "CPU":
        # Where its processes meet: that of torch_xla is the same for all runs on this machine.
        environment.setdefault("MASTER_PORT", str(_free_port()))
    environment["XLA_METRICS_SAMPLES"] = "1"  # reading a metric copies all its samples: 0.3 us instead of 73
    if request.graphs is not None:
        environment["XLAPORT_GRAPHS"] = str(request.graphs.resolve())
    if request.devices > 1:
        environment["XLAPORT_DEVICES"] = str(request.devices)
    if "xla_dump_to" not in environment.get("XLA_FLAGS", ""):
        dump = events / "dump"
        try:
            dump.mkdir(exist_ok=True)
        except OSError as error:
            raise UserError(
                f"{events} cannot be written to: {error.strerror}; let TMPDIR name another folder"
            ) from error
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
