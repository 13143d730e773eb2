"""Inside a step loop: where the barrier belongs, and which host reads can wait until behind it.

The device runs what has been traced when the graph is cut. So the barrier belongs behind the last device
work of the step and before its first host read; a read that stands earlier can be moved behind the barrier
where nothing in between could tell the difference.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.facts.late_reads import Form, LateRead, LateReads
from xlaport.facts.loops import LoopKind, Loops, StepLoop
from xlaport.facts.module import Module, walk_block
from xlaport.facts.names import Names
from xlaport.facts.reads import HostRead, HostReads
from xlaport.facts.roles import Role, Roles

__all__ = ["Form", "LateRead", "Placement", "Steps"]


@dataclass(frozen=True)
class Placement:
    """Where the graph of a step loop should be cut: behind `anchor`, and before each of `exits`."""

    anchor: ast.stmt
    exits: tuple[ast.stmt, ...]


_EXITS = (ast.Continue, ast.Break, ast.Return)


class Steps:
    """Questions about the bodies of step loops."""

    def __init__(self, module: Module, names: Names, roles: Roles, loops: Loops, reads: HostReads) -> None:
        self.module = module
        self.names = names
        self.roles = roles
        self.loops = loops
        self.reads = reads
        self._late_reads = LateReads(module, names, roles, reads)

    def block(self, loop: StepLoop) -> list[ast.stmt]:
        """The statements among which the barrier belongs: the body, or that of a ``with`` around all of it."""
        block = loop.node.body
        while True:
            working = [s for s in block if self._works(s) or self.reads.within([s])]
            if len(working) == 1 and isinstance(working[0], ast.With | ast.AsyncWith | ast.Try):
                inner = working[0].body
                if self.reads.within(inner) and self._is_essential(inner, loop):
                    block = inner
                    continue
            return block

    def placement(self, loop: StepLoop) -> Placement | None:
        """Where to cut; None where the body does no device work of its own."""
        block = self.block(loop)
        last = self._last_essential(block, loop)
        if last is None:
            return None
        anchor = last
        for index in range(last + 1, len(block)):
            statement = block[index]
            if self.reads.within([statement]):
                late = self.late_read(block, index, len(block) - 1)
                if late is None:
                    break
                if late.form is not Form.WHOLE:
                    anchor = index
            elif self._may_read(statement):
                break
            elif self._works(statement):
                anchor = index
        work = self._working_leaves(block[: anchor + 1])
        exits = [
            node
            for statement in block[: anchor + 1]
            for node in self._exits(statement)
            if any(self._can_follow(leaf, node) for leaf in work)
        ]
        return Placement(block[anchor], tuple(exits))

    def barrier_index(self, block: list[ast.stmt], loop: StepLoop) -> int | None:
        """The position of the barrier that the block has at its own level."""
        for index, statement in enumerate(block):
            if isinstance(statement, ast.Expr) and any(c is statement.value for c in loop.barriers):
                return index
        return None

    def early_reads(self, loop: StepLoop) -> list[tuple[ast.stmt, list[HostRead]]]:
        """The statements of a loop's own block that read the device before its barrier."""
        block = self.block(loop)
        barrier = self.barrier_index(block, loop)
        if barrier is None:
            return []
        found = [(statement, self.reads.within([statement])) for statement in block[:barrier]]
        work = [self._works(statement) for statement in block[:barrier]]
        # A read before any device work of this step finds its value ready: the previous barrier ran it.
        return [(s, reads) for i, (s, reads) in enumerate(found) if reads and any(work[: i + 1])]

    def late_read(self, block: list[ast.stmt], index: int, barrier: int) -> LateRead | None:
        """How the read of ``block[index]`` could move behind ``block[barrier]``; None where it could not."""
        return self._late_reads.late_read(block, index, barrier)

    # -- device work -----------------------------------------------------------------------------------

    def _last_essential(self, block: list[ast.stmt], loop: StepLoop) -> int | None:
        found = [i for i, s in enumerate(block) if self._is_essential([s], loop)]
        return found[-1] if found else None

    def _is_essential(self, statements: list[ast.stmt], loop: StepLoop) -> bool:
        """Whether the statements do what the step is for, on every pass (or step, under accumulation)."""
        effects = self.loops.effects(statements)
        if effects.steps is not None or effects.backward is not None:
            return True
        conditional = len(statements) == 1 and isinstance(statements[0], ast.If)
        if conditional:
            return False
        if any(self._is_zero_grad(node) for node in walk_block(statements)):
            return True
        if effects.model is not None:
            return True
        return loop.kind is LoopKind.TRAIN and any(node is loop.evidence for node in walk_block(statements))

    def _is_zero_grad(self, node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("zero_grad", "update")
            and self.roles.is_(node.func.value, Role.OPTIMIZER, Role.MODEL, Role.SCALER)
        )

    def _works(self, statement: ast.stmt) -> bool:
        """Whether a statement adds to the graph of the step."""
        effects = self.loops.effects([statement])
        if effects.steps is not None or effects.backward is not None or effects.model is not None:
            return True
        return any(
            self._is_zero_grad(node)
            or (isinstance(node, ast.Call | ast.BinOp) and self.roles.role(node) is Role.TENSOR)
            or (isinstance(node, ast.AugAssign) and self.roles.role(node.value) is Role.TENSOR)
            for node in walk_block([statement])
        )

    def _may_read(self, statement: ast.stmt) -> bool:
        """A call of code that we cannot see, for its effect, with a tensor in hand: a logger, ``save_image``."""
        for node in walk_block([statement]):
            if not isinstance(node, ast.Call) or self.roles.role(node) is not None:
                continue
            if isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "extend", "backward"):
                continue
            if self.names.function_called(node) is not None:
                continue
            arguments = [*node.args, *(k.value for k in node.keywords)]
            if any(self.roles.role(a) is Role.TENSOR for a in arguments):
                return True
        return False

    def _working_leaves(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The innermost statements that add to the graph."""
        found: list[ast.stmt] = []
        for statement in statements:
            if not self._works(statement):
                continue
            inner = [s for s in walk_block([statement]) if isinstance(s, ast.stmt) and s is not statement]
            leaves = self._working_leaves(
                [s for s in inner if self.module.statement(self.module.parents[s]) is statement]
            )
            found += leaves or [statement]
        return found

    def _can_follow(self, first: ast.stmt, second: ast.stmt) -> bool:
        """Whether, in one pass, `second` may run after `first`, which is not in the other branch of an ``if``."""
        if first is second or first.lineno > second.lineno:
            return False
        branch: ast.AST = second
        for parent in self.module.ancestors(second):
            if isinstance(parent, ast.If):
                inside = [s for s in (parent.body, parent.orelse) if any(branch is b for b in s)]
                other = parent.orelse if inside and inside[0] is parent.body else parent.body
                if any(node is first for node in walk_block(other)):
                    return False
            branch = parent
        return True

    def _exits(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements in it that leave this pass of the loop early."""
        found: list[ast.stmt] = []
        todo: list[ast.AST] = [statement]
        while todo:
            node = todo.pop()
            if isinstance(node, _EXITS):
                found.append(node)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
                continue
            if isinstance(node, ast.For | ast.AsyncFor | ast.While):
                # `continue` and `break` in there belong to the inner loop.
                found += [n for n in walk_block(node.body) if isinstance(n, ast.Return)]
                continue
            todo.extend(reversed(list(ast.iter_child_nodes(node))))
        return found
