"""A recorded run in one file: a zip of what happened, the events, and the source lines that they name.

Written on the machine with the TPU (see `recorder`), read and judged anywhere. Standard library only: the module
is a part of the recorder.
"""

from __future__ import annotations

import json
import linecache
import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from xlaport.errors import UserError
from xlaport.verify.events import Event, GraphSeen, Trace, decode, encode
from xlaport.verify.failure import find_crash
from xlaport.verify.graph_text import from_text
from xlaport.verify.judge import judge
from xlaport.verify.launch import Run
from xlaport.verify.request import Budgets
from xlaport.verify.verdict import Verdict

FORMAT = 1
"""Counts up when a reader of today could not read what is written; what is merely added changes nothing."""
_NAME = "xlaport recording"
_HEAD, _SOURCES = "recording.json", "sources.json"
_EVENTS = re.compile(r"events/(\d+)\.jsonl")
_AROUND = 12
"""Source lines that are kept on either side of a line that an event names."""
_WIDTH = 400
"""Characters of a source line that are kept."""

Sources = Mapping[str, Mapping[int, str]]
"""Lines of files, by absolute path and number (from 1)."""


@dataclass(frozen=True)
class Machine:
    """Where a run was recorded: the machine's name and system, and the versions of what ran there."""

    host: str = ""
    system: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Recording:
    """A run, where and when (ISO 8601, UTC) it was recorded, and the source lines that its events name."""

    run: Run
    machine: Machine = Machine()
    recorded: str = ""
    sources: Sources = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """What was recorded, where and when, in one line."""
        versions = ", ".join(f"{name} {version}" for name, version in self.machine.versions.items())
        where = " ".join(part for part in (self.machine.host, f"({self.machine.system})", self.recorded) if part)
        return f"{' '.join(self.run.command[1:])}: recorded on {where}; {versions}"

    def verdict(self, budgets: Budgets) -> Verdict:
        """What `verify` would have said of the run; its reports show the lines as they were recorded."""
        show_lines(self.sources)
        return judge(self.run, budgets)


def show_lines(sources: Sources) -> None:
    """Let `linecache`, which reports read, know the lines of files that are not here, or not the same here."""
    for path, known in sources.items():
        lines = [known.get(number, "") + "\n" for number in range(1, max(known, default=0) + 1)]
        # Without a time of change, an entry is taken for that of a module without a file: it stays.
        linecache.cache[path] = (sum(map(len, lines)), None, lines, path)


def gather_lines(run: Run) -> Sources:
    """The lines that the events, graphs and traceback of a run name, and those around them, where they can be read."""
    wanted: dict[str, set[int]] = {}
    for path, line in _places(run):
        wanted.setdefault(path, set()).update(range(max(1, line - _AROUND), line + _AROUND + 1))
    sources: dict[str, dict[int, str]] = {}
    for path, numbers in wanted.items():
        lines = linecache.getlines(path)
        found = {number: lines[number - 1].rstrip("\n")[:_WIDTH] for number in sorted(numbers) if number <= len(lines)}
        if found:
            sources[path] = found
    return sources


def _places(run: Run) -> Iterator[tuple[str, int]]:
    for trace in run.traces:
        for event in trace.events:
            yield from _places_in(asdict(event))
            if isinstance(event, GraphSeen) and event.nodes:
                yield from (frame for node in from_text(event.nodes).nodes for frame in node.frames)
    crash = find_crash(run.tail, str(run.directory))
    if crash and crash.site:
        yield crash.site.path, crash.site.line


def _places_in(value: object) -> Iterator[tuple[str, int]]:
    """Whatever has a path and a line, in events of any kind."""
    if isinstance(value, dict):
        path, line = value.get("path"), value.get("line")
        if isinstance(path, str) and isinstance(line, int):
            yield path, line
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from _places_in(part)


