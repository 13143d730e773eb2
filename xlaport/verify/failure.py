"""A script that did not run to its end: what happened, where, and what to do, in one finding."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlaport.verify.aftermath import LIBRARY
from xlaport.verify.events import Boundary, End, Halted, Lost, Point, ReplicaSeen, Site, Trace, Trouble, busiest
from xlaport.verify.launch import Run
from xlaport.verify.verdict import VerdictFinding, finding

_FRAME = re.compile(r'^\s*File "(?P<path>[^"]+)", line (?P<line>\d+)(?:, in (?P<function>.+))?$')
_LAST = re.compile(r"^(?P<kind>[A-Za-z_][\w.]*)(?:: ?(?P<message>.*))?$")
_RANK = re.compile(r"^\[rank\d+\]: ?")
"""What torch.distributed puts in front of each line of a traceback."""
_LAUNCHERS = re.compile(r"^(ChildFailedError|CalledProcessError|BrokenProcessPool)\b")
"""What a launcher says when one of its processes has failed: that process has said why."""

# What an exception's text means to someone who has just ported a script; last, where torch_xla was imported.
_ADVICE = (
    (
        r"Torch not compiled with CUDA|Found no NVIDIA driver|No CUDA GPUs|CUDA error|Invalid device id",
        "the script still asks for CUDA: run  xlaport convert  on it",
        "this line asks for CUDA in a script that is ported:  xlaport check  says what is left to do by hand; a "
        "library that chooses CUDA by itself is to be given device=torch_xla.device()",
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
    (
        r"[Oo]ut of memory|Cannot allocate memory|MemoryError|DefaultCPUAllocator|bad_alloc|RESOURCE_EXHAUSTED",
        "try a smaller batch",
    ),
)

_LAST_WORDS = re.compile(
    r"^F\d{4,8} \S+ +\d+ \S+\] (.+)"  # absl and glog: XLA's CHECK and LOG(FATAL)
    r"|^\s*what\(\): +(.+)"  # an exception of C++
    r"|: F \S+\] (.+)"  # the same, as XLA formats it before it has read its flags
    r"|^Fatal Python error: (.+)"
)
LOST = "events-lost"
"""The kind of finding that says that not all was recorded: what was is true all the same."""
_LONGEST = 300
"""Characters of a message that are shown."""
_WORK = Boundary | Point
"""What is recorded of a script at work."""


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
        return None if any(isinstance(event, _WORK) for event in _events(run)) else _interrupted(run)
    if made_its_steps(run) and (run.timed_out or run.signal is None):
        return _lost(run)
    if run.timed_out:
        return _timeout(run)
    if run.signal is not None:
        return _killed(run, run.signal)
    if run.exit_code:
        return _crashed(run, run.exit_code)
    if not run.traces:
        return VerdictFinding(
            "probe-failed",
            "fail",
            "the script ran without xlaport's probe: its Python was told to ignore PYTHONPATH (-I, -E or -S)",
            "start it by a Python without these options; --python names one",
        )
    if lost := _lost(run):
        return lost
    if not any(trace.loaded for trace in run.traces):
        return VerdictFinding(
            "not-pytorch",
            "fail",
            "the script ended without importing torch: there is nothing to verify",
            "name the script that trains or infers, with the arguments that make it do so",
        )
    trouble = next((event for event in _events(run) if isinstance(event, Trouble)), None)
    if trouble and not any(isinstance(event, _WORK) for event in _events(run)):
        return VerdictFinding(
            "probe-failed",
            "fail",
            f"the probe could not count: {trouble.message}",
            "this torch_xla is not one that xlaport knows: use torch_xla 2.9, or report it",
        )
    return None


def notes(run: Run) -> Iterator[VerdictFinding]:
    """What is to be known of the end of a run that can be judged."""
    if run.interrupted:
        reason = f"the run was interrupted after {run.seconds:.0f} s: judged is what ran until then"
        yield VerdictFinding("interrupted", "note", reason)
    elif run.timed_out and made_its_steps(run):
        halted = _halted(run)
        yield _at(
            halted.site if halted else None,
            "did-not-end",
            f"the script had made its steps, but was still running after {run.seconds:.0f} s and was ended"
            + ("; it was here by then" if halted and halted.site else ""),
            "",
            "note",
        )
    ended = any(isinstance(event, End) for event in _events(run))
    if run.exit_code == 0 and not ended and any(trace.loaded for trace in run.traces):
        site = _last_site(run.traces)
        yield _at(
            site,
            "no-end",
            "the script left without ending Python (os._exit, or native code did)"
            + ("; last seen here" if site else ""),
            "what it did after that line was not seen",
            "note",
        )


def made_its_steps(run: Run) -> bool:
    """Whether the probe has stopped the script after as many steps as were wanted: of several replicas, all of them,
    for one may fail beside others.
    """
    replicas = _replicas(run)
    ends = [
        any(isinstance(event, End) and event.reason == "steps" for event in trace.events)
        for trace in replicas or run.traces
    ]
    return all(ends) if replicas else any(ends)


def _replicas(run: Run) -> list[Trace]:
    """The processes that are replicas of a distributed program."""
    return [trace for trace in run.traces if any(isinstance(event, ReplicaSeen) for event in trace.events)]


def _lost(run: Run) -> VerdictFinding | None:
    for event in _events(run):
        if isinstance(event, Lost):
            return VerdictFinding(
                LOST,
                "fail",
                f"not all that ran could be recorded: {event.message}",
                "let TMPDIR name a folder with more room, which the script leaves alone",
            )
    return None


def _halted(run: Run) -> Halted | None:
    """Where the script was when it was ended, in the process that did the work."""
    busy = busiest(run.traces)
    traces = [*([busy] if busy else []), *_replicas(run), *run.traces]
    found = [event for trace in traces for event in trace.events if isinstance(event, Halted)]
    return next((halted for halted in found if halted.site), found[0] if found else None)


def _events(run: Run) -> Iterator[object]:
    for trace in run.traces:
        yield from trace.events


def _last_site(traces: Sequence[Trace]) -> Site | None:
    """Where the last of some processes was last seen at work."""
    worked = (event for trace in reversed(traces) for event in reversed(trace.events) if isinstance(event, _WORK))
    return next((event.site for event in worked if event.site), None)


def _timeout(run: Run) -> VerdictFinding:
    halted = _halted(run)
    seconds = f"{run.seconds:.0f} s"
    if halted and halted.over:
        return _at(
            halted.site,
            "timeout",
            f"the main program was over, but a thread was still running after {seconds} and was ended"
            + ("; it was here by then" if halted.site else ""),
            "end the thread, or start it with daemon=True",
        )
    if halted and halted.compiling:
        size = f"a graph of {halted.operations:,} operations" if halted.operations else "a graph"
        return _at(
            halted.site or _last_site(run.traces),
            "timeout",
            f"the script was ended after {seconds}, while XLA compiled {size}, for {halted.compiling:.0f} s by then"
            + ("; it is run here" if halted.site else ""),
            "one graph should be one step: end each step with torch_xla.sync(), and unroll no long loop into it; "
            "or raise --timeout",
        )
    advice = "end it after some steps with --steps, give it less data, or raise --timeout"
    if halted and halted.site:
        reason = f"the script was still running after {seconds} and was ended; it was here by then"
        return _at(halted.site, "timeout", reason, advice)
    site = _last_site(run.traces)
    reason = f"the script was still running after {seconds} and was ended"
    return _at(site, "timeout", reason + ("; last seen here" if site else ""), advice)


def _interrupted(run: Run) -> VerdictFinding:
    return VerdictFinding(
        "interrupted",
        "fail",
        f"the run was interrupted after {run.seconds:.0f} s, before the first step",
        "run it again, and let it make some steps; compiling the first one may take minutes",
    )


def _killed(run: Run, number: int) -> VerdictFinding:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    halted = _halted(run)
    crash = halted.site if halted and halted.fatal else None
    site = crash or _last_site(run.traces)
    used = f"; it had used up to {run.peak / 1e9:.1f} GB of memory" if name == "SIGKILL" and run.peak else ""
    words = last_words(run.tail)
    reason = f"the script was killed by {name}{used}" + (f": {words}" if words else "")
    hint = {
        "SIGKILL": "often the machine ran out of memory: try a smaller batch or fewer loader workers",
        "SIGABRT": "the runtime gave up" + ("" if words else ": its message is the last thing that the script printed"),
        "SIGSEGV": "native code crashed: its message, if any, is the last thing that the script printed",
    }.get(name, "see the last lines that the script printed")
    if words and (known := _known(run, words)):
        hint = known
    return _at(site, "script-failed", reason + ("; it was here" if crash else "; last seen here" if site else ""), hint)


def last_words(output: str) -> str:
    """What native code has said before it gave up, if anything: it aborts with a line, not with a traceback."""
    for line in reversed(output.splitlines()):
        if found := _LAST_WORDS.search(line):
            return next(text for text in found.groups() if text)[:_LONGEST]
    return ""


def _known(run: Run, message: str) -> str | None:
    """What to do about an error whose text is known."""
    texts = next((texts for pattern, *texts in _ADVICE if re.search(pattern, message)), None)
    ported = any("torch_xla" in trace.loaded for trace in run.traces)
    return texts[-1 if ported else 0] if texts else None


def _crashed(run: Run, code: int) -> VerdictFinding:
    crash = find_crash(run.tail, str(run.directory))
    if crash is None:
        return VerdictFinding(
            "script-failed",
            "fail",
            f"the script exited with code {code}",
            "see the last lines that it printed; it must exit with 0 to be verified",
        )
    if _LAUNCHERS.match(crash.message) and (died := _died(run)):
        return died
    advice = _known(run, crash.message) or "make the script run to its end first:  PJRT_DEVICE=CPU python …"
    return _at(crash.site, "script-failed", f"the script failed: {crash.message}", advice)


def _died(run: Run) -> VerdictFinding | None:
    """The replica that went without a word of its own: its launcher says only that one did."""
    for trace in _replicas(run):
        # The launcher ends the others with a signal that tells where they were.
        ended = any(isinstance(event, End) or (isinstance(event, Halted) and not event.fatal) for event in trace.events)
        if not ended:
            ordinal = next(event.ordinal for event in trace.events if isinstance(event, ReplicaSeen))
            fatal = next((event for event in trace.events if isinstance(event, Halted)), None)
            site = (fatal and fatal.site) or _last_site([trace])
            how = f"died of a crash in native code ({fatal.fatal})" if fatal else "was killed"
            return _at(
                site,
                "script-failed",
                f"replica {ordinal} {how}" + ("; last seen here" if site else ""),
                "see the last lines that the script printed"
                if fatal
                else "often the machine ran out of memory: try fewer replicas, or a smaller batch",
            )
    return None


def _at(site: Site | None, kind: str, reason: str, advice: str, severity: str = "fail") -> VerdictFinding:
    return finding(kind, severity, reason, advice, site, count=int(site is not None))


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
            if not LIBRARY.search(frame["path"]):
                path = os.path.normpath(os.path.join(directory, frame["path"]))
                site = Site(path, int(frame["line"]), frame["function"] or "<module>")
        elif inside and line and not line[0].isspace() and (last := _LAST.match(line)):
            message = last["message"] or ""
            yield Crash(f"{last['kind'].rsplit('.', 1)[-1]}: {message}".rstrip(": "), site)
            inside = False
