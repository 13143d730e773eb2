"""Pythons that have imported already what takes long: of the 6 CPU seconds of a small run on XLA, 5 are imports.

`with_torch`, `with_torch_xla` and `with_xlaport` give programs that stand for ``python``: one process has imported the
library, without xlaport's probe, and what is asked for runs in a fork of it, with its own environment, folder and
output. Threads of torch: one. What has to be imported there, such as the probe's effect on an import, and what is set
by a variable of Python's own, needs an interpreter of its own.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import functools
import json
import multiprocessing.spawn
import os
import runpy
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
import types
import uuid
from pathlib import Path
from typing import NoReturn

_STARTS = """\
#!/bin/sh
exec {python} -IS {asks} "$@"
"""
"""Not the interpreter itself: a first line cannot name one whose path has a space."""
_ASKS = """\
import json, os, signal, socket, sys
if sys.argv[1][:2] == "-I" or "resource_tracker" in " ".join(sys.argv):  # wants no library
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
files = [int(name) for name in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + name)]
with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    socket.send_fds(server, [b"go"], files)
    server.sendall(json.dumps([sys.argv[1:], dict(os.environ), os.getcwd(), files]).encode() + b"\\n")
    signal.signal(signal.SIGTERM, lambda *_: server.send(b"end it"))
    code = int(server.recv(16) or b"-9")
signal.signal(signal.SIGTERM, signal.SIG_DFL)
if code < 0:
    os.kill(os.getpid(), -code)
sys.exit(code)
"""


@functools.cache
def with_torch() -> str:
    """A Python that has imported torch, and has not imported torch_xla: for originals."""
    return _started("import torch")


@functools.cache
def with_torch_xla() -> str:
    """A Python that has imported torch and torch_xla: for ports."""
    return _started("import torch, torch_xla, torch_xla.distributed.parallel_loader")


@functools.cache
def with_xlaport() -> str:
    """A Python that has imported xlaport, and not torch: for the command line. Its `sys.executable` has torch_xla."""
    return _started(_ALL_OF_XLAPORT, with_torch_xla())


_ALL_OF_XLAPORT = """\
import importlib, pkgutil, xlaport
for module in pkgutil.walk_packages(xlaport.__path__, "xlaport."):
    if not {"probe", "supervisor", "doctor", "__main__"} & set(module.name.split(".")):
        importlib.import_module(module.name)
