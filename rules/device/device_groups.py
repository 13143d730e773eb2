"""Device strings that belong together: those that are compared with the same strings, in one file or in several.

Either all of them become the XLA device, with the strings that they are compared with, or none does. The files of
a project are converted one at a time, so every one of them has to come to the same answer.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.flow import Flow, Reach, Sink, SinkKind, Spot
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role

from . import cuda

OTHER_RULES = (SinkKind.GENERATOR, SinkKind.MAP_LOCATION)
"""What takes no XLA device: XP107 and XP701 speak of it."""

_PATHS = frozenset({"os.path.join", "pathlib.Path", "builtins.open"})
_QUOTED = re.compile(rb"[\"']cuda")

Key = tuple[str, int]
"""A string on disk: its file, and where it starts."""


@dataclass
class Group:
    """Strings that reach the same comparisons, and everything that they reach."""

    sources: list[Spot] = field(default_factory=list)
    reaches: list[Reach] = field(default_factory=list)

    @property
    def answers(self) -> list[Spot]:
        """The strings that they are compared with, and the choices of their options."""
        return list(dict.fromkeys(spot for reach in self.reaches for spot in [*reach.comparisons, *reach.lists]))

    @property
    def movers(self) -> list[tuple[Spot, Reach]]:
        """The strings that go somewhere themselves, with what they reach; not those that are only compared with."""
        answers = set(self.answers)
        pairs = zip(self.sources, self.reaches, strict=True)
        return [(spot, reach) for spot, reach in pairs if reach.sinks or spot not in answers]

    @property
    def files(self) -> set[str]:
        """The files that would have to change together."""
        return {spot.facts.file for spot in [*self.sources, *self.answers]}

    def sinks(self, context: Context) -> list[Sink]:
        """What takes them for a device."""
        return [
            sink
            for reach in self.reaches
            for sink in reach.sinks
            if sink.kind not in OTHER_RULES and not is_a_stranger_s(context, sink)
        ]

    def key(self, context: Context) -> Spot | None:
        """A use that looks something up by one of the strings themselves."""
        return next((use for reach in self.reaches for use in reach.unknown if is_key(context, use)), None)

    def obstacle(self, context: Context) -> str | None:
        """Why none of them can be rewritten, where several files are concerned."""
        if any(reach.everywhere for reach in self.reaches):
            return "more files use it than xlaport follows it into"
        if len(self.files) < 2:
            return None
        program = context.view.program
        for spot in [*self.sources, *self.answers]:
            if spot.facts.file not in program.writable and cuda.is_cuda_string(spot.node):
                return (
                    f"{where(context, spot)} belongs to it, which is not converted in this run: convert both together"
                )
        for spot in self.answers:
            if cuda.is_cuda_string(spot.node) and not context.of(spot.facts).editable(spot.node):
                return f"{where(context, spot)} compares it with a string that cannot be rewritten"
        key = self.key(context)
        return f"{where(context, key)} looks something up by this string" if key is not None else None


def is_source(context: Context, node: ast.AST) -> bool:
    """A device string that goes somewhere; not one that `torch.device`, or only CUDA, takes right there."""
    if not isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp | ast.Call) or not cuda.is_cuda_string(node):
        return False
    parent = context.module.parents[node]
    if isinstance(parent, ast.JoinedStr | ast.Expr) or not context.editable(node):
        return False
    return not (_is_device_object(context, node) or cuda.asks_cuda(context, node))


def groups(context: Context) -> list[Group]:
    """The groups that have a string or a comparison in this file."""
    own = context.view.own
    flow = context.flow
    strings = [n for n in context.module.nodes if isinstance(n, ast.expr) and cuda.is_cuda_string(n)]
    moving = [node for node in strings if not _is_device_object(context, node) and flow.sink(node) is None]
    spots = [Spot(own, node) for node in moving if is_source(context, node)]
    if moving and not context.view.is_alone:
        spots += [spot for key in _abroad(context).get(own.file, ()) if (spot := _spot(context, key)) is not None]
    return _grouped(spots, flow)


def where(context: Context, spot: Spot) -> str:
    """The line of an expression for a message: of this file, or of another one."""
    if spot.facts is context.view.own:
        return f"line {context.line(spot.node)}"
    name = os.path.relpath(spot.facts.file, os.path.dirname(context.view.own.file)).replace(os.sep, "/")
    return f"line {getattr(spot.node, 'lineno', 1)} of {name}"


def is_a_stranger_s(context: Context, sink: Sink) -> bool:
    """``x.to(…)`` of something that is no tensor, module or the like."""
    func = sink.call.func
    there = context.of(sink.facts)
    return (
        isinstance(func, ast.Attribute)
        and there.resolve(func) is None
        and there.roles.role(func.value) in (Role.OTHER, Role.NUMBER, Role.TEXT, Role.DATASET)
    )


def _abroad(context: Context) -> dict[str, tuple[Key, ...]]:
    """For each file, the strings in other files that belong to a group which has something in it."""
    return context.view.program.once("device strings of several files", lambda: _find_abroad(context))


def _find_abroad(context: Context) -> dict[str, tuple[Key, ...]]:
    program = context.view.program
    found: dict[str, dict[Key, None]] = {}
    together: list[tuple[Key, frozenset[Key]]] = []
    # Not in what imports the files of a run: where such a file is converted itself, it sees them.
    for file in sorted({file for own in program.files for file in (own, *program.imports[own])}):
        facts = program.facts(file) if _QUOTED.search(program.data(file)) else None
        flow = Flow(program.as_found())  # one for each file: it keeps the files alive that it has been to
        for spot in _sources(context, facts) if facts is not None else ():
            reach = flow.reach(spot.node, facts)
            answers = frozenset(_key(answer) for answer in [spot, *reach.comparisons, *reach.lists])
            if len(answers) > 1:
                together.append((_key(spot), answers))
    for members in _joined(together):
        files = {key[0] for source, answers in members for key in [source, *answers]}
        for file in files if len(files) > 1 else ():
            for source, _ in members:
                if source[0] != file:
                    found.setdefault(file, {})[source] = None
    return {file: tuple(sorted(keys)) for file, keys in found.items()}


def _sources(context: Context, facts: Facts) -> Iterator[Spot]:
    there = context.of(facts)
    for node in facts.module.nodes:
        if isinstance(node, ast.expr) and is_source(there, node):
            yield Spot(facts, node)


def _spot(context: Context, key: Key) -> Spot | None:
    facts = context.view.facts(key[0])
    found = _sources(context, facts) if facts is not None else ()
    return next((spot for spot in found if _key(spot) == key), None)


def _key(spot: Spot) -> Key:
    return spot.facts.file, spot.facts.module.span(spot.node).start


def _grouped(spots: Iterable[Spot], flow: Flow) -> list[Group]:
    by_answer: dict[ast.expr, Group] = {}
    found: dict[int, Group] = {}
    for spot in dict.fromkeys(spots):
        reach = flow.reach(spot.node, spot.facts)
        group = Group([spot], [reach])
        for answer in [spot, *reach.comparisons, *reach.lists]:
            other = by_answer.get(answer.node)
            if other is not None and other is not group:
                found.pop(id(other), None)
                group.sources = other.sources + group.sources
                group.reaches = other.reaches + group.reaches
                for node, owner in by_answer.items():
                    if owner is other:
                        by_answer[node] = group
            by_answer[answer.node] = group
        found[id(group)] = group
    return list(found.values())


def _joined(pairs: list[tuple[Key, frozenset[Key]]]) -> list[list[tuple[Key, frozenset[Key]]]]:
    """The pairs in groups: those that share an answer, directly or through others."""
    found: list[tuple[set[Key], list[tuple[Key, frozenset[Key]]]]] = []
    for pair in pairs:
        answers, members = set(pair[1]), [pair]
        apart = []
        for group in found:
            if answers.isdisjoint(group[0]):
                apart.append(group)
            else:
                answers |= group[0]
                members = group[1] + members
        found = [*apart, (answers, members)]
    return [members for _, members in found]


def is_key(context: Context, use: Spot) -> bool:
    """Whether a use looks something up by the string itself: ``NAMES[device]``, ``os.path.join(out, device)``."""
    parent = use.facts.module.parents[use.node]
    if isinstance(parent, ast.Subscript):
        return parent.slice is use.node
    if not isinstance(parent, ast.Call) or not parent.args:
        return False
    if isinstance(parent.func, ast.Attribute) and parent.func.attr in ("get", "pop", "setdefault"):
        return parent.args[0] is use.node
    return use.facts.names.resolve(parent.func) in _PATHS


def _is_device_object(context: Context, node: ast.AST) -> bool:
    """Inside ``torch.device(…)``: XP101 speaks of it."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.IfExp) and parent.test is not node:
        parent = context.module.parents[parent]
    return isinstance(parent, ast.Call) and context.resolve(parent.func) == "torch.device"
