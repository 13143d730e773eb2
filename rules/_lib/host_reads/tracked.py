"""Variables that a step loop fills from host reads: where they begin, who uses them, and where they could be read."""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import reaching
from xlaport.facts.frequency import is_last_otherwise, is_passed_over
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import LoopNode, Module, walk_block
from xlaport.facts.names import Binding, How, Scope

from .fillings import Filling
from .log_runs import would_be_handed_over
from .refused import Refused

_LOOKING = frozenset({"locals", "vars", "dir", "globals"})
"""Builtins that look at all variables if they are called without an argument."""
_RUNNING = frozenset({"eval", "exec"})


class Use(enum.Enum):
    """What a use of a variable does with what it holds."""

    FREE = enum.auto()
    """Nothing that would read it."""
    SHOWN = enum.auto()
    """It shows the number, and would read it by itself."""
    READ = enum.auto()
    """It needs the number."""


@dataclass(frozen=True)
class Reading:
    """Where a variable is read: behind loops, by a statement of its own, and at some of its uses."""

    behind: tuple[LoopNode, ...]
    uses: tuple[ast.Name, ...]


class Variable:
    """A variable of a function, or of a file's top level. Raises `Refused` where it may be seen from elsewhere."""

    def __init__(self, context: Context, home: Scope, name: str) -> None:
        self.context = context
        self.module = context.module
        self.home = home
        self.name = name
        self.bindings: Sequence[Binding] = home.bindings[name]
        node = home.node
        if not isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef):
            raise Refused("it is no variable of a function")
        self.body = node.body
        self._check()

    def _check(self) -> None:
        if any(binding.elsewhere for binding in self.bindings):
            raise Refused("another function may change it")
        for call in (node for node in walk_block(self.body) if isinstance(node, ast.Call)):
            called = (self.context.resolve(call.func) or "").removeprefix("builtins.")
            if called in _RUNNING or (called in _LOOKING and not call.args):
                raise Refused("may look at it without its name", call)
        own, structure = self.context.view.own, self.context.flow.structure
        if self.home.parent is None and (
            structure.is_everywhere(own, self.name) or structure.references(own, self.name)
        ):
            raise Refused("another file uses it")

    def reached(self, behind: Mapping[ast.stmt, ast.AST]) -> dict[ast.Name, set[ast.AST]]:
        """For each use, the places that may have given it its value, if further ones stood behind some statements."""
        if len(self.bindings) == 1 and self.bindings[0].how in (How.ASSIGN, How.UNPACK) and not behind:
            # What is bound once is the same wherever it is used, in other functions, too.
            return {use: {self.bindings[0].node} for use in self.all_uses()}
        places = {b.node: self.name for b in self.bindings} | dict.fromkeys(behind.values(), self.name)
        entry = [b.node for b in self.bindings if b.how is How.PARAMETER]
        return reaching.definitions(self.body, places, entry, behind)

    def starts(self, fillings: Sequence[Filling], own: set[ast.AST]) -> list[Binding]:
        """The places from which a value may reach the statements that add to it; `own` are those themselves."""
        reached = self.reached({})
        found: set[ast.AST] = set()
        for filling in fillings:
            found |= _found(reached, filling.before)
        starts = [binding for binding in self.bindings if binding.node in found and binding.node not in own]
        if found - own != {start.node for start in starts}:
            raise Refused("it is not clear where it begins")
        return starts

    def together(self, fillings: Sequence[Filling]) -> list[list[Filling]]:
        """The fillings in groups that have a value in common: a name may be used for one thing, then for another."""
        reached = self.reached({})
        groups: list[tuple[set[ast.AST], list[Filling]]] = []
        for filling in fillings:
            places = _found(reached, filling.before) | {
                n for n in ast.walk(filling.statement) if isinstance(n, ast.Name)
            }
            mine = [filling]
            for group in [group for group in groups if not places.isdisjoint(group[0])]:
                groups.remove(group)
                places |= group[0]
                mine = [*group[1], *mine]
            groups.append((places, mine))
        return [group for _, group in groups]

    # -- where it is read ------------------------------------------------------------------------------

    def reading(
        self,
        fillings: Sequence[Filling],
        device: set[ast.AST],
        check_use: Callable[[ast.Name], Use],
        only_uses: bool = False,
    ) -> Reading:
        """Where to read it, if what the `device` places give is on the device; `only_uses`: behind no loop.

        `check_use` says what a use does, and raises `Refused` where it cannot be read.
        """
        refused: list[Refused] = []
        plain: tuple[ast.Name, ...] | None = None
        try:
            plain = self._uses(fillings, device, (), check_use)
        except Refused as error:
            refused.append(error)
        for behind in self._levels(fillings) if not only_uses else ():
            try:
                uses = self._uses(fillings, device, behind, check_use)
            except Refused as error:
                refused.append(error)
                continue
            # One use more or less is no reason for a statement of its own.
            if plain is None or len(plain) - len(uses) > 1:
                return Reading(behind, uses)
        if plain is None:
            # The first speaks of it as it is; the second, of what it would be if it were read behind its loop.
            raise refused[min(1, len(refused) - 1)]
        return Reading((), plain)

    def _levels(self, fillings: Sequence[Filling]) -> Iterator[tuple[LoopNode, ...]]:
        """The step loops, then the loops around them, and so on outwards."""
        chains = [self._loops_around(node) for node in dict.fromkeys(filling.loop.node for filling in fillings)]
        for level in range(max(len(chain) for chain in chains)):
            yield tuple(dict.fromkeys(chain[min(level, len(chain) - 1)] for chain in chains))

    def _loops_around(self, node: LoopNode) -> list[LoopNode]:
        found = [node]
        for parent in self.module.ancestors(node):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                break
            if isinstance(parent, ast.For | ast.AsyncFor | ast.While):
                found.append(parent)
        return found

    def _uses(
        self,
        fillings: Sequence[Filling],
        device: set[ast.AST],
        behind: tuple[LoopNode, ...],
        check_use: Callable[[ast.Name], Use],
    ) -> tuple[ast.Name, ...]:
        """The uses that get it from the device and have to be read, if it is also read behind some loops."""
        reached = self.reached({loop: ast.Pass() for loop in behind})
        for filling in fillings:
            if not _found(reached, filling.before) <= device:
                raise Refused("goes on adding to it after it is read", filling.statement)
        mine = {filling.before for filling in fillings}
        found: list[ast.Name] = []
        for use in self.all_uses():
            places = _found(reached, use)
            if use in mine or places.isdisjoint(device):
                continue
            if not places <= device:
                raise Refused("may use it before and after it is read", use)
            kind = check_use(use)
            if kind is Use.FREE:
                continue
            self.check_frequency(fillings, use)
            if kind is Use.SHOWN:
                continue
            if not self.context.editable(use):
                raise Refused("uses it in an f-string that cannot be edited", use)
            found.append(use)
        return tuple(found)

    def all_uses(self) -> list[ast.Name]:
        """The uses of the variable, in source order, with those that change it."""
        loads = self.context.names.uses(self.home, self.name)
        changed = [b.node for b in self.bindings if b.how is How.AUGMENT and isinstance(b.node, ast.Name)]
        return sorted([*loads, *changed], key=lambda use: (use.lineno, use.col_offset))

    def check_frequency(self, fillings: Sequence[Filling], use: ast.expr) -> None:
        """Raises `Refused` where a use would read the device on every pass of a step loop."""
        check_frequency(self.context, [filling.loop for filling in fillings], use, self.home.node)


