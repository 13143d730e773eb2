"""A Python whose torch and torch_xla are there already: of the 6 CPU seconds of a small verified script, 5 are imports.

`WarmPython` starts one process that imports them, without the probe, and makes a program that stands for ``python``:
what is run by it is run in a fork of that process, with its own environment, folder and output, and is probed there as
in any other interpreter that has imported torch before the probe came.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import runpy
import select
import shlex
import signal
import socket
import subprocess
import sys
import traceback
import types
import uuid
from pathlib import Path

_STARTS = """\
#!/bin/sh
exec {python} -IS {asks} "$@"
"""
"""Not the interpreter itself: a first line cannot name one whose path has a space."""
_ASKS = """\
import json, os, signal, socket, sys
if sys.argv[1] == "-c":
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    socket.send_fds(server, [b"go"], [1, 2])
    server.sendall(json.dumps([sys.argv[1:], dict(os.environ), os.getcwd()]).encode() + b"\\n")
    signal.signal(signal.SIGTERM, lambda *_: server.send(b"end it"))
    code = int(server.recv(16) or b"-9")
signal.signal(signal.SIGTERM, signal.SIG_DFL)
if code < 0:
    os.kill(os.getpid(), -code)
sys.exit(code)
"""


class WarmPython:
    """A running process to fork; `executable` is what to call. Use as a context manager."""

    def __init__(self, folder: Path) -> None:
        self.executable = folder / "python"
        self._address = f"\0xlaport-{uuid.uuid4()}"  # not a file: the path of a folder may be too long for one
        asks = folder / "asks.py"
        asks.write_text(_ASKS.format(python=sys.executable, address=self._address), encoding="utf-8")
        starts = _STARTS.format(python=shlex.quote(sys.executable), asks=shlex.quote(str(asks)))
        self.executable.write_text(starts, encoding="utf-8")
        self.executable.chmod(0o755)

    def __enter__(self) -> WarmPython:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self._address)
        self._listener.listen()
        number = self._listener.fileno()
        environment = {**os.environ, "PJRT_DEVICE": "CPU", "XLA_METRICS_SAMPLES": "1", "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-W", "ignore", __file__, str(number)]
        self._process = subprocess.Popen(command, pass_fds=[number], env=environment, stdin=subprocess.PIPE)
        return self

    def __exit__(self, *exception: object) -> None:
        self._process.communicate()  # its input ends, and so does it
        self._listener.close()


def _serve(listener: socket.socket) -> None:
    for module in ("torch_xla", "torch_xla.distributed.parallel_loader"):
        importlib.import_module(module)

    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [])
        if sys.stdin in ready:
            return
        caller, _ = listener.accept()
        with caller:
            _, outputs, _, _ = socket.recv_fds(caller, 2, 2)
            request = b""
            while not request.endswith(b"\n"):
                request += caller.recv(65536)
            pid = os.fork()
            if not pid:
                os.setsid()
                listener.close()
                caller.close()
                _become(request, outputs)
            for output in outputs:
                os.close(output)
            code = _wait(pid, caller)
            with contextlib.suppress(BrokenPipeError):
                caller.sendall(str(code).encode())


def _wait(pid: int, caller: socket.socket) -> int:
    """The exit code of a fork; what befalls the caller befalls it, too."""
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)  # what it has forked goes with it, as with a supervisor's script
            return os.waitstatus_to_exitcode(status)
        if select.select([caller], [], [], 0.01)[0]:
            os.kill(pid, signal.SIGTERM if caller.recv(16) else signal.SIGKILL)


def _become(request: bytes, outputs: list[int]) -> None:
    """Run what the caller asks for as if this were its own interpreter."""
    arguments, environment, directory = json.loads(request)
    for number, output in zip((1, 2), outputs, strict=True):
        os.dup2(output, number)
        os.close(output)
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(directory)
    script, *sys.argv[1:] = arguments
    sys.argv[0] = script
    probe, *rest = environment["PYTHONPATH"].split(os.pathsep)
    sys.path[:0] = [str(Path(script).parent), *rest]
    runpy.run_path(str(Path(probe, "sitecustomize.py")))
    # A script's own module, as pickling and worker processes look for it.
    main = types.ModuleType("__main__")
    main.__file__ = script
    sys.modules["__main__"] = main
    code = 1
    try:
        exec(compile(Path(script).read_text(encoding="utf-8"), script, "exec"), main.__dict__)
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException:  # whatever ends a script: Python prints it, and goes with code 1
        traceback.print_exc()
    # What the script and the probe do at the end, but not the second that it takes to undo the import of torch.
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))  # as it is for any script but this
    _serve(socket.socket(fileno=int(sys.argv[1])))