"""


def _started(statements: str, children: str = "") -> str:
    """What to call, as long as this process lives; `children` is its `sys.executable`, else it is itself."""
    folder = tempfile.TemporaryDirectory(prefix="python-")
    address = f"\0xlaport-{uuid.uuid4()}"  # not a file: the path of a folder may be too long for one
    asks, executable = Path(folder.name, "asks.py"), Path(folder.name, "python")
    first = sys.orig_argv[0]
    python = first if os.path.isabs(first) else sys.executable  # the latter is a warm one in what such a one starts
    asks.write_text(_ASKS.format(python=python, address=address), encoding="utf-8")
    starts = _STARTS.format(python=shlex.quote(python), asks=shlex.quote(str(asks)))
    executable.write_text(starts, encoding="utf-8")
    executable.chmod(0o755)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        number = listener.fileno()
        needed = {"PJRT_DEVICE": "CPU", "XLA_METRICS_SAMPLES": "1", "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
        needed["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"  # torch imports torch_xla by itself
        command = [
            python,
            "-W",
            "ignore",
            __file__,
            str(number),
            str(executable),
            children or str(executable),
            statements,
        ]
        process = subprocess.Popen(command, pass_fds=[number], env=os.environ | needed, stdin=subprocess.PIPE)

    def end() -> None:
        process.communicate()  # its input ends, and so does it
        folder.cleanup()

    atexit.register(end)
    return str(executable)


def _serve(listener: socket.socket, own: str, executable: str, statements: str) -> None:
    """Answer each caller in a process of its own, until the input ends."""
    sys.executable = executable
    multiprocessing.spawn.set_executable(own)
    exec(statements, {})
    places = os.environ.pop("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = [entry for entry in sys.path if entry not in places]
    signal.signal(signal.SIGCHLD, _reap)
    while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
        caller, _ = listener.accept()
        with caller:
            if not os.fork():
                listener.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _answer(caller)


def _reap(*_: object) -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _answer(caller: socket.socket) -> NoReturn:
    _, files, _, _ = socket.recv_fds(caller, 2, 250)
    request = b""
    while not request.endswith(b"\n"):
        request += caller.recv(65536)
    pid = os.fork()
    if not pid:
        os.setsid()
        caller.close()
        _become(request, files)
    for file in files:
        os.close(file)
    code = _wait(pid, caller)
    with contextlib.suppress(BrokenPipeError):
        caller.sendall(str(code).encode())
    os._exit(0)


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


def _become(request: bytes, files: list[int]) -> NoReturn:
    """Run what the caller asks for as if this were its own interpreter."""
    arguments, environment, directory, numbers = json.loads(request)
    _renumber(files, numbers)
    # Objects of their own, since those of the first process have seen where it wrote.
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(directory)
    places = [place for place in environment.get("PYTHONPATH", "").split(os.pathsep) if place]
    sys.path[:0] = places
    _forget(places)
    probe = next((file for place in places if (file := Path(place, "sitecustomize.py")).is_file()), None)
    if probe is not None:
        runpy.run_path(str(probe))
    code = 1
    try:
        _run(arguments)
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except BaseException as error:  # whatever ends a script: Python keeps it, prints it, and goes with code 1
        sys.last_value = error
        traceback.print_exc()
    # What the script and the probe do at the end, but not the second that it takes to undo the import of torch.
    atexit._run_exitfuncs()
    with contextlib.suppress(AttributeError, ValueError):  # the script may have closed or replaced them
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def _renumber(files: list[int], numbers: list[int]) -> None:
    """Give open files the numbers that they have where they come from; a spawned process is told some of them."""
    apart = [fcntl.fcntl(file, fcntl.F_DUPFD, 500) for file in files]
    for file in files:
        os.close(file)
    for file, number in zip(apart, numbers, strict=True):
        os.dup2(file, number)
        os.close(file)


def _forget(places: list[str]) -> None:
    """Let what the first process has imported be found anew where ``PYTHONPATH`` has another of its name."""
    instead = {file.stem: file for place in places for file in Path(place).glob("*")}
    for name in list(sys.modules):
        package = name.partition(".")[0]
        if package in instead and not _lies_at(sys.modules.get(package), instead[package]):
            del sys.modules[name]


def _lies_at(module: types.ModuleType | None, place: Path) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).resolve() in (place.resolve(), (place / "__init__.py").resolve())


def _run(arguments: list[str]) -> None:
    """A script, ``-m`` a module, or ``-c`` a text, with its arguments; ``-W ignore`` holds already."""
    while arguments[0] in ("-W", "ignore", "-Wignore", "-B"):
        del arguments[0]
    # A script's own module, as pickling and worker processes look for it.
    sys.modules["__main__"] = main = types.ModuleType("__main__")
    option, *rest = arguments
    if option == "-m":
        sys.path.insert(0, os.getcwd())
        sys.argv[:] = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif option == "-c":
        sys.path.insert(0, "")
        sys.argv[:] = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), main.__dict__)
    else:
        script = Path(option).absolute()
        sys.path.insert(0, str(script.parent))
        sys.argv[:] = arguments
        main.__file__ = str(script)
        exec(compile(script.read_text(encoding="utf-8"), str(script), "exec"), main.__dict__)


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))  # as it is for any script but this
    _serve(socket.socket(fileno=int(sys.argv[1])), *sys.argv[2:])
