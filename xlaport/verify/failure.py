"""A script that did not run to its end: what happened, where, and what to do, in one finding."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from xlaport.verify.aftermath import LIBRARY
from xlaport.verify.eager.names import UNIMPLEMENTED
from xlaport.verify.events import Boundary, End, Halted, Lost, Point, ReplicaSeen, Site, Trace, Trouble, busiest
from xlaport.verify.launch import Run
from xlaport.verify.saying import say
from xlaport.verify.verdict import VerdictFinding, finding
from xlaport.wording import Text

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
        "known: cuda",
        "known: cuda in a port",
    ),
    (UNIMPLEMENTED, "known: unimplemented"),
    (r"custom call to tpu_custom_call for Host", "known: kernel"),
    (r"failed to serialize StableHLO to plugin version", "known: older plugin"),
    (r"^slice size \(1\) is out of bounds for operand dimension \(0\)", "known: no elements"),
    (r"^LLVM compilation error: Cannot allocate memory", "known: memory maps"),
    (r"No module named", "known: module"),
    (r"^(SyntaxError|IndentationError|TabError)", "known: syntax"),
    (r"No such file or directory", "known: path"),
    (r"has no attribute 'xla'", "known: checkpoint"),
    (r"Runtime is already initialized", "known: early"),
    (r"can't convert xla|Could not run 'aten::.*' with arguments from the 'XLA'|from_numpy|\.numpy", "known: host"),
    (
        r"Expected all tensors to be on the same device|IsXlaTensor|Input tensor is not an XLA tensor"
        r"|expected tensor to be on tpu, got cpu",
        "known: left on the CPU",
    ),
    (
        r"[Oo]ut of memory|Cannot allocate memory|MemoryError|DefaultCPUAllocator|bad_alloc|RESOURCE_EXHAUSTED",
        "known: memory",
    ),
)
_BY_SIGNAL = {"SIGKILL": "killed: memory", "SIGABRT": "killed: abort", "SIGSEGV": "killed: crash"}

_CRASHES = frozenset({signal.SIGABRT, signal.SIGSEGV})
_LAST_WORDS = re.compile(
    r"^F\d{4,8} \S+ +\d+ \S+\] (.+)"  # absl and glog: XLA's CHECK and LOG(FATAL)
    r"|^\s*what\(\): +(.+)"  # an exception of C++
    r"|: F \S+\] (.+)"  # the same, as XLA formats it before it has read its flags
    r"|^Fatal Python error: (.+)"
    r"|^loc\(.*\): error: (.+)"  # LLVM, before it says only that it has given up
    r"|\] (LLVM compilation error: .+)"
)
LOST = "events-lost"
"""The kind of finding that says that not all was recorded: what was is true all the same."""
_LONGEST = 300
"""Characters of a message that are shown."""
_WORK = Boundary | Point
"""What is recorded of a script at work."""


@dataclass(frozen=True)
class Crash:
    """The exception that ended a script: its last line, and the user's frames, the innermost first."""

    message: str
    frames: tuple[Site, ...]

    @property
    def site(self) -> Site | None:
        """The user's innermost frame."""
        return next(iter(self.frames), None)


def failure(run: Run) -> VerdictFinding | None:
    """Why a run cannot be judged as it stands; `None` if the script went to its end, or as far as was
    asked, or as the user let it.
    """
    if run.interrupted:
        return None if any(isinstance(event, _WORK) for event in _events(run)) else _interrupted(run)
    if made_its_steps(run) and (run.timed_out or run.signal is None):
        return _lost(run)
    if run.has_filled:
        site = _last_site(run.traces)
        return _at(site, say("no-room.filled", gigabytes=run.has_filled / 1e9, where=_where(None, site)))
    if run.timed_out:
        return _timeout(run)
    if run.signal is not None:
        return _lost(run) if _was_over(run) else _killed(run, run.signal)
    if run.exit_code:
        return _crashed(run, run.exit_code)
    if not run.traces:
        return finding(say("probe-failed.options"), "fail")
    if lost := _lost(run):
        return lost
    if not any(trace.loaded for trace in run.traces):
        return finding(say("not-pytorch.no_import"), "fail")
    trouble = next((event for event in _events(run) if isinstance(event, Trouble)), None)
    if trouble and not any(isinstance(event, _WORK) for event in _events(run)):
        return finding(say("probe-failed.counters", message=trouble.message), "fail")
    return None


def notes(run: Run) -> Iterator[VerdictFinding]:
    """What is to be known of the end of a run that can be judged."""
    if run.interrupted:
        yield finding(say("interrupted.judged", seconds=run.seconds), "note")
    elif run.timed_out and made_its_steps(run):
        halted = _halted(run)
        site = halted.site if halted else None
        yield _at(site, say("did-not-end.steps_made", seconds=run.seconds, where=_where(site)), "note")
    if run.signal is not None and not run.timed_out and _was_over(run):
        words = last_words(run.tail)
        name = signal.Signals(run.signal).name
        yield finding(say("crashed-at-end.over", signal=name, words=f": {words}" if words else ""), "note")
    ended = any(isinstance(event, End) for event in _events(run))
    if run.exit_code == 0 and not ended and any(trace.loaded for trace in run.traces):
        site = _last_site(run.traces)
        yield _at(site, say("no-end.left", where=_where(None, site)), "note")


