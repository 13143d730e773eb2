"""Host reads that can wait: those that can move behind the barrier without changing a value.

A read can wait where the tensor that it reads stays as it is until then: it was computed for this step (it is
fresh), and nothing in between binds it anew, changes it in place, or uses what the read gives.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable
from dataclasses import dataclass

from xlaport.facts.freshness import Freshness
from xlaport.facts.module import Module, walk_block
from xlaport.facts.names import Names
from xlaport.facts.reads import HostRead, HostReads
from xlaport.facts.roles import TENSORS, Role, Roles

_PURE_CALLS = frozenset(
    f"builtins.{name}" for name in ("len", "float", "int", "bool", "round", "abs", "min", "max", "str")
)
_SIZE_METHODS = ("size", "numel", "dim")
_SAFE_ROLES = (*TENSORS, Role.NUMBER, Role.TEXT)


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


class LateReads:
    """Decides which reads can wait."""

    def __init__(self, module: Module, names: Names, roles: Roles, reads: HostReads) -> None:
        self.module = module
        self.names = names
        self.roles = roles
        self.reads = reads
        self.freshness = Freshness(module, names, roles)

    def late_read(self, block: list[ast.stmt], index: int, barrier: int) -> LateRead | None:
        """How the read of ``block[index]`` could move behind ``block[barrier]``; None where it could not."""
        statement = block[index]
        if isinstance(self.module.parents[statement], ast.Try):
            return None  # after an exception, a read that was put off would be missing
        late = self._form(statement)
        if late is None or not self._can_wait(late, block[index + 1 : barrier + 1]):
            return None
        return late

    # -- the statement ---------------------------------------------------------------------------------

    def _form(self, statement: ast.stmt) -> LateRead | None:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target: ast.expr = statement.targets[0]
        elif isinstance(statement, ast.AugAssign):
            target = statement.target
        else:
            return None
        reads = self.reads.within([statement])
        if not isinstance(target, ast.Name) or not reads or not self._is_pure(statement.value, reads):
            return None
        if not all(self.freshness.is_fresh(read.tensor) for read in reads):
            return None
        if all(isinstance(read.tensor, ast.Name) for read in reads):
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
        reading = {read.node for read in reads}
        tensors = {read.tensor for read in reads}
        todo: list[ast.AST] = [value]
        while todo:
            node = todo.pop()
            if node in tensors:
                continue
            if isinstance(node, ast.Call):
                if not (node in reading or self._is_pure_call(node)) or self._called(node) == "builtins.print":
                    return False
            elif not isinstance(
                node,
                ast.Name | ast.Attribute | ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop
                | ast.expr_context | ast.Subscript | ast.JoinedStr | ast.FormattedValue | ast.Tuple | ast.keyword,
            ):  # fmt: skip
                return False
            todo.extend(ast.iter_child_nodes(node))
        return True

    def _called(self, call: ast.Call) -> str:
        return self.names.resolve(call.func) or ""

    def _is_pure_call(self, call: ast.Call) -> bool:
        is_size = isinstance(call.func, ast.Attribute) and call.func.attr in _SIZE_METHODS
        called = self._called(call)
        return is_size or called in _PURE_CALLS or called.startswith("math.")

    # -- what stands in between ------------------------------------------------------------------------

    def _can_wait(self, late: LateRead, between: list[ast.stmt]) -> bool:
        statement = late.statement
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        assert isinstance(target, ast.Name)
        if self._is_seen_elsewhere(target):
            return False
        stays = set(ast.walk(late.read.tensor)) if late.form is not Form.WHOLE else set()
        read = {node for read in self.reads.within([statement]) for node in ast.walk(read.tensor)}
        used = [n for n in ast.walk(statement) if isinstance(n, ast.Name) and n not in stays]
        moved = {name.id for name in used}
        # What is neither tensor nor number may be changed by whoever gets hold of it.
        mutable = {
            name.id
            for name in used
            if name not in read and isinstance(name.ctx, ast.Load) and self.names.resolve(name) is None
            if not self.roles.is_(name, *_SAFE_ROLES)
        }
        tensors = self._aliases({n.id for n in ast.walk(statement) if isinstance(n, ast.Name)} - mutable, statement)
        nodes = list(walk_block(between))
        if any(self._is_inside(binding, between) for name in used for binding in self._bindings(name)):
            return False
        for node in nodes:
            if isinstance(node, ast.Continue | ast.Break | ast.Return | ast.Raise | ast.Yield | ast.YieldFrom):
                return False
            if isinstance(node, ast.Name):
                if node.id == late.target or (node.id in moved and not isinstance(node.ctx, ast.Load)):
                    return False
                if node.id in mutable and not self._is_plain_attribute(node):
                    return False
            if self._changes_in_place(node, tensors | moved):
                return False
        return True

    def _is_seen_elsewhere(self, target: ast.Name) -> bool:
        """Whether code that runs at another time may look at the target: a function, a lambda, a generator."""
        home = self.names.home(target)
        if home is None:
            return True
        here = self.module.function(target)
        return any(
            self.module.function(use) is not here
            or any(isinstance(parent, ast.Lambda | ast.GeneratorExp) for parent in self.module.ancestors(use))
            for use in self.names.uses(home, target.id)
        )

    def _bindings(self, name: ast.Name) -> Iterable[ast.AST]:
        return [binding.node for binding in self.names.bindings(name)]

    def _is_inside(self, node: ast.AST, statements: list[ast.stmt]) -> bool:
        return any(node is s for s in statements) or any(
            p is s for p in self.module.ancestors(node) for s in statements
        )

    def _is_plain_attribute(self, name: ast.Name) -> bool:
        """``args.batch_size``: looked at, not called or handed on."""
        node: ast.AST = self.module.parents[name]
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            return False
        while isinstance(self.module.parents[node], ast.Attribute):
            node = self.module.parents[node]
        parent = self.module.parents[node]
        return not (isinstance(parent, ast.Call) and parent.func is node)

    def _aliases(self, names: set[str], statement: ast.stmt) -> set[str]:
        """The names, and those that may share memory with them: ``b = a``, ``b = a.view(-1)``."""
        function = self.module.function(statement)
        pairs = [
            (target.id, root)
            for node in self.module.nodes
            if isinstance(node, ast.Assign) and self.module.function(node) is function
            for target in node.targets
            if isinstance(target, ast.Name) and (root := self.freshness.shared_root(node.value)) is not None
        ]
        found = set(names)
        while True:
            more = {n for pair in pairs if not found.isdisjoint(pair) for n in pair} - found
            if not more:
                return found
            found |= more

    def _changes_in_place(self, node: ast.AST, names: set[str]) -> bool:
        """``x.mul_(…)``, ``x[…] = …``, ``x.a = …``, ``relu_(x)`` or ``f(…, out=x)`` for one of the names."""
        if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            return _root(node) in names
        if not isinstance(node, ast.Call):
            return False
        last = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if last.endswith("_") and not last.endswith("__"):
            method = isinstance(node.func, ast.Attribute) and _root(node.func.value) in names
            return method or any(_root(argument) in names for argument in given)
        if any(k.arg == "out" and _root(k.value) in names for k in node.keywords):
            return True
        if any(k.arg == "inplace" for k in node.keywords):
            return any(_root(argument) in names for argument in given)
        return self._callee_changes(node, names)

    def _callee_changes(self, call: ast.Call, names: set[str]) -> bool:
        """Whether a function of this file changes, in place, a parameter for which it gets one of the names."""
        function = self.roles.classes.function_called(call)
        if function is None:
            return False
        parameters = {
            arg.arg
            for arg in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            if (value := self.roles.argument_for(call, function, arg.arg)) is not None and _root(value) in names
        }
        return bool(parameters) and any(
            (isinstance(node, ast.AugAssign) and _root(node.target) in parameters)
            or (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr.endswith("_")
                and _root(node.func.value) in parameters
            )
            or (
                isinstance(node, ast.Subscript | ast.Attribute)
                and not isinstance(node.ctx, ast.Load)
                and _root(node) in parameters
            )
            for node in walk_block(function.body)
        )


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Starred):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None
