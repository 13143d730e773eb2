"""Reads whose value is used now and then only: under conditions that are true in some steps and not in others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.frequency import is_on_every_pass
from xlaport.facts.late_reads import Form, LateRead
from xlaport.facts.loops import StepLoop
from xlaport.facts.module import LoopNode, walk_block
from xlaport.facts.names import How

from .device_values import is_without_gradient
from .refused import Refused
from .tracked import Variable


@dataclass(frozen=True)
class SeldomUsed:
    """A statement that reads in every step for the sake of a few branches."""

    late: LateRead
    branches: tuple[list[ast.stmt], ...]
    """The branches, at the begin of which it could read as well."""
    keeps_graph: bool
    """Whether what is read may hold on to the graph of its gradient."""


def used_now_and_then(context: Context, statement: ast.stmt) -> bool:
    """Whether a statement reads for a few branches only."""
    return any(found.late.statement is statement for found in seldom_used(context))


def seldom_used(context: Context) -> list[SeldomUsed]:
    """All such statements of the step loops of a file."""
    return context.view.own.once("seldom_used", lambda: [f for loop in context.loops.all() for f in _in(context, loop)])


def _in(context: Context, loop: StepLoop) -> Iterator[SeldomUsed]:
    for statement in walk_block(loop.node.body):
        if not isinstance(statement, ast.Assign) or not is_on_every_pass(context.module, loop.node, statement):
            continue
        target = statement.targets[0]
        if len(statement.targets) == 1 and isinstance(target, ast.Name) and context.editable(statement):
            reads = context.reads.within([statement])
            if reads and all(read.proven for read in reads):
                found = _of(context, loop.node, statement, target)
                if found is not None:
                    yield found


def _of(context: Context, loop: LoopNode, statement: ast.Assign, target: ast.Name) -> SeldomUsed | None:
    block = context.module.block(statement)
    branches = _branches(context, loop, block, statement, target)
    if not branches:
        return None
    users = [_inside(context, branch[0], block) for branch in branches]
    index, last = block.index(statement), max(block.index(user) for user in users if user is not None)
    between = [s for s in block[index + 1 : last] if s not in users]
    # The condition runs before the read, too.
    between += [ast.Expr(user.test) for user in block[last : last + 1] if isinstance(user, ast.If)]
    late = context.steps.late_reads.put_off(
        statement, between, [s for s in users if s is not None and s is not block[last]]
    )
    if not isinstance(late, LateRead):
        return None
    if late.form is Form.WHOLE:
        return SeldomUsed(late, tuple(branches), keeps_graph=False)
    if len(branches) > 1 or late.read.how not in (".item()", "float()", "int()", "bool()", ".tolist()"):
        return None
    return SeldomUsed(late, tuple(branches), not is_without_gradient(context, late.read.tensor))


def _branches(
    context: Context, loop: LoopNode, block: list[ast.stmt], statement: ast.Assign, target: ast.Name
) -> list[list[ast.stmt]]:
    """The branches that hold all uses of what a statement binds; none where it is used elsewhere, too."""
    home = context.names.home(target)
    if home is None:
        return []
    try:
        variable = Variable(context, home, target.id)
    except Refused:
        return []
    if any(binding.how not in (How.ASSIGN, How.UNPACK, How.FOR) for binding in variable.bindings):
        return []
    found: list[list[ast.stmt]] = []
    for use in context.names.uses(home, target.id):
        reaching = context.names.reaching(use)
        if all(binding.node is not target for binding in reaching):
            continue
        branch = _branch(context, loop, block, statement, use)
        if branch is None or len(reaching) > 1:
            return []
        if branch not in found:
            found.append(branch)
    return found


def _branch(
    context: Context, loop: LoopNode, block: list[ast.stmt], statement: ast.Assign, use: ast.Name
) -> list[ast.stmt] | None:
    """The branch of an ``if`` behind a statement that holds a use, where it does not run on every pass."""
    inside = _inside(context, use, block)
    if not isinstance(inside, ast.If) or block.index(inside) <= block.index(statement):
        return None
    for branch in (inside.body, inside.orelse):
        if any(node is use for node in walk_block(branch)):
            seldom = not is_on_every_pass(context.module, loop, branch[0])
            return branch if seldom and context.editable(branch[0]) else None
    return None


def _inside(context: Context, node: ast.AST, block: list[ast.stmt]) -> ast.stmt | None:
    """The statement of a block that a node stands in."""
    place = context.module.place_in(block, node)
    return block[place] if place is not None else None
