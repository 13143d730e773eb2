"""Whether all of a program can compute in bfloat16 where it computes in float16: layers of both raise together.

The files of a project are converted one at a time, so each of them has to come to the same answer: the other files
are looked at as they are on disk.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.facts.module import imported_modules, last_name
from xlaport.facts.program import Facts, Program
from xlaport.facts.used_code import ACCELERATOR
from xlaport.suppressions.comments import in_python

from .. import host_only
from ..elsewhere import line_of
from .arrays import array_within
from .half import autocast_left, may_stay_half
from .half_places import HalfPlace, from_bytes, half_places, is_compared, is_saving, left_choices, names_bfloat16
from .saying import say

CODE = "XP505"
"""That of the rule which rewrites the group."""
_SPEAKS_OF_HALF = re.compile(rb"float16|\bhalf\b|HalfTensor|autocast|loss_scale")
_PLACING = re.compile(r"cuda|xla|\.to\(\s*(\w+\.)*device\b")
_ACCELERATOR = re.compile(ACCELERATOR.encode(), re.IGNORECASE)
_RUNTIMES = frozenset("onnxruntime tensorrt openvino coremltools tritonclient tflite_runtime".split())
"""Packages that run networks by themselves, which are as they were exported, and take no bfloat16."""


@dataclass(frozen=True)
class HalfGroup:
    """The files of a program that ask for float16."""

    produces: bool
    """Whether something becomes float16, and is not only asked whether it is."""
    obstacle: str | None
    """What has to be done first, where one of its places cannot be rewritten."""
    beside: str | None
    """Where the program names bfloat16 itself, as another choice; it matters where there is no obstacle."""


def half_group(context: Context) -> HalfGroup:
    """The program that a file belongs to."""
    return context.view.own.once("float16 of the program", lambda: _group(context))


def may_lack_scaling(context: Context) -> bool:
    """Whether a program may compute in float16 after a conversion without --unsafe, and need its loss scaled."""
    if may_stay_half(context):
        return True
    if not any(_part_of(context, facts).asks for facts in _members(context)):
        return False
    return any(_leaves_autocast(context, facts) for facts in _members(context))


def _leaves_autocast(context: Context, facts: Facts) -> bool:
    return facts.once("autocasts that are left", lambda: autocast_left(context.of(facts)))


def computes_on_device(context: Context) -> bool:
    """Whether a file may be part of what runs on an accelerator, and is no script that converts files on the host."""
    if host_only.is_test(context) or host_only.stays_on_host(context) or _only_converts(context):
        return False
    if host_only.speaks_of_device(context):
        return True
    program, own = context.view.program, context.view.own.file
    if context.view.is_alone:
        return False
    # A script that nobody imports runs what it imports; a file that others import runs with all of theirs.
    graph = program.graph
    around = graph.connected([own]) if context.view.importers else reached([own], graph.imports)
    return any(_ACCELERATOR.search(program.data(file)) for file in around)


def _only_converts(context: Context) -> bool:
    """Whether a script makes a file of another one on the host: it saves, runs no steps and names no accelerator."""
    if context.view.importers or _PLACING.search(context.module.text):
        return False
    return any(is_saving(context, call) for call in context.module.calls) and not context.loops.all()


def _group(context: Context) -> HalfGroup:
    produces = False
    obstacle: str | None = None
    beside: str | None = None
    for facts in _members(context):
        part = _part_of(context, facts)
        if part.beside is not None and beside is None:
            beside = line_of(context, facts, part.beside)
        produces = produces or part.produces
        obstacle = obstacle or _obstacle(context, facts, part)
        if produces and obstacle is not None:  # nothing is rewritten, whatever the others have
            break
    return HalfGroup(produces, obstacle, beside)


@dataclass(frozen=True)
class _Part:
    """What one file has to do with float16."""

    nodes: tuple[ast.expr, ...] = ()
    """Its places."""
    produces: bool = False
    read: ast.expr | None = None
    """What reads float16 out of bytes."""
    runtime: ast.stmt | None = None
    """The import of another runtime, which takes tensors of the dtype that its network was exported in."""
    choice: ast.expr | None = None
    """The float16 of a choice between both, which is left to the user."""
    beside: ast.expr | None = None
    """A place that names bfloat16."""
    array: tuple[Facts, ast.expr] | None = None
    """What NumPy gets in the methods of a model that is cast."""
    scale: ast.stmt | None = None
    """Where a scale of the loss grows that the program keeps itself."""

    @property
    def asks(self) -> bool:
        """Whether something may become float16."""
        return self.produces or self.choice is not None


def _part_of(context: Context, facts: Facts) -> _Part:
    """The part of a file, which is found once for all groups that it is asked for."""
    return facts.once("float16 of the file", lambda: _part(context.of(facts)))


def _part(there: Context) -> _Part:
    scale = next(filter(_grows, there.module.of_type(ast.AugAssign)), None)
    if not computes_on_device(there):
        return _Part(scale=scale)
    found = list(half_places(there))
    produces = any(not is_compared(there, place) for place in found)
    nodes = tuple(place.node for place in found)
    choice = next(left_choices(there), None)
    read, runtime, beside = from_bytes(there), _runtime(there), names_bfloat16(there)
    return _Part(nodes, produces, read, runtime, choice, beside, _array(there, found), scale)


def _array(there: Context, places: Sequence[HalfPlace]) -> tuple[Facts, ast.expr] | None:
    """What NumPy gets as it is in the methods of a model that one of the places casts."""
    casts = (place.cast for place in places if place.cast is not None)
    return next((found for cast in casts if (found := array_within(there, cast)) is not None), None)


def _grows(statement: ast.AugAssign) -> bool:
    """``self.loss_scale *= 2`` and ``self.lg_loss_scale += 0.001``."""
    return "loss_scale" in (last_name(statement.target) or "") and isinstance(statement.op, ast.Add | ast.Mult)


def _runtime(there: Context) -> ast.stmt | None:
    imports = there.module.of_type(ast.Import, ast.ImportFrom)
    return next((n for n in imports if any(m.split(".")[0] in _RUNTIMES for m in imported_modules(n))), None)


def _members(context: Context) -> Iterator[Facts]:
    own, program = context.view.own, context.view.program
    yield own
    if context.view.is_alone:
        return
    speaking = program.once("speak of float16", lambda: _speaking(program))
    for file in sorted(program.graph.connected([own.file]).intersection(speaking) - {own.file}):
        facts = context.view.facts(file)
        if facts is not None:
            yield facts


def _speaking(program: Program) -> frozenset[str]:
    """The files of the run, and those around that share names with it, that speak of float16 or compute in it."""
    files = program.graph.imports.keys() - program.apart
    return frozenset(file for file in files if _SPEAKS_OF_HALF.search(program.data(file)))


def _obstacle(context: Context, facts: Facts, part: _Part) -> str | None:
    """What has to be done first in a file."""
    program = context.view.program
    for node in part.nodes:
        where = line_of(context, facts, node)
        if not context.view.is_alone and facts.file not in program.writable:
            return say.phrase("elsewhere", where=where)
        if in_python(facts.module.text).keeps(facts.module.span(node).start, CODE):
            return say.phrase("kept", where=where)
    if part.choice is not None:
        return say.phrase("choice", where=line_of(context, facts, part.choice))
    if part.read is not None:
        return say.phrase("bytes", where=line_of(context, facts, part.read))
    if part.runtime is not None and part.produces:
        return say.phrase("runtime", where=line_of(context, facts, part.runtime))
    if part.array is not None:
        return say.phrase("array", where=line_of(context, *part.array))
    return say.phrase("scale", where=line_of(context, facts, part.scale)) if part.scale is not None else None
