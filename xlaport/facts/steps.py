"""Inside a step loop: where the barrier belongs, and which host reads can wait until behind it.

The device runs what has been traced when the graph is cut. So the barrier belongs behind the last device
work of the step and before its first host read; a read that stands earlier can be moved behind the barrier
where nothing in between could tell the difference.
"""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.loops import LoopKind, Loops, StepLoop
from xlaport.facts.module import Module, walk_block
from xlaport.facts.names import How, Names
from xlaport.facts.reads import HostRead, HostReads
from xlaport.facts.roles import TENSORS, Role, Roles


@dataclass(frozen=True)
class Placement:
    """Where the graph of a step loop should be cut: behind `anchor`, and before each of `exits`."""

    anchor: ast.stmt
    exits: tuple[ast.stmt, ...]


class Form(enum.Enum):
    """How a statement that reads can be put off."""

    WHOLE = enum.auto()
    """``total += loss.item()``: the statement moves as it is."""
    SAME_NAME = enum.auto()
    """``d = out.mean().item()``: ``d = out.mean()`` stays, ``d = d.item()`` follows the barrier."""
    NEW_NAME = enum.auto()
    """``total += f(x).item()``: the device part gets a name of its own and stays."""


@dataclass(frozen=True)
class LateRead:
    """A statement whose host read can move behind the barrier without changing a value."""

    statement: ast.Assign | ast.AugAssign
    form: Form
    read: HostRead
    target: str


_EXITS = (ast.Continue, ast.Break, ast.Return)


class Steps:
    """Questions about the bodies of step loops."""

    def __init__(self, module: Module, names: Names, roles: Roles, loops: Loops, reads: HostReads) -> None:
        self.module = module
        self.names = names
        self.roles = roles
        self.loops = loops
        self.reads = reads

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
        first = next(i for i, s in enumerate(block) if self._works(s))
        exits = [
            node
            for statement in block[first : anchor + 1]
            for node in self._exits(statement)
            if statement is not block[first]
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

    # -- putting a read off ----------------------------------------------------------------------------

    def late_read(self, block: list[ast.stmt], index: int, barrier: int) -> LateRead | None:
        """How the read of ``block[index]`` could move behind ``block[barrier]``; None where it could not."""
        statement = block[index]
        found = self._form(statement)
        if found is None:
            return None
        between = block[index + 1 : barrier + 1]
        if not self._can_wait(found, between):
            return None
        return found

    def _form(self, statement: ast.stmt) -> LateRead | None:
        if isinstance(statement, ast.Assign):
            if len(statement.targets) != 1:
                return None
            target: ast.expr = statement.targets[0]
        elif isinstance(statement, ast.AugAssign):
            target = statement.target
        else:
            return None
        if not isinstance(target, ast.Name):
            return None
        reads = self.reads.within([statement])
        if not reads or not self._is_pure(statement.value, reads):
            return None
        if all(isinstance(read.tensor, ast.Name) for read in reads):
            if not all(self._is_fresh(read.tensor) for read in reads):
                return None
            return LateRead(statement, Form.WHOLE, reads[0], target.id)
        if len(reads) != 1:
            return None
        read = reads[0]
        if isinstance(statement, ast.Assign) and read.node is statement.value:
            own = any(isinstance(n, ast.Name) and n.id == target.id for n in ast.walk(read.tensor))
            return None if own else LateRead(statement, Form.SAME_NAME, read, target.id)
        return LateRead(statement, Form.NEW_NAME, read, target.id)

    def _is_pure(self, value: ast.expr, reads: list[HostRead]) -> bool:
        """Whether all that the value does besides its reads is arithmetic on plain names and sizes."""
        read_nodes = {read.node for read in reads}
        todo: list[ast.AST] = [value]
        while todo:
            node = todo.pop()
            if node in read_nodes:
                continue
            if isinstance(node, ast.Call):
                called = self.names.resolve(node.func)
                is_size = isinstance(node.func, ast.Attribute) and node.func.attr in ("size", "numel", "dim")
                if called not in ("builtins.len", "builtins.float", "builtins.int", "builtins.round") and not is_size:
                    return False
            elif not isinstance(
                node,
                ast.Name | ast.Attribute | ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop
                | ast.expr_context | ast.Subscript,
            ):  # fmt: skip
                return False
            todo.extend(ast.iter_child_nodes(node))
        return True

    def _is_fresh(self, tensor: ast.expr) -> bool:
        """Whether a name's tensor was computed for it, so that no later step can change it in place."""
        if not isinstance(tensor, ast.Name):
            return False
        found = self.names.bindings(tensor)
        return bool(found) and all(
            binding.how in (How.ASSIGN, How.UNPACK, How.AUGMENT)
            and binding.value is not None
            and self._makes_a_value(binding.value)
            for binding in found
        )

    def _makes_a_value(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Constant | ast.BinOp | ast.UnaryOp | ast.Compare):
            return True
        if isinstance(value, ast.Call):
            if isinstance(value.func, ast.Attribute) and self.roles.role(value.func.value) in TENSORS:
                if value.func.attr in torch_api.VIEW_METHODS or value.func.attr.endswith("_"):
                    base = value.func.value
                    return (not isinstance(base, ast.Name) and self._makes_a_value(base)) or self._is_fresh(base)
                return True
            return True
        if isinstance(value, ast.Subscript | ast.Attribute):
            return self._is_fresh(value.value) or self._makes_a_value(value.value)
        return isinstance(value, ast.Name) and self._is_fresh(value)

    def _can_wait(self, late: LateRead, between: list[ast.stmt]) -> bool:
        statement = late.statement
        stays = set(ast.walk(late.read.tensor)) if late.form is not Form.WHOLE else set()
        # Names that the moved part reads, and the target, must mean the same behind the barrier.
        moved = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and n not in stays}
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        assert isinstance(target, ast.Name)
        home = self.names.home(target)
        here = self.module.function(statement)
        if home is None or any(self.module.function(u) is not here for u in self.names.uses(home, late.target)):
            return False
        for node in walk_block(between):
            if isinstance(node, ast.Continue | ast.Break | ast.Return | ast.Raise | ast.Yield | ast.YieldFrom):
                return False
            if isinstance(node, ast.Name):
                if node.id == late.target:
                    return False
                if node.id in moved and not isinstance(node.ctx, ast.Load):
                    return False
            if self._changes_in_place(node, moved):
                return False
        return True

    def _changes_in_place(self, node: ast.AST, names: set[str]) -> bool:
        """``x.mul_(…)``, ``x[…] = …``, ``x.a = …`` for one of the names."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            attr = node.func.attr
            if attr.endswith("_") and not attr.endswith("__"):
                return _root(node.func.value) in names
        if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            return _root(node) in names
        return False

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


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None
