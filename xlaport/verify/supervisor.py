"""Stands between xlaport and a script: starts it, and sees to it that nothing of it is left behind.

A program of its own, which `launch` hands to ``python -c``, for in the recorder it is no file; so it imports nothing
of xlaport. What the script starts becomes a child of this program as soon as its own parent is gone (it is a "child
subreaper", prctl(2)), also what has left the script's session, as daemons do. All of it is killed when the script has
ended, or when the pipe `life` is closed: xlaport wants that, or has itself been killed.

    python -c SOURCE LIFE REPORT GRACE FOLDER COMMAND...

`LIFE` and `REPORT` are numbers of file descriptors, `GRACE` the seconds between asking and killing. The report has two
lines of JSON: the script's process number, and how it ended. If nobody is there any more to read it, the temporary
`FOLDER` of the run is removed.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import select
import shutil
import signal
import sys
import time
from collections.abc import Iterator

_SUBREAPER = 36
"""``PR_SET_CHILD_SUBREAPER`` of <sys/prctl.h>."""


class Script:
    """The script's process: `status` is its exit code, or a signal's number, negative; `None` while it runs.

    `peak`: bytes of memory that it, or one of the processes it waited for, has used at most.
    """

    def __init__(self, command: list[str]) -> None:
        self.status: int | None = None
        self.peak = 0
        # Python ignores these two, and a child would inherit that (as in subprocess).
        restored = (signal.SIGPIPE, signal.SIGXFSZ)
        self.pid = os.posix_spawnp(command[0], command, os.environ, setsid=True, setsigdef=restored)

    def reap(self) -> bool:
        """Take note of what has ended; whether anything is left."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if not pid:
                return True
            if pid == self.pid:
                self.status, self.peak = os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024

    def ask(self) -> None:
        """Ask the script, and what is in its session, to end."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGTERM)


def descendants(root: int) -> Iterator[int]:
    """The numbers of all processes that `root` has started, and those that they have."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            # The name of the program stands in brackets, and may hold any of both.
            parent = int(file.read().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(name))
    waiting = children.pop(root, [])
    while waiting:
        pid = waiting.pop()
        waiting += children.pop(pid, [])
        yield pid


def main() -> None:
    """Run the command until it ends, or `life` is closed; report; leave nothing behind."""
    life, report, grace = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    folder, command = sys.argv[4], sys.argv[5:]
    for number in (life, report):
        os.set_inheritable(number, False)
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    ended, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    try:
        script = Script(command)
    except OSError as error:
        _tell(report, error=error.strerror or str(error))
        return
    _tell(report, pid=script.pid)
    # Whoever reads what the script prints is to see its end.
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)

    def until(seconds: float | None) -> bool:
        """Wait for the script's end, or that of `life`; whether it has ended."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while script.status is None:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                break
            ready, _, _ = select.select([ended] if left is not None else [ended, life], [], [], left)
            if ended in ready:
                os.read(ended, 512)
                script.reap()
            elif life in ready:
                break
        return script.status is not None

    if not until(None):
        script.ask()
        until(grace)
    deadline = time.monotonic() + grace
    while script.reap() and time.monotonic() < deadline:
        for pid in descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)
    if not _tell(report, status=script.status, peak=script.peak):
        shutil.rmtree(folder, ignore_errors=True)


def _tell(report: int, **what: object) -> bool:
    """Write a line of the report; whether somebody can read it."""
    try:
        os.write(report, json.dumps(what).encode() + b"\n")
    except BrokenPipeError:
        return False
    return True


if __name__ == "__main__":
    main()
