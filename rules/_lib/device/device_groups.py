"""Device strings that belong together: those that are compared with the same strings, in one file or in several.

Either all of them become the XLA device, with the strings that they are compared with, or none does. The files of
a project are converted one at a time, so every one of them has to come to the same answer (`survey`).
"""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass, field

from xlaport.context import Context
from xlaport.facts.flow import SPLITTING, Reach, Sink, Spot
from xlaport.facts.roles import Role
from xlaport.suppressions.comments import in_python
from xlaport.wording import Text

from . import cuda
from .saying import say
from .survey import is_source, takes_no_device

_RULE = "XP103"
"""The rule that rewrites the groups."""

_PATHS = frozenset({"os.path.join", "pathlib.Path", "builtins.open"})


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
        """The strings that go somewhere themselves, with what they reach; not those that are only compared with.

        Those that one of the others is compared with, or chosen from, come last.
        """
        answers, lists = set(self.answers), {spot for reach in self.reaches for spot in reach.lists}
        pairs = zip(self.sources, self.reaches, strict=True)
        moving = [(spot, reach) for spot, reach in pairs if reach.sinks or spot not in answers]
        return sorted(moving, key=lambda pair: (pair[0] in answers, pair[0] in lists))

    @property
    def files(self) -> set[str]:
        """The files that would have to change together."""
        return {spot.facts.file for spot in [*self.sources, *self.answers]}

    def sinks(self, context: Context) -> list[Sink]:
        """What takes them for a device."""
        return [sink for reach in self.reaches for sink in taking(context, reach)]

    def need(self, context: Context) -> str | None:
        """The line that one of the strings has to stay for."""
        return next((said for reach in self.reaches if (said := _need(context, reach)) is not None), None)

    def obstacle(self, context: Context) -> Text | None:
        """Why none of them can be rewritten, where several files are concerned."""
        for spot in [*self.sources, *self.answers]:
            module = spot.facts.module
            if cuda.is_cuda_string(spot.node) and in_python(module.text).keeps(module.span(spot.node).start, _RULE):
                return say("XP103.kept", where=where(context, spot))
        if len(self.files) < 2:
            return None
        program = context.view.program
        for spot in [*self.sources, *self.answers]:
            if spot.facts.file not in program.writable and cuda.is_cuda_string(spot.node):
                return say("XP103.unconverted", where=where(context, spot))
        for spot in self.answers:
            if cuda.is_cuda_string(spot.node) and not context.of(spot.facts).editable(spot.node):
                return say("XP103.kept", where=where(context, spot))
        return None


def groups(context: Context) -> list[Group]:
    """The groups that have a string or a comparison in this file."""
    own, flow, found, done = context.view.own, context.flow, list[Group](), set[Spot]()
    for node in context.module.of_type(ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call):
        if isinstance(node, ast.expr) and _moves(context, node) and Spot(own, node) not in done:
            near = flow.together(Spot(own, node))
            sources = [s for s in near if _moves(context.of(s.facts), s.node)]
            found.append(Group(sources, [flow.reach(spot.node, spot.facts) for spot in sources]))
            done.update(sources)
    return found


def _moves(context: Context, node: ast.expr) -> bool:
    """Whether a string goes somewhere from where it stands, and is taken by nothing there."""
    return is_source(context, node) and context.flow.sink(node) is None


def is_renamed(context: Context, answer: ast.expr) -> bool:
    """Whether a string that a device's name is compared with becomes that of the XLA device, together with the name."""
    spot = Spot(context.view.own, answer)
    together = next((group for group in groups(context) if spot in group.answers), None)
    if together is None or _RULE not in context.codes or not context.editable(answer) or not together.sinks(context):
        return False
    return together.obstacle(context) is None and together.need(context) is None


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


def taking(context: Context, reach: Reach) -> list[Sink]:
    """What takes a string for a device, and could take the XLA device."""
    return [s for s in reach.sinks if not takes_no_device(context, s) and not is_a_stranger_s(context, s)]


def _need(context: Context, reach: Reach) -> str | None:
    """The line that a string has to stay for: ``NAMES[device]``, ``int(device.split(":")[1])``."""
    return next((where(context, use) for use in reach.unknown if _is_key(use) or _is_number(use)), None)


def _is_key(use: Spot) -> bool:
    """``NAMES[device]``, ``os.path.join(out, device)``."""
    parent = use.facts.module.parents[use.node]
    if isinstance(parent, ast.Subscript):
        return parent.slice is use.node
    if not isinstance(parent, ast.Call) or not parent.args:
        return False
    if isinstance(parent.func, ast.Attribute) and parent.func.attr in ("get", "pop", "setdefault"):
        # With an answer for what is not there, the table is told of (XP111), and the program goes on.
        return parent.args[0] is use.node and len(parent.args) + len(parent.keywords) == 1
    return use.facts.names.resolve(parent.func) in _PATHS


def _is_number(use: Spot) -> bool:
    """``device.split(":")[1]``, or what has to have several parts: ``kind, *index = …`` may have one."""
    parts = use.node
    holder = use.facts.module.parents[parts]
    targets = holder.targets if isinstance(holder, ast.Assign) else []
    if any(isinstance(n, ast.Starred) for target in targets for n in ast.iter_child_nodes(target)):
        return False
    return isinstance(parts, ast.Call) and isinstance(parts.func, ast.Attribute) and parts.func.attr in SPLITTING