def check_frequency(
    context: Context,
    loops: Sequence[StepLoop],
    use: ast.expr,
    home: ast.AST | None,
    seen: frozenset[ast.AST] = frozenset(),
) -> None:
    """Raises `Refused` where a use of what the loops give would read the device on every pass of a step loop.

    `home` is the function in which the use may stand, or the file; another one runs where it is called.
    """
    module = context.module
    around = set(module.ancestors(use))
    for loop in context.loops.all():
        is_outer = any(loop.node in module.ancestors(other.node) for other in loops)
        steps = context.steps.passes.guards(loop)
        if loop.node in around and not is_outer and not _is_rare(module, loop.node, use, steps):
            if would_be_handed_over(context, loop, use):
                continue
            raise Refused("needs it in every pass", use)
    function = module.function(use)
    if function is None or function is home or function in seen:
        return
    # A function in the function: it runs where it is called.
    for name in context.names.uses(context.names.scope(function), function.name):
        call = module.parents[name]
        if not isinstance(call, ast.Call) or call.func is not name:
            raise Refused("uses it at a time that is not known", use)
        check_frequency(context, loops, call, home, seen | {function})


def _is_rare(module: Module, loop: LoopNode, use: ast.AST, steps: Sequence[ast.AST]) -> bool:
    """Whether a use in a loop runs now and then: under a condition that the passes tell apart.

    The condition of one of the `steps` does not: it is true once in a step that sums several batches.
    """
    bound = {n.id for n in ast.walk(loop) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    child: ast.AST = use
    for parent in module.ancestors(use):
        if parent is loop:
            return child not in loop.body
        if is_passed_over(parent, child):
            return True  # ``step % 100 == 0 and not math.isfinite(value)``
        if isinstance(parent, ast.If) and child is not parent.test and not isinstance(parent.test, ast.BinOp):
            inside = list(ast.walk(parent.test))
            counts = any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod) for n in inside)
            if counts or any(isinstance(n, ast.Name) and n.id in bound for n in inside):
                if not is_last_otherwise(parent, child) and parent not in steps:
                    return True
        if isinstance(parent, ast.ExceptHandler):
            return True
        child = parent
    return False


def _found(reached: Mapping[ast.Name, set[ast.AST]], use: ast.Name) -> set[ast.AST]:
    if use not in reached or not reached[use]:
        raise Refused("uses it at a time that is not known", use)
    return reached[use]


def check_cut(context: Context, node: ast.AST, loop: StepLoop) -> None:
    """Raises `Refused` where passes without a barrier would keep what a node of a step loop gives, and their graphs."""
    if loop.node in context.module.ancestors(node):
        condition = context.steps.condition_of_cut(node, loop)
        if condition is not None:
            raise Refused("has the barrier under it, so that other passes would add to one graph", condition)