def _was_over(run: Run) -> bool:
    """Whether native code crashed when the script had come to its end, in all of its processes."""
    over = [any(isinstance(event, End) and event.reason == "exit" for event in trace.events) for trace in run.traces]
    return run.signal in _CRASHES and bool(over) and all(over)


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
            return finding(say("events-lost.unwritten", message=event.message), "fail")
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


def _where(here: Site | None, last_seen: Site | None = None) -> str:
    """How a message ends that stands at one of these places."""
    return say.phrase("here") if here else say.phrase("last seen") if last_seen else ""


def _timeout(run: Run) -> VerdictFinding:
    halted, last = _halted(run), _last_site(run.traces)
    here = halted.site if halted else None
    if halted and halted.over:
        return _at(here, say("timeout.thread", seconds=run.seconds, where=_where(here)))
    if halted and halted.compiling:
        said = say(
            "timeout.compiling",
            seconds=run.seconds,
            graph=say.phrase("a graph of" if halted.operations else "a graph", operations=halted.operations),
            compiling=halted.compiling,
            run=say.phrase("run here") if here else "",
        )
        return _at(here or last, said)
    return _at(here or last, say("timeout.running", seconds=run.seconds, where=_where(here, last)))


def _interrupted(run: Run) -> VerdictFinding:
    return finding(say("interrupted.too_soon", seconds=run.seconds), "fail")


def _killed(run: Run, number: int) -> VerdictFinding:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    halted = _halted(run)
    crash = halted.site if halted and halted.fatal else None
    site = crash or _last_site(run.traces)
    words = last_words(run.tail)
    said = say(
        "script-failed.killed",
        signal=name,
        memory=say.phrase("memory", size=run.peak / 1e9) if name == "SIGKILL" and run.peak else "",
        where=_where(crash, site),
        words=f": {words}" if words else "",
        advice=(words and _known(run, words)) or say.phrase(_BY_SIGNAL.get(name, "killed")),
    )
    return _at(site, said)


def last_words(output: str) -> str:
    """What native code has said before it gave up, if anything: it aborts with a line, not with a traceback."""
    for line in reversed(output.splitlines()):
        if found := _LAST_WORDS.search(line):
            return next(text for text in found.groups() if text)[:_LONGEST]
    return ""


def _known(run: Run, message: str) -> str | None:
    """What to do about an error whose text is known."""
    keys = next((keys for pattern, *keys in _ADVICE if re.search(pattern, message)), None)
    ported = any("torch_xla" in trace.loaded for trace in run.traces)
    return say.phrase(keys[-1 if ported else 0]) if keys else None


def _crashed(run: Run, code: int) -> VerdictFinding:
    crash = find_crash(run.tail, str(run.directory))
    if crash is None:
        return finding(say("script-failed.exit_code", code=code), "fail")
    if _LAUNCHERS.match(crash.message) and (died := _died(run)):
        return died
    advice = _known(run, crash.message) or say.phrase("run it alone")
    said = say("script-failed.exception", message=crash.message, advice=advice)
    return replace(_at(crash.site, said), callers=crash.frames[1:])


def _died(run: Run) -> VerdictFinding | None:
    """The replica that went without a word of its own: its launcher says only that one did."""
    for trace in _replicas(run):
        # The launcher ends the others with a signal that tells where they were.
        ended = any(isinstance(event, End) or (isinstance(event, Halted) and not event.fatal) for event in trace.events)
        if not ended:
            ordinal = next(event.ordinal for event in trace.events if isinstance(event, ReplicaSeen))
            fatal = next((event for event in trace.events if isinstance(event, Halted)), None)
            site = (fatal and fatal.site) or _last_site([trace])
            if fatal:
                where, error = _where(None, site), fatal.fatal
                return _at(site, say("script-failed.replica_crashed", ordinal=ordinal, error=error, where=where))
            return _at(site, say("script-failed.replica_killed", ordinal=ordinal, where=_where(None, site)))
    return None


def _at(site: Site | None, said: Text, severity: str = "fail") -> VerdictFinding:
    return finding(said, severity, site, count=int(site is not None))


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
    frames: list[Site] = []
    inside = False
    for line in lines:
        if line.lstrip().startswith("Traceback (most recent call last):"):
            inside, frames = True, []
        elif frame := _FRAME.match(line):
            # A syntax error has frames, but no traceback head.
            inside = True
            if not LIBRARY.search(frame["path"]):
                path = os.path.normpath(os.path.join(directory, frame["path"]))
                frames.insert(0, Site(path, int(frame["line"]), frame["function"] or "<module>"))
        elif inside and line and not line[0].isspace() and (last := _LAST.match(line)):
            message = last["message"] or ""
            yield Crash(f"{last['kind'].rsplit('.', 1)[-1]}: {message}".rstrip(": "), tuple(frames))
            inside = False