def save(recording: Recording, path: Path) -> None:
    """Write a recording; the file is there whole or not at all."""
    run = recording.run
    head = {
        "format": _NAME,
        "version": FORMAT,
        "recorded": recording.recorded,
        "machine": asdict(recording.machine),
        "command": list(run.command),
        "directory": str(run.directory),
        "exit_code": run.exit_code,
        "signal": run.signal,
        "timed_out": run.timed_out,
        "interrupted": run.interrupted,
        "seconds": run.seconds,
        "tail": run.tail,
        "peak": run.peak,
        "has_filled": run.has_filled,
    }
    part = path.with_name(path.name + ".part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr(_HEAD, json.dumps(head, indent=1))
            file.writestr(_SOURCES, json.dumps(recording.sources))
            for trace in run.traces:
                file.writestr(f"events/{trace.pid}.jsonl", "".join(encode(event) + "\n" for event in trace.events))
        os.replace(part, path)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


def load(path: Path) -> Recording:
    """Read a recording; `UserError` if the file is none, is damaged, or is of a newer format."""
    try:
        with zipfile.ZipFile(path) as file:
            return _read(path, file)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error
    except zipfile.BadZipFile as error:
        raise UserError(
            f"{path}: not a recording, or only a part of one: xlaport_recorder.pyz writes them; copy the file again"
        ) from error
    except (ValueError, TypeError, AttributeError, EOFError, zlib.error, RuntimeError, RecursionError) as error:
        raise UserError(f"{path}: this recording is damaged: copy the file again, or record anew") from error


def _read(path: Path, file: zipfile.ZipFile) -> Recording:
    names = file.namelist()
    head: Any = json.loads(file.read(_HEAD)) if _HEAD in names else None
    if not isinstance(head, dict) or head.get("format") != _NAME:
        raise UserError(f"{path}: not a recording: xlaport_recorder.pyz writes them (xlaport recorder)")
    version = head.get("version")
    if not isinstance(version, int):
        raise ValueError("no version")
    if version > FORMAT:
        raise UserError(f"{path}: format {version} of a newer xlaport; this one reads up to {FORMAT}: update xlaport")
    traces = [
        Trace(int(match[1]), _events(path, file.read(name).decode("utf-8")))
        for name in names
        if (match := _EVENTS.fullmatch(name))
    ]
    try:
        run = Run(
            command=tuple(map(str, head["command"])),
            directory=Path(head["directory"]),
            exit_code=_integer(head["exit_code"]),
            signal=_integer(head["signal"]),
            timed_out=bool(head["timed_out"]),
            seconds=float(head["seconds"]),
            tail=str(head["tail"]),
            traces=tuple(sorted(traces, key=lambda trace: trace.pid)),
            interrupted=bool(head["interrupted"]),
            peak=int(head.get("peak", 0)),
            has_filled=int(head.get("has_filled", 0)),
        )
        machine = Machine(
            str(head["machine"]["host"]),
            str(head["machine"]["system"]),
            {str(name): str(version) for name, version in head["machine"]["versions"].items()},
        )
        recorded, sources = str(head["recorded"]), _sources(json.loads(file.read(_SOURCES)))
    except KeyError as error:
        raise ValueError(f"no {error}") from error
    return Recording(run, machine, recorded, sources)


def _events(path: Path, text: str) -> tuple[Event, ...]:
    """All events of a process: here, unlike in what a killed process leaves, none is torn."""
    try:
        return tuple(decode(line) for line in text.split("\n") if line)
    except ValueError as error:
        raise UserError(
            f"{path}: holds an event that this xlaport does not know: update it, or record with its own recorder "
            "(xlaport recorder)"
        ) from error


def _integer(value: Any) -> int | None:
    return None if value is None else int(value)


def _sources(data: Any) -> Sources:
    return {
        str(path): {int(number): str(text) for number, text in lines.items() if 0 < int(number) < 1_000_000}
        for path, lines in data.items()
    }
