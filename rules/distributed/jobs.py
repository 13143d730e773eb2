"""Programs that run as several processes: the files of one, and what keeps it from being ported as a whole.

The files of a project are converted one at a time. What belongs to a job is read in all of them as they are on disk,
once for a run, so that every file comes to the same answer.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.facts.module import imported_modules
from xlaport.facts.program import Program
from xlaport.facts.roles import dotted
from xlaport.facts.trials import is_test_file
from xlaport.rule import replaced_by
from xlaport.suppressions.comments import in_python

from .. import process_start
from ..device import counting
from ..main_guard import main_guard
from . import before_launch, gates, guards, spawned, started
from .part import Part, condition_of
from .reading import part_of
from .ways import Way

CODE = "XP603"
"""That of the rule which ports a job."""
_WORDS = re.compile(
    rb"init_process_group|DistributedDataParallel|DistributedSampler|torch\.distributed|multiprocessing|LOCAL_RANK"
    rb"|WORLD_SIZE|DataParallel|SyncBatchNorm|[\"'](?i:nccl)[\"']"
)
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
"""One of them is in whatever `_WORDS` matches."""
_START = re.compile(rb"init_process_group")
_GUARDS = re.compile(rb"\bif\b.*(rank|gpu|main_process|master)", re.IGNORECASE)
_DEVICE = re.compile(rb"cuda|device|manual_seed")
_MAIN = re.compile(rb"^if .*__main__", re.MULTILINE)
_MODULE_ENDS = (".py", f"{os.sep}__init__.py")
_MAX_FILES = 24


@dataclass(frozen=True)
class Obstacle:
    """What keeps a job as it is, and the line of a file where that stands."""

    file: str
    line: str
    what: str
    """What follows on "line 3"."""

    def told(self, context: Context) -> str:
        """The obstacle for a message about a file."""
        own = context.view.own.file
        return f"line {self.line}{'' if self.file == own else f' of {os.path.basename(self.file)}'} {self.what}"


@dataclass(frozen=True)
class Job:
    """The processes of one program. `obstacle`: why nothing of it is rewritten."""

    entries: tuple[str, ...]
    files: frozenset[str]
    """Those that are rewritten."""
    way: Way
    is_nccl: bool
    obstacle: Obstacle | None
    is_ported: bool = False
    """Whether its group has another backend already."""


def job_of(context: Context) -> Job | None:
    """The job that a file belongs to."""
    program = context.view.program
    if context.view.is_alone:
        if not _START.search(context.module.text.encode("utf-8", "replace")):
            return None
        file = context.view.own.file
        return _job(context, {file: context}, (file,) if started.leads(context) else (), ())
    found: dict[str, Job] = program.once("jobs of several processes", lambda: dict(_jobs(context)))
    return found.get(context.view.own.file)


def own_part(context: Context, job: Job) -> Part:
    """What becomes of one file of a job, in the text of this round."""
    return _read(context, job.way, context.view.own.file in job.entries)


def _read(context: Context, way: Way, is_entry: bool) -> Part:
    part = part_of(context, way)
    gates.open_gates(part)
    guards.open_guards(part)
    if way is Way.SPAWN:
        for call in part.spawns:
            spawned.launch(part, call)
    elif way is Way.LAUNCH and is_entry and not _is_launched(context):
        started.launch(part)
    return part


def _is_launched(context: Context) -> bool:
    launches = process_start.launches(context.target)
    return any(context.resolve(call.func) in launches for call in context.module.calls)


# -- the jobs of a project -----------------------------------------------------------------------------


def _jobs(context: Context) -> Iterator[tuple[str, Job]]:
    program = context.view.program
    speaking = program.saying(_WORDS, *_IN_WORDS)
    starts = {file for file in speaking if _START.search(program.data(file))}
    for members, entries in _together(program, sorted(_entries(program, starts)), speaking):
        job = _checked(context, members, entries)
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


def _checked(context: Context, members: set[str], entries: set[str]) -> Job:
    program = context.view.program
    scripts = tuple(sorted(entries))
    if len(members | entries) > _MAX_FILES:
        many = f"is one of {len(members | entries)} files that have to do with the processes, too many to follow"
        return Job(
            scripts, frozenset(members | entries), Way.TORCHRUN, True, Obstacle(min(members | entries), "1", many)
        )
    contexts: dict[str, Context] = {}
    for file in sorted(members | entries):
        facts = program.facts(file)
        if facts is None or file not in program.writable:
            apart = "belongs to it and is not converted in this run, or cannot be read"
            return Job(scripts, frozenset(members | entries), Way.TORCHRUN, True, Obstacle(file, "1", apart))
        contexts[file] = context.of(facts)
    around = reached(entries, program.graph.imports) - set(contexts)
    others = []
    for file in sorted(around):
        if _GUARDS.search(program.data(file)) or _DEVICE.search(program.data(file)):
            facts = program.facts(file)
            if facts is None:
                continue
            if _GUARDS.search(program.data(file)) and file in program.writable and guards.opens(context.of(facts)):
                contexts[file] = context.of(facts)
            else:
                others.append(context.of(facts))
    leading = tuple(file for file in scripts if started.leads(contexts[file]))
    return _job(context, contexts, leading, tuple(others))


# -- one job -------------------------------------------------------------------------------------------


def _job(context: Context, files: dict[str, Context], entries: tuple[str, ...], others: tuple[Context, ...]) -> Job:
    """`files`: those that say something of processes; `others`: what they import."""
    seen = [part_of(there, Way.TORCHRUN) for there in files.values()]
    is_nccl = any(part.starts for part in seen)
    # torch_xla.launch() is how a TPU's programs are started; torchrun serves those that cannot be taken apart.
    ways = (Way.SPAWN,) if any(part.spawns for part in seen) else (Way.LAUNCH, Way.TORCHRUN)
    if not is_nccl:
        return Job(entries, frozenset(files), ways[0], False, None, any(part.other_starts for part in seen))
    obstacle = None
    for way in ways:
        found = next(_obstacles(files, entries, others, way), None)
        if found is None:
            return Job(entries, frozenset(files), way, True, None)
        there, node, what = found
        line = context.line(node) if context.view.is_alone else str(getattr(node, "lineno", 1))
        obstacle = Obstacle(there.view.own.file, line, what)
    return Job(entries, frozenset(files), ways[-1], True, obstacle)


def _obstacles(
    files: dict[str, Context], entries: tuple[str, ...], others: tuple[Context, ...], way: Way
) -> Iterator[tuple[Context, ast.AST, str]]:
    parts = {file: _read(there, way, file in entries) for file, there in files.items()}
    if not entries:
        file = next(file for file, part in parts.items() if part.starts)
        yield files[file], parts[file].starts[0], "is not seen to be reached by a script"
    chosen = {name for part in parts.values() for name in part.backends}
    for file, there in files.items():
        if not there.target.is_at_least("2.5"):
            yield there, there.module.tree, "needs torch_xla 2.5 to be started under torchrun and without it"
        part = parts[file]
        for node, what in part.obstacles:
            yield there, node, what
        kept = in_python(there.module.text)
        for edit in part.edits:
            place = replaced_by(edit)
            if place is not None and kept.keeps(place.start, CODE):
                line = there.module.position(place.start)[0]
                first = next((n for n in there.module.nodes if getattr(n, "lineno", 0) == line), there.module.tree)
                yield there, first, "asks to be left as it is"
        for call in part.other_starts:
            yield there, call, "joins a group of another backend"
        for call, path in part.takes_backend:
            if path.rpartition(".")[2] not in chosen:
                yield there, call, f"takes the backend from {path}"
        for call in [*part.starts, *part.spawns]:
            under = condition_of(there, call)
            if under is not None and not _may_be_asked(there, under, way):
                yield there, under, "decides whether there are several processes at all"
        for call in there.module.calls if way is not Way.SPAWN else ():
            if _counts_processes(there, call):
                yield there, call, "counts processes by GPUs, of which there are none: ask the group, once it is joined"
        for read in part.reads_ranks if way is Way.LAUNCH else ():
            guard = main_guard(there)
            if there.module.function(read) is None and (guard is None or guard not in there.module.ancestors(read)):
                yield there, read, "asks for the rank before the processes are started"
    for there in (*files.values(), *others):
        guarded = guards.alone(there, there.view.own.file in files)
        if guarded is not None:
            question, where, work = guarded
            yield there, question, f"lets one process alone do work of all ({_at(there, where, work)}), which hangs"
        yield from _on_the_path(there, files)
        is_entry = there.view.own.file in entries
        touched = before_launch.touch(there, is_entry and way is not Way.LAUNCH)
        if touched is not None:
            yield *touched, "uses the device before the processes are started, where none may: put it into a function"


def _counts_processes(context: Context, call: ast.Call) -> bool:
    """``args.nprocs = torch.cuda.device_count()`` where nobody can ask the runtime yet."""
    parent = context.module.parents[call]
    if not counting.is_count(context, call) or not isinstance(parent, ast.Assign):
        return False
    paths = [dotted(target) or "" for target in parent.targets]
    return any(counting.names_processes(path) for path in paths) and process_start.runs_before(context, call)


def _on_the_path(context: Context, files: dict[str, Context]) -> Iterator[tuple[Context, ast.AST, str]]:
    """Imports that only a folder on the path at run time explains, of a file that has to do with processes."""
    if context.view.is_alone:
        return
    program = context.view.program
    for node in context.module.nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        for module in imported_modules(node) if not (isinstance(node, ast.ImportFrom) and node.level) else ():
            if program.graph.packages.locate(context.view.own.file, module) is not None:
                continue
            below = [f"{module}.{a.name}" for a in node.names] if isinstance(node, ast.ImportFrom) else []
            paths = [name.replace(".", os.sep) for name in (module, *below)]
            ends = tuple(f"{os.sep}{path}{end}" for path in paths for end in _MODULE_ENDS)
            for file in program.files:
                if file.endswith(ends) and file not in files and _WORDS.search(program.data(file)):
                    maybe = os.path.basename(file)
                    what = f"imports {module} from a folder that it puts on the path when it runs ({maybe}?)"
                    yield context, node, f"{what}: it cannot be seen what that does between the processes"


def _may_be_asked(context: Context, condition: ast.AST, way: Way) -> bool:
    """Whether a program may decide by itself if there are several processes: by its options, or by torchrun's."""
    if way is Way.LAUNCH or not isinstance(condition, ast.If | ast.IfExp):
        return False
    return way is Way.TORCHRUN or not gates.rests_on_count(context, condition.test)


def _at(here: Context, there: Context, node: ast.AST) -> str:
    line = getattr(node, "lineno", 1)
    return f"line {line}" if there is here else f"line {line} of {os.path.basename(there.view.own.file)}"
