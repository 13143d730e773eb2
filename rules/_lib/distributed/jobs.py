"""Programs that run as several processes: the files of each, and what keeps it from being ported as a whole.

The files of a project are converted one at a time. What belongs to a job is read in all of them as they are on disk,
once for a run, so that every file comes to the same answer. A job is a script and what it reaches: what keeps another
script of the project as it is keeps this one only where it stands in a file of both.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.facts.program import Program
from xlaport.facts.trials import is_test_file

from . import guards, started
from .obstacles import WORDS, Obstacle, Reader, read
from .part import Part, line
from .saying import say
from .ways import Way

_IN_WORDS = (
    b"init_process_group",
    b"Distributed",
    b"distributed",
    b"multiprocessing",
    b"_RANK",
    b"WORLD_SIZE",
    b"DataParallel",
    b"SyncBatchNorm",
    b"nccl",
    b"NCCL",
)
"""One of them is in whatever `WORDS` matches."""
_START = re.compile(rb"init_process_group")
_GUARDS = re.compile(rb"\bif\b.*(rank|gpu|main_process|master)", re.IGNORECASE)
_DEVICE = re.compile(rb"cuda|device|manual_seed")
_MAIN = re.compile(rb"^if .*__main__", re.MULTILINE)
_MAX_FILES = 24


@dataclass(frozen=True)
class Job:
    """The processes of one script, or of several that are ported together. `obstacle`: why nothing is rewritten."""

    entries: tuple[str, ...]
    files: frozenset[str]
    """Those that are rewritten."""
    way: Way
    is_nccl: bool
    obstacle: Obstacle | None
    is_ported: bool = False
    """Whether its group has another backend already."""
    place: str = ""
    """The file in which it is said, once, that it stays as it is."""
    hangs: Obstacle | None = None
    """Why it is started with one process alone: what would hang where there are several."""


def job_of(context: Context) -> Job | None:
    """The job that a file belongs to."""
    program = context.view.program
    if context.view.is_alone:
        if not _START.search(context.module.text.encode("utf-8", "replace")):
            return None
        file = context.view.own.file
        leading = frozenset({file} if started.leads(context) else ())
        reader = Reader({file: context}, {}, leading)
        return next(_judged(reader, [_Script(file, frozenset({file}), bool(leading))]))
    found: dict[str, Job] = program.once("jobs of several processes", lambda: dict(_jobs(context)))
    return found.get(context.view.own.file)


def own_part(context: Context, job: Job) -> Part:
    """What becomes of one file of a job, in the text of this round."""
    return read(context, job.way, context.view.own.file in job.entries)


# -- the jobs of a project -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Script:
    """A script and the files that it reaches. `leads`: whether it comes to a start of the group."""

    file: str
    reached: frozenset[str]
    leads: bool
    obstacle: Obstacle | None = None
    """What is known of it before anything is read."""


def _jobs(context: Context) -> Iterator[tuple[str, Job]]:
    program = context.view.program
    speaking = program.saying(WORDS, *_IN_WORDS)
    starts = {file for file in speaking if _START.search(program.data(file))}
    for members, entries in _together(program, sorted(_entries(program, starts)), speaking):
        # What is ported comes last: a file of two jobs belongs to that one.
        for job in sorted(_together_read(context, members, entries), key=lambda job: job.obstacle is None):
            for file in job.files:
                yield file, job


def _together(program: Program, scripts: list[str], speaking: frozenset[str]) -> list[tuple[set[str], set[str]]]:
    """The speaking files that scripts import, at any distance, with these scripts: those with a common file together.

    Each file is gone to once: what lies behind a file that was met before belongs to its group already.
    """
    towards = reached(speaking, program.graph.imported_by)
    groups: list[tuple[set[str], set[str], set[str]]] = []
    for script in scripts:
        members: set[str] = set()
        own = {script}
        met: set[str] = set()
        todo = [script]
        while todo:
            file = todo.pop()
            if file in met:
                continue
            other = next((group for group in groups if file in group[2]), None)
            if other is not None and file in towards:
                groups.remove(other)
                members, own, met = members | other[0], own | other[1], met | other[2]
            elif other is None:
                met.add(file)
                members |= {file} & speaking
                todo += program.graph.imports.get(file, ())
        groups.append((members, own, met))
    return [(members, own) for members, own, _ in groups]


def _entries(program: Program, starts: set[str]) -> Iterator[str]:
    """The scripts that import a start of the group; the files with a start themselves, where there is no script."""
    importers = program.graph.imported_by
    followed: set[str] = set()
    for file in sorted(reached(starts, importers)):
        if file in program.writable and not is_test_file(file) and os.path.basename(file) != "__init__.py":
            if _MAIN.search(program.data(file)) or not importers.get(file):
                todo = [file]
                while todo:
                    if (met := todo.pop()) not in followed:
                        followed.add(met)
                        todo += program.graph.imports.get(met, ())
                yield file
    yield from sorted(starts - followed)


def _together_read(context: Context, members: set[str], entries: set[str]) -> Iterator[Job]:
    """The jobs of scripts with common files, and of these files."""
    program = context.view.program
    files: dict[str, Context] = {}
    others: dict[str, Context] = {}
    scripts: list[_Script] = []
    for script in sorted(entries):
        own = frozenset(reached([script], program.graph.imports))
        inside = sorted(own & (members | entries))
        apart = None
        if len(inside) > _MAX_FILES:
            apart = Obstacle(script, "1", say("XP603.many_files", count=len(inside)))
        for file in inside if apart is None else ():
            facts = program.facts(file)
            if facts is None or file not in program.writable:
                apart = Obstacle(file, "1", say("XP603.absent"))
                break
            files[file] = context.of(facts)
        if apart is not None:
            scripts.append(_Script(script, frozenset(inside), False, apart))
            continue
        for file in sorted(own - files.keys() - others.keys()):
            if _GUARDS.search(program.data(file)) or _DEVICE.search(program.data(file)):
                facts = program.facts(file)
                if facts is None:
                    continue
                if _GUARDS.search(program.data(file)) and file in program.writable and guards.opens(context.of(facts)):
                    files[file] = context.of(facts)
                else:
                    others[file] = context.of(facts)
        scripts.append(_Script(script, own, started.leads(files[script])))
    yield from _judged(Reader(files, others, frozenset(s.file for s in scripts if s.leads)), scripts)


# -- what becomes of them ------------------------------------------------------------------------------


def _judged(reader: Reader, scripts: list[_Script]) -> Iterator[Job]:
    """The jobs of scripts: those that are ported, together, and those that stay for a reason of their own."""
    nccl: list[_Script] = []
    for script in scripts:
        parts = [reader.part(file, Way.TORCHRUN) for file in script.reached & reader.files.keys()]
        if script.obstacle is not None or any(part.starts for part in parts):
            nccl.append(script)
        else:
            is_ported = any(part.other_starts for part in parts)
            yield _job(reader, [script], Way.TORCHRUN, None, is_nccl=False, is_ported=is_ported)
    ways, kept = _ways(reader, nccl)
    hanging = _of_one(reader, ways, kept)
    ported: set[str] = set()
    for way, hangs in dict.fromkeys((ways[s], hanging.get(s)) for s in nccl if s not in kept):
        free = [s for s in nccl if s not in kept and (ways[s], hanging.get(s)) == (way, hangs)]
        job = replace(_job(reader, free, way, None), hangs=hangs)
        ported |= job.files
        yield job
    for obstacle in dict.fromkeys(kept.values()):
        stay = [s for s in nccl if kept.get(s) == obstacle]
        job = _job(reader, stay, ways[stay[0]], obstacle)
        starts = _with_starts(reader, stay) - ported
        yield replace(job, files=job.files - ported, place=min(starts or {s.file for s in stay}))


def _ways(reader: Reader, scripts: list[_Script]) -> tuple[dict[_Script, Way], dict[_Script, Obstacle]]:
    """How the processes of each script are started once they are ported, and what keeps some as they are.

    torch_xla.launch() is how a TPU's programs are started; torchrun serves those that cannot be taken apart.
    """
    spawning = {
        s
        for s in scripts
        if s.obstacle is None
        and any(reader.part(file, Way.TORCHRUN).spawns for file in s.reached & reader.files.keys())
    }
    ways: dict[_Script, Way] = {}
    kept: dict[_Script, Obstacle] = {}
    most = 0
    for way in (Way.LAUNCH, Way.TORCHRUN):
        chosen = {s: Way.SPAWN if s in spawning else way for s in scripts}
        found = {s: s.obstacle or reader.obstacle(s.reached, chosen[s]) for s in scripts}
        free = sum(1 for s in scripts if s.leads and found[s] is None)
        if free > most or not most:
            ways, most = chosen, free
            kept = {s: obstacle for s, obstacle in found.items() if obstacle is not None}
        if free == sum(1 for s in scripts if s.leads):
            break
    for script in scripts:
        if script not in kept and (unlike := _unlike(reader, script, ways, kept)) is not None:
            kept[script] = unlike
    led = _with_starts(reader, [s for s in scripts if s.leads and s not in kept])
    for script in scripts:
        starts = _with_starts(reader, [script])
        if script not in kept and not script.leads and not starts <= led:
            kept[script] = next(iter(kept.values()), None) or _unseen(reader, min(starts))
    return ways, kept


def _of_one(reader: Reader, ways: dict[_Script, Way], kept: dict[_Script, Obstacle]) -> dict[_Script, Obstacle]:
    """The scripts that run as one process, on one chip, and what keeps them from several: they are kept no more."""
    hanging: dict[_Script, Obstacle] = {}
    for script in [s for s in kept if s.leads and s.obstacle is None]:
        one = Way.SPAWN_OF_ONE if ways[script].is_spawn else Way.LAUNCH_OF_ONE
        others = [{s: way, script: one} for s, way in ways.items() if s is not script]
        if reader.obstacle(script.reached, one) or any(_unlike(reader, script, pair, kept) for pair in others):
            continue
        ways[script], hanging[script] = one, kept.pop(script)
    return hanging


def _unlike(
    reader: Reader, script: _Script, ways: dict[_Script, Way], kept: dict[_Script, Obstacle]
) -> Obstacle | None:
    """A file that another script, which is ported, needs written in another way."""
    for other, way in ways.items():
        if other is script:
            return None
        if other not in kept and way is not ways[script]:
            for file in sorted(script.reached & other.reached & reader.files.keys()):
                if reader.part(file, way).edits != reader.part(file, ways[script]).edits:
                    return Obstacle(file, "1", say("XP603.shared", other=os.path.basename(other.file)))
    return None


def _with_starts(reader: Reader, scripts: list[_Script]) -> set[str]:
    """The files in which the group is joined, of those that some scripts reach."""
    files = {file for script in scripts for file in script.reached & reader.files.keys()}
    return {file for file in files if reader.part(file, Way.TORCHRUN).starts}


def _unseen(reader: Reader, file: str) -> Obstacle:
    """A start that no script is seen to come to."""
    there, start = reader.files[file], reader.part(file, Way.TORCHRUN).starts[0]
    return Obstacle(file, line(there, start), say("XP603.unreached"))


def _job(
    reader: Reader,
    scripts: list[_Script],
    way: Way,
    obstacle: Obstacle | None,
    is_nccl: bool = True,
    is_ported: bool = False,
) -> Job:
    files = frozenset(file for s in scripts for file in s.reached & reader.files.keys())
    files = files or frozenset(file for s in scripts for file in s.reached)
    return Job(tuple(s.file for s in scripts if s.leads), files, way, is_nccl, obstacle, is_ported)
