"""One walk over a project: which device strings and objects of one file reach something in another file.

The files of a project are converted one at a time, so each has to know what the others hand to it. What is found is
kept by its place on disk: the walk is repeated, for the few values concerned, in the text of each round.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.flow import Flow, Reach, SinkKind, Spot
from xlaport.facts.program import Facts, Program

from . import cuda

OTHER_RULES = (SinkKind.GENERATOR, SinkKind.MAP_LOCATION)
"""What takes no XLA device: XP107 and XP701 speak of it."""

_MAX_IMPORTERS = 60

Key = tuple[str, int]
"""A value on disk: its file, and where it starts."""


@dataclass(frozen=True)
class Survey:
    """For each file, what other files hold that concerns it."""

    together: dict[str, tuple[Key, ...]]
    """The strings that have to change together with something in the file."""
    handed: dict[str, tuple[Key, ...]]
    """The devices that reach what takes no XLA device in the file."""


def survey(context: Context) -> Survey:
    """What is found in the files as they are on disk."""
    return context.view.program.once("device strings of several files", lambda: _Walk(context).survey())


def is_source(context: Context, node: ast.AST) -> bool:
    """A device string that goes somewhere; not one that `torch.device`, or only CUDA, takes right there."""
    if not isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp | ast.Call) or not cuda.is_cuda_string(node):
        return False
    parent = context.module.parents[node]
    if isinstance(parent, ast.JoinedStr | ast.Expr) or not context.editable(node):
        return False
    return not (is_device_object(context, node) or cuda.asks_cuda(context, node))


def is_device_object(context: Context, node: ast.AST) -> bool:
    """Inside ``torch.device(…)``: XP101 speaks of it."""
    parent = context.module.parents[node]
    if isinstance(parent, ast.IfExp) and parent.test is not node:
        parent = context.module.parents[parent]
    return isinstance(parent, ast.Call) and context.resolve(parent.func) == "torch.device"


def is_accelerator(context: Context, node: ast.AST) -> bool:
    """A string or a call that names the accelerator, before the conversion or after it."""
    if isinstance(node, ast.Constant) and node.value == context.target.device_type:
        return True
    if isinstance(node, ast.Call):
        called = context.resolve(node.func)
        if called == "torch.device" or called in context.target.devices:
            return not cuda.is_cpu_device(context, node)
    return cuda.is_cuda_string(node)


def is_reached(context: Context, value: ast.expr, kind: SinkKind) -> bool:
    """Whether an accelerator, from any file, reaches a value of this file that is taken for something of a kind."""
    if isinstance(value, ast.Constant | ast.Lambda | ast.Dict):
        return False
    own = context.view.own
    spots = [Spot(own, node) for node in _devices(context, own)]
    if not context.view.is_alone:
        spots += found(context, survey(context).handed.get(own.file, ()))
    return any(
        sink.kind is kind and sink.value is value
        for spot in spots
        for sink in context.flow.reach(spot.node, spot.facts).sinks
    )


def found(context: Context, keys: tuple[Key, ...]) -> list[Spot]:
    """The values at their places in the files as they are now."""
    spots: list[Spot] = []
    for file in dict.fromkeys(file for file, _ in keys):
        facts = context.view.facts(file)
        here = [Spot(facts, node) for node in _devices(context, facts)] if facts is not None else []
        spots += [spot for spot in here if _key(spot) in keys]
    return spots


def _devices(context: Context, facts: Facts) -> Iterator[ast.expr]:
    there = context.of(facts)
    for node in facts.module.nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp | ast.Call) and is_accelerator(there, node):
            if not isinstance(facts.module.parents[node], ast.JoinedStr | ast.Expr):
                yield node


def _key(spot: Spot) -> Key:
    return spot.facts.file, spot.facts.module.span(spot.node).start


class _Walk:
    """The walk from every device in the files of a run, and in those that share names with them."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.program = context.view.program
        self._together: list[tuple[Key, frozenset[Key]]] = []
        self._handed: dict[str, dict[Key, None]] = {}

    def survey(self) -> Survey:
        """Walk from all of them."""
        kinds = f"cuda|{self.context.target.device_type}"
        text = re.compile(rf"[\"']({kinds})|^\w[^=\n]*=.*device\(".encode(), re.MULTILINE)
        for file in _files(self.program):
            facts = self.program.facts(file) if text.search(self.program.data(file)) else None
            flow = Flow(self.program.as_found())  # one for each file: it keeps the files alive that it has been to
            for node in _devices(self.context, facts) if facts is not None else ():
                assert facts is not None
                # Objects are many: only those that a module makes are followed into other files.
                if not isinstance(node, ast.Call) or facts.module.function(node) is None or cuda.is_cuda_string(node):
                    self._enter(Spot(facts, node), flow.reach(node, facts))
        return Survey(self._grouped(), {file: tuple(sorted(keys)) for file, keys in self._handed.items()})

    def _enter(self, spot: Spot, reach: Reach) -> None:
        for sink in reach.sinks:
            if sink.kind in OTHER_RULES and sink.facts is not spot.facts:
                self._handed.setdefault(sink.facts.file, {})[_key(spot)] = None
        if is_source(self.context.of(spot.facts), spot.node):
            answers = frozenset(_key(answer) for answer in [spot, *reach.comparisons, *reach.lists])
            if len(answers) > 1:
                self._together.append((_key(spot), answers))

    def _grouped(self) -> dict[str, tuple[Key, ...]]:
        found: dict[str, dict[Key, None]] = {}
        for members in _joined(self._together):
            files = {key[0] for source, answers in members for key in [source, *answers]}
            for file in files if len(files) > 1 else ():
                for source, _ in members:
                    if source[0] != file:
                        found.setdefault(file, {})[source] = None
        return {file: tuple(sorted(keys)) for file, keys in found.items()}


def _files(program: Program) -> list[str]:
    """The files of the run, what imports them, and what all of these import."""
    importers = {other for file in program.files for other in program.graph.imported_by.get(file, ())}
    starts = importers.union(program.files) if len(importers) <= _MAX_IMPORTERS else program.files
    return sorted({file for start in starts for file in (start, *program.graph.imports[start])})


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
