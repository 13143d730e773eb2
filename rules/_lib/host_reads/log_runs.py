"""Statements of a step loop that stand together and only show what the device has: what one closure can do."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.late_guards import ENDING
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import FunctionNode, LoopNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.roles import TENSORS, Role
from xlaport.facts.running import all_run

from ..one_line import has_long_string
from ..step_closures import hands_closure
from .closures import Handed, handed, tensors_of
from .copying import shows_objects
from .journals import closure_of
from .journals_here import kept_statements
from .late_looks import is_late_look
from .outputs import may_be_ended, shown, shows_its_own_way
from .showing_functions import is_shown

_NEVER = (
    ast.Continue, ast.Break, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Delete,
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.AsyncFor, ast.While, ast.Try,
)  # fmt: skip
"""What does not stand between two statements of a run."""


@dataclass(frozen=True)
class LogRun:
    """Statements of one block, the last of which shows; those before it show, too, or give names to what they show."""

    block: list[ast.stmt]
    statements: tuple[ast.stmt, ...]
    handed: Handed
    is_kept: bool = False
    """Whether they are calls of a journal: functions that keep what they get, and show it now and then."""

    @property
    def last(self) -> ast.stmt:
        """The statement in whose place the closure is made."""
        return self.statements[-1]


def log_runs(
    context: Context, around: LoopNode | FunctionNode, assumed: frozenset[ast.expr] = frozenset()
) -> list[LogRun]:
    """All of a loop or a function, in source order; those of loops in it are theirs.

    `assumed` are uses of what would be read there, if it were left on the device until then.
    """
    return list(_Finder(context, around, assumed).in_block(around.body))


def would_be_handed_over(context: Context, loop: StepLoop, use: ast.expr) -> bool:
    """Whether a closure would read something where it is used, if that were left on the device until then."""
    if "XP305" not in context.codes:
        return False
    statement = context.module.statement(use)
    return any(statement in run.statements for run in log_runs(context, loop.node, frozenset([use])))


def journal_runs(context: Context) -> list[LogRun]:
    """The statements of a file that are calls of journals, those that stand together as one."""
    groups: list[list[ast.stmt]] = []
    for statement in sorted(kept_statements(context), key=lambda s: s.lineno):
        block = context.module.block(statement)
        at = block.index(statement)
        if groups and at and groups[-1][-1] is block[at - 1] and closure_of(context, *groups[-1], statement):
            groups[-1].append(statement)
        else:
            groups.append([statement])
    closures = ((group, closure_of(context, *group)) for group in groups)
    return [
        LogRun(context.module.block(g[0]), tuple(g), given, is_kept=True) for g, given in closures if given is not None
    ]


class _Finder:
    """Finds the runs of a loop or a function."""

    def __init__(self, context: Context, around: LoopNode | FunctionNode, assumed: frozenset[ast.expr]) -> None:
        self.context = context
        self.around = around
        self.assumed = assumed
        self.kept = kept_statements(context)

    def in_block(self, block: list[ast.stmt]) -> Iterator[LogRun]:
        """The runs of a block, and of the branches in it."""
        index = 0
        while index < len(block):
            statement = block[index]
            if isinstance(statement, ast.If):
                yield from self.in_block(statement.body)
                yield from self.in_block(statement.orelse)
            elif isinstance(statement, ast.With):
                yield from self.in_block(statement.body)
            elif self._shows(statement) or self._is_naming(statement, frozenset()):
                found = self._longest(block, index)
                if found is not None:
                    yield found
                    index = block.index(found.last)
            index += 1

    def _shows(self, statement: ast.stmt) -> bool:
        """Whether a statement shows, and is not a call of a journal, which goes with the other calls of that."""
        return statement not in self.kept and is_shown(self.context, statement) is not None

    def _longest(self, block: list[ast.stmt], index: int) -> LogRun | None:
        """The longest run that begins with a statement and needs the device."""
        members: list[ast.stmt] = []
        best: LogRun | None = None
        for statement in block[index:]:
            shows = self._shows(statement)
            if shows or self._is_naming(statement, _bound(members)):
                members.append(statement)
                if not shows or not self._needs_device(members):
                    continue
                found = self._run(block, members)
                if found is None and (best is not None or len(members) == 1):
                    break
                best = found or best
            elif self._is_in_the_way(statement, members):
                break
        return best

    def _needs_device(self, statements: Sequence[ast.stmt]) -> bool:
        reads = tensors_of(self.context, statements).values()
        # What another file returns may have been a number: its looks stay as they are, converted once or twice.
        if any(read is None or not is_late_look(self.context, read) for read in reads):
            return True
        if shows_objects(self.context, statements):
            return True
        return not self.assumed.isdisjoint(walk_block(statements))

    def _is_naming(self, statement: ast.stmt, names: frozenset[str]) -> bool:
        """``value = loss.item()``, and what is made of that: ``text += f"{value:.3f}"``."""
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            if not isinstance(statement.targets[0], ast.Name):
                return False
            inside = set(ast.walk(statement.value))
            used = {n.id for n in inside if isinstance(n, ast.Name)}
            reads = self.context.reads.within([statement]) or not self.assumed.isdisjoint(inside)
            return bool(reads) or not names.isdisjoint(used)
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            return statement.target.id in names
        return False

    def _is_in_the_way(self, statement: ast.stmt, members: Sequence[ast.stmt]) -> bool:
        """Whether what stands between two statements of a run would notice that the first one runs later."""
        context = self.context
        own = _bound(members)
        mentioned = {n.id for s in members for n in ast.walk(s) if isinstance(n, ast.Name)}
        for node in walk_block([statement]):
            if isinstance(node, ast.Name):
                if node.id in own or (node.id in mentioned and not isinstance(node.ctx, ast.Load)):
                    return True
            if isinstance(node, ast.stmt) and is_shown(context, node) is not None:
                return True
            if isinstance(node, _NEVER):
                return True
            if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
                return True  # what is shown may be kept there
            if isinstance(node, ast.Call) and not mentioned.isdisjoint(self._objects(node)):
                return True
        if context.reads.within([statement]) or context.loops.effects([statement]).barriers:
            return True
        if _shows_meanwhile(context, statement):
            return True
        return context.steps.between.is_changed_in(mentioned, members[-1], [statement])

    def _objects(self, call: ast.Call) -> set[str]:
        """The names of what a call may change: neither tensors nor plain values."""
        kept = (*TENSORS, Role.NUMBER, Role.TEXT)
        names = (n for n in ast.walk(call) if isinstance(n, ast.Name) and self.context.resolve(n) is None)
        return {n.id for n in names if not self.context.roles.is_(n, *kept)}

    def _run(self, block: list[ast.stmt], members: Sequence[ast.stmt]) -> LogRun | None:
        """The run of some statements; None where a closure could not do them."""
        context = self.context
        for statement in members:
            call = is_shown(context, statement)
            if (call is not None and may_be_ended(context, call)) or has_long_string(context, statement):
                return None
            if shows_its_own_way(context, statement):
                return None
        if not all(_is_theirs(context, statement, members) for statement in members):
            return None
        ends = any(_ends_here(context, s) for s in block[block.index(members[-1]) + 1 :])
        if ends and block is not self.around.body:
            return None
        found = handed(context, members, self.around, self.assumed)
        return LogRun(block, tuple(members), found) if found is not None else None


def _bound(members: Sequence[ast.stmt]) -> frozenset[str]:
    """The names that statements give to what they read."""
    targets = [s.targets[0] for s in members if isinstance(s, ast.Assign)]
    return frozenset(target.id for target in targets if isinstance(target, ast.Name))


def _shows_meanwhile(context: Context, statement: ast.stmt) -> bool:
    """Whether the functions that a statement calls show something, too, now or in a closure: lines keep their order."""
    for facts, node in all_run(context.flow.structure, context.view.own, [statement]):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            own = context.of(facts)
            if shown(own, node) is not None or hands_closure(own, node.value):
                return True
    return False


def _ends_here(context: Context, statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(statement, ast.Raise) or (isinstance(call, ast.Call) and context.resolve(call.func) in ENDING)


def _is_theirs(context: Context, statement: ast.stmt, members: Sequence[ast.stmt]) -> bool:
    """Whether only these statements use what a statement binds."""
    if not isinstance(statement, ast.Assign | ast.AugAssign):
        return True
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    home = context.names.home(target) if isinstance(target, ast.Name) else None
    if home is None or not isinstance(target, ast.Name):
        return False
    inside = {node for s in members for node in ast.walk(s)}
    mine = [b for b in home.bindings[target.id] if b.node in inside]
    if any(b.elsewhere for b in home.bindings[target.id]) or any(b.how not in (How.ASSIGN, How.AUGMENT) for b in mine):
        return False
    nodes = {b.node for b in mine}
    if home.parent is None and context.flow.structure.is_everywhere(context.view.own, target.id):
        return False
    augmented = [b.node for b in home.bindings[target.id] if b.how is How.AUGMENT and isinstance(b.node, ast.Name)]
    for use in (*context.names.uses(home, target.id), *augmented):
        reached = {b.node for b in context.names.reaching(use)}
        is_theirs = reached <= nodes if use in inside else False
        if not is_theirs and (not reached.isdisjoint(nodes) or (use in inside and use in augmented)):
            return False
    return True
