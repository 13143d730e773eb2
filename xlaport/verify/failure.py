"""A script that did not run to its end: what happened, where, and what to do, in one finding."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.verify.events import Boundary, End, Point, ReplicaSeen, Site, Trouble
from xlaport.verify.launch import Run
from xlaport.verify.verdict import VerdictFinding

_FRAME = re.compile(r'^\s*File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>.+))?$')
_LAST = re.compile(r"^(?P<kind>[A-Za-z_][\w.]*)(?:: ?(?P<message>.*))?$")
_RANK = re.compile(r"^\[rank\d+\]: ?")
"""What torch.distributed puts in front of each line of a traceback."""
_LAUNCHERS = re.compile(r"^(ChildFailedError|CalledProcessError|BrokenProcessPool)\b")
"""What a launcher says when one of its processes has failed: that process has said why."""
_LIBRARY = re.compile(r"/(site|dist)-packages/|/lib/python3\.\d+/|^<|/xlaport/verify/probe/")

# What an exception's text means to someone who has just ported a script.
_ADVICE = (
    (
        r"Torch not compiled with CUDA|Found no NVIDIA driver|No CUDA GPUs|CUDA error|Invalid device id",
        "the script still asks for CUDA: run  xlaport convert  on it",
    ),
    (r"No module named", "install that module in the environment that verify uses (--python)"),
    (
        r"No such file or directory",
        "check the paths that the script is given; it runs in the current directory",
    ),
    (
        r"has no attribute 'xla'",
        "use torch_xla.utils.checkpoint.checkpoint in place of torch.utils.checkpoint",
    ),
    (
        r"Runtime is already initialized",
        "the device is used before torch_xla.launch(): ask for it inside the launched function only",
    ),
    (
        r"can't convert xla|Could not run 'aten::.*' with arguments from the 'XLA'|from_numpy|\.numpy",
        "bring the tensor to the host first, with .cpu()",
    ),
    (
        r"Expected all tensors to be on the same device|IsXlaTensor|Input tensor is not an XLA tensor",
        "a tensor was left on the CPU: move it with .to(torch_xla.device())",
    ),
    (r"out of memory|Cannot allocate memory|MemoryError|DefaultCPUAllocator", "try a smaller batch"),
)


@dataclass(frozen=True)
class Crash:
    """The exception that ended a script: its last line, and the user's innermost frame."""

    message: str
    site: Site | None


def failure(run: Run) -> VerdictFinding | None:
    """Why a run cannot be judged as it stands; `None` if the script went to its end, or as far as was
    asked, or as the user let it.
    """
    if run.interrupted:
        return None if any(isinstance(event, Boundary | Point) for event in _events(run)) else _interrupted(run)
    if run.timed_out:
        return _timeout(run)
    if run.signal is not None:
        return _killed(run, run.signal)
    if run.exit_code and not _stopped_by_us(run):
        return _crashed(run, run.exit_code)
    if not any(trace.loaded for trace in run.traces):
        return VerdictFinding(
            "not-pytorch",
            "fail",
            "the script ended without importing torch: there is nothing to verify",
            "name the script that trains or infers, with the arguments that make it do so",
        )
    trouble = next((event for event in _events(run) if isinstance(event, Trouble)), None)
    if trouble and not any(isinstance(event, Boundary | Point) for event in _events(run)):
        return VerdictFinding(
            "probe-failed",
            "fail",
            f"the probe could not count: {trouble.message}",
            "this torch_xla is not one that xlaport knows: use torch_xla 2.9, or report it",
        )
    return None


def _stopped_by_us(run: Run) -> bool:
    """Whether the script went as far as was asked: of several replicas, all of them, for one may fail beside others."""
    replicas = [trace for trace in run.traces if any(isinstance(event, ReplicaSeen) for event in trace.events)]
    ends = [
        any(isinstance(event, End) and event.reason == "steps" for event in trace.events)
        for trace in replicas or run.traces
    ]
    return all(ends) if replicas else any(ends)


def _events(run: Run) -> Iterator[object]:
    for trace in run.traces:
        yield from trace.events


def _last_site(run: Run) -> Site | None:
    """Where a script was last seen at work."""
    site = None
    for event in _events(run):
        if isinstance(event, Boundary | Point) and event.site:
            site = event.site
    return site


def _timeout(run: Run) -> VerdictFinding:
    site = _last_site(run)
    return _at(
        site,
        "timeout",
        f"the script was still running after {run.seconds:.0f} s and was ended" + ("; last seen here" if site else ""),
        "end it after some steps with --steps, give it less data, or raise --timeout",
    )


def _interrupted(run: Run) -> VerdictFinding:
    return VerdictFinding(
        "interrupted",
        "fail",
        f"the recording was interrupted after {run.seconds:.0f} s, before the first step",
        "record again, and let it make some steps; compiling the first one may take minutes",
    )


def _killed(run: Run, number: int) -> VerdictFinding:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    site = _last_site(run)
    hint = {
        "SIGKILL": "often the machine ran out of memory: try a smaller batch or fewer loader workers",
        "SIGABRT": "the runtime gave up: its message is the last thing that the script printed",
        "SIGSEGV": "native code crashed: its message, if any, is the last thing that the script printed",
    }.get(name, "see the last lines that the script printed")
    return _at(site, "script-failed", f"the script was killed by {name}" + ("; last seen here" if site else ""), hint)


def _crashed(run: Run, code: int) -> VerdictFinding:
    crash = find_crash(run.tail, str(run.directory))
    if crash is None:
        return VerdictFinding(
            "script-failed",
            "fail",
            f"the script exited with code {code}",
            "see the last lines that it printed; it must exit with 0 to be verified",
        )
    advice = next(
        (text for pattern, text in _ADVICE if re.search(pattern, crash.message)),
        "make the script run to its end first:  PJRT_DEVICE=CPU python …",
    )
    return _at(crash.site, "script-failed", f"the script failed: {crash.message}", advice)


def _at(site: Site | None, kind: str, reason: str, advice: str) -> VerdictFinding:
    if site is None:
        return VerdictFinding(kind, "fail", reason, advice)
    return VerdictFinding(kind, "fail", reason, advice, site.path, site.line, site.function, 1)


def find_crash(output: str, directory: str) -> Crash | None:
    """The last exception in what a script printed, with the user's innermost frame of its traceback.

    An exception that comes back from a spawned process is printed twice; the first traceback is the child's
    own. A launcher's own exception counts only where no process has printed another.
    """
    lines = [_RANK.sub("", line) for line in output.splitlines()]
    tracebacks = [crash for crash in _tracebacks(lines, directory) if crash.message]
    if not tracebacks:
        return None
    last = next((crash for crash in reversed(tracebacks) if not _LAUNCHERS.match(crash.message)), tracebacks[-1])
    return next(crash for crash in tracebacks if crash.message == last.message)


def _tracebacks(lines: list[str], directory: str) -> Iterator[Crash]:
    site: Site | None = None
    inside = False
    for line in lines:
        if line.lstrip().startswith("Traceback (most recent call last):"):
            inside, site = True, None
        elif frame := _FRAME.match(line):
            # A syntax error has frames, but no traceback head.
            inside = True
            if not _LIBRARY.search(frame["path"]):
                path = os.path.normpath(os.path.join(directory, frame["path"]))
                site = Site(path, int(frame["line"]), frame["function"] or "<module>")
        elif inside and line and not line[0].isspace() and (last := _LAST.match(line)):
            message = last["message"] or ""
            yield Crash(f"{last['kind'].rsplit('.', 1)[-1]}: {message}".rstrip(": "), site)
            inside = False
