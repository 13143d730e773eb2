"""What a run has left in its folder beside its events: where each process was when it was ended, which graph was
being compiled, and whether the folder could be written to at all.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from xlaport.verify.events import Event, Halted, Lost, Site, Trace
from xlaport.verify.graphs import DUMP, LARGEST_DUMP, read_graph

_THREAD = re.compile(r"^(?P<current>Current t|T)hread 0x[0-9a-f]+ .*\(most recent call first\):$")
_FRAME = re.compile(r'^  File "(?P<path>.*)", line (?P<line>\d+) in (?P<function>.+)$')
_FATAL = re.compile(r"^Fatal Python error: (?P<error>.+)$", re.MULTILINE)
LIBRARY = re.compile(r"/(site|dist)-packages/|/lib/python3\.\d+/|^<|/xlaport/verify/probe/")
"""Files that are not the user's."""

Frame = tuple[str, int, str]


def with_aftermath(traces: Sequence[Trace], folder: Path, directory: Path, tail: str) -> tuple[Trace, ...]:
    """The traces of a run that is over, with what is known of their ends; those of processes that recorded nothing
    else, too. `directory`: where the script ran; `tail`: the end of what it printed.
    """
    events: dict[int, tuple[Event, ...]] = {trace.pid: trace.events for trace in traces}
    for path in sorted(folder.glob("*.stack")):
        pid = int(path.stem)
        events.setdefault(pid, ())
        text = path.read_text(encoding="utf-8", errors="replace")
        if text and (
            halted := read_stack(text, directory, *_compiling(folder / "dump" / str(pid), os.path.getmtime(path)))
        ):
            events[pid] = (*events[pid], halted)
    if not any(isinstance(event, Halted) for found in events.values() for event in found):
        # A script with a fault handler of its own has it tell the user.
        if events and (fatal := _FATAL.search(tail)) and (halted := read_stack(tail[fatal.start() :], directory)):
            first = min(events)
            events[first] = (*events[first], halted)
    if lost := _lost(folder):
        first = min(events, default=0)
        events[first] = (*events.get(first, ()), lost)
    return tuple(Trace(pid, found) for pid, found in sorted(events.items()))


def read_stack(text: str, directory: Path, seconds: float = 0.0, operations: int = 0) -> Halted | None:
    """What Python's fault handler has written of the end of a process; `None` if it had nothing to write.

    The main thread comes last. Of a crash, the thread that crashed counts, unless it is none of the user's.
    """
    threads = [(current, _users(frames, directory), frames) for current, frames in _threads(text)]
    if not threads:
        return None
    fatal = _FATAL.search(text)
    *others, (_, site, frames) = threads
    over = any(path.endswith("threading.py") and name == "_shutdown" for path, _, name in frames)
    crashed = next((place for current, place, _ in threads if current and place), None)
    if fatal:
        site = crashed or site
    elif over:
        site = next((place for _, place, _ in others if place), None)
    elif site is None and any(path.endswith("process.py") and name == "_process_worker" for path, _, name in frames):
        # A replica of torch_xla.launch() runs in a thread of a pool's process.
        site = next((place for _, place, _ in others if place), None)
    return Halted(site, fatal["error"] if fatal else "", over and not fatal, seconds, operations)


def _threads(text: str) -> Iterator[tuple[bool, list[Frame]]]:
    """Each thread, whether it is the one that was running, and its frames, the innermost first."""
    frames: list[Frame] | None = None
    current = False
    for line in text.splitlines():
        if head := _THREAD.match(line):
            if frames is not None:
                yield current, frames
            current, frames = head["current"].startswith("C"), []
        elif frames is not None and (frame := _FRAME.match(line)):
            frames.append((frame["path"], int(frame["line"]), frame["function"]))
        elif frames:
            yield current, frames
            frames = None
    if frames is not None:
        yield current, frames


def _users(frames: Sequence[Frame], directory: Path) -> Site | None:
    for path, line, function in frames:
        if not LIBRARY.search(path):
            return Site(os.path.normpath(directory / path), line, function)
    return None


def _compiling(folder: Path, until: float) -> tuple[float, int]:
    """For how long a graph had been in the compiler by then, in seconds, and its operations; zeros if none was.

    The probe removes a dump when its graph has been compiled.
    """
    try:
        path = max(folder.glob(f"*{DUMP}"), key=os.path.getmtime, default=None)
        if path is None:
            return 0.0, 0
        seconds = max(0.1, until - os.path.getmtime(path))
        data = path.read_bytes() if path.stat().st_size <= LARGEST_DUMP else b""
        return round(seconds, 1), len(read_graph(data).nodes) if data else 0
    except (OSError, ValueError):  # not finished writing, or gone
        return 0.0, 0


def _lost(folder: Path) -> Lost | None:
    """Why events are missing, where the folder can no longer be written to."""
    try:
        test = folder / "room"
        test.write_bytes(bytes(8192))
        test.unlink()
    except FileNotFoundError:
        return Lost(f"the script has removed {folder}, which it writes events into")
    except OSError as error:
        return Lost(f"events could not be written into {folder}: {error.strerror or error}")
    return None
