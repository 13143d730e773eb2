"""What keeps a job of several processes as it is: what is not understood in a file, or would go wrong when it runs."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import imported_modules
from xlaport.facts.roles import dotted
from xlaport.rule import replaced_by
from xlaport.suppressions.comments import in_python
from xlaport.wording import Text

from .. import process_start
from ..device import counting
from ..main_guard import main_guard
from . import before_launch, gates, guards, spawned, started, turns
from .part import Part, condition_of, line
from .reading import part_of
from .saying import say
from .ways import Way

CODE = "XP603"
"""That of the rule which ports a job."""
WORDS = re.compile(
    rb"init_process_group|DistributedDataParallel|DistributedSampler|torch\.distributed|multiprocessing|LOCAL_RANK"
    rb"|WORLD_SIZE|DataParallel|SyncBatchNorm|[\"'](?i:nccl)[\"']"
)
"""What a file says that has to do with processes."""
_MODULE_ENDS = (".py", f"{os.sep}__init__.py")


@dataclass(frozen=True)
class Obstacle:
    """What keeps a job as it is, and the line of a file where that stands."""

    file: str
    line: str
    what: Text
    """What follows on "line 3", and what to do about it."""

    def where(self, context: Context) -> str:
        """Its place, for a message about a file."""
        own = context.view.own.file
        return f"line {self.line}{'' if self.file == own else f' of {os.path.basename(self.file)}'}"


_Found = tuple[Context, ast.AST, Text]


class Reader:
    """The files of scripts that share some of them: `files`, which are rewritten, and the `others` that they import."""

    def __init__(self, files: dict[str, Context], others: dict[str, Context], leading: frozenset[str]) -> None:
        """`leading`: the scripts that come to a start of the group when they are run."""
        self.files = files
        self._others = others
        self._leading = leading
        self._parts: dict[tuple[str, Way], Part] = {}
        self._first: dict[tuple[str, Way], tuple[_Found | None, _Found | None]] = {}

    def part(self, file: str, way: Way) -> Part:
        """What becomes of a file, as it is on disk."""
        if (file, way) not in self._parts:
            self._parts[file, way] = read(self.files[file], way, file in self._leading)
        return self._parts[file, way]

    def obstacle(self, reached: frozenset[str], way: Way) -> Obstacle | None:
        """What keeps a script as it is that reaches some of the files."""
        found = next(
            self._obstacles(sorted(reached & self.files.keys()), sorted(reached & self._others.keys()), way), None
        )
        if found is None:
            return None
        there, node, what = found
        return Obstacle(there.view.own.file, line(there, node), what)

    def _obstacles(self, files: list[str], others: list[str], way: Way) -> Iterator[_Found]:
        chosen = {name for file in files for name in self.part(file, way).backends}
        for file in files:
            if (found := self._of(file, way)[0]) is not None:
                yield found
            for call, path in self.part(file, way).takes_backend:
                if path.rpartition(".")[2] not in chosen:
                    yield self.files[file], call, say("XP603.backend", source=path)
        for file in (*files, *others):
            if (found := self._of(file, way)[1]) is not None:
                yield found
            yield from _on_the_path(self.files.get(file) or self._others[file], files)

    def _of(self, file: str, way: Way) -> tuple[_Found | None, _Found | None]:
        """The first obstacle that is written in a file, and the first one that what it runs would meet."""
        if (file, way) not in self._first:
            there = self.files.get(file) or self._others[file]
            written = next(_written(there, self.part(file, way), way), None) if file in self.files else None
            leads = file in self._leading and not way.is_launch
            self._first[file, way] = (written, next(_met(there, file in self.files, leads, way), None))
        return self._first[file, way]


def read(context: Context, way: Way, is_entry: bool) -> Part:
    """What becomes of one file of a job."""
    part = part_of(context, way)
    gates.open_gates(part)
    if not way.arguments:
        guards.open_guards(part)
    if way.is_spawn:
        for call in part.spawns:
            spawned.launch(part, call)
    elif way.is_launch and is_entry and not _is_launched(context):
        started.launch(part)
    return part


def _is_launched(context: Context) -> bool:
    launches = process_start.launches(context.target)
    return any(context.resolve(call.func) in launches for call in context.module.calls)


def _written(there: Context, part: Part, way: Way) -> Iterator[_Found]:
    if not there.target.is_at_least("2.5"):
        yield there, there.module.tree, say("XP603.version")
    for node, what in part.obstacles:
        yield there, node, what
    kept = in_python(there.module.text)
    for edit in part.edits:
        place = replaced_by(edit)
        if place is not None and kept.keeps(place.start, CODE):
            row = there.module.position(place.start)[0]
            first = next((n for n in there.module.nodes if getattr(n, "lineno", 0) == row), there.module.tree)
            yield there, first, say("XP603.suppressed")
    for call in part.other_starts:
        yield there, call, say("XP603.other_backend")
    for call in [*part.starts, *part.spawns]:
        under = condition_of(there, call)
        if under is not None and not _may_be_asked(there, under, way):
            yield there, under, say("XP603.condition")
    for call in there.module.calls if not way.is_spawn else ():
        if _counts_processes(there, call):
            yield there, call, say("XP603.gpu_count")
    for reads in part.reads_ranks if way.is_launch else ():
        guard = main_guard(there)
        if there.module.function(reads) is None and (guard is None or guard not in there.module.ancestors(reads)):
            yield there, reads, say("XP603.early_rank")


def _met(there: Context, is_rewritten: bool, with_guard: bool, way: Way) -> Iterator[_Found]:
    if not way.arguments:  # (one process waits for no other)
        yield from _met_by_several(there, is_rewritten)
    touched = before_launch.touch(there, with_guard)
    if touched is not None:
        yield *touched, say("XP603.early_device")


def _met_by_several(there: Context, is_rewritten: bool) -> Iterator[_Found]:
    guarded = guards.alone(there, is_rewritten)
    if guarded is not None:
        question, where, work = guarded
        at = line(where, work) if where is there else f"{line(where, work)} of {os.path.basename(where.view.own.file)}"
        waits = turns.is_meeting(where, work)
        yield there, question, say("XP603.waits", at=at) if waits else say("XP603.alone", at=at)
    if is_rewritten and (changed := guards.unlike(there)) is not None:
        question, change = changed
        yield there, question, say("XP603.unlike", at=line(there, change))


def _counts_processes(context: Context, call: ast.Call) -> bool:
    """``args.nprocs = torch.cuda.device_count()`` where nobody can ask the runtime yet."""
    parent = context.module.parents[call]
    if not counting.is_count(context, call) or not isinstance(parent, ast.Assign):
        return False
    paths = [dotted(target) or "" for target in parent.targets]
    return any(counting.names_processes(path) for path in paths) and process_start.runs_before(context, call)


def _on_the_path(context: Context, files: list[str]) -> Iterator[_Found]:
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
                if file.endswith(ends) and file not in files and WORDS.search(program.data(file)):
                    maybe = os.path.basename(file)
                    yield context, node, say("XP603.path", module=module, file=maybe)


def _may_be_asked(context: Context, condition: ast.AST, way: Way) -> bool:
    """Whether a program may decide by itself if there are several processes: by its options, or by torchrun's."""
    if way.is_launch or not isinstance(condition, ast.If | ast.IfExp):
        return False
    return way is Way.TORCHRUN or not gates.rests_on_count(context, condition.test)
