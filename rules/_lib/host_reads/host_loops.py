"""Loops over the elements of tensors of the TPU that do nothing but to read: they run on the host, by one copy.

All that such a loop computes of the elements has to end in it, as numbers of the host. Then nobody can tell where it
was computed, and sizes that depend on the data, ``row[row > 0]``, cost nothing there. A tensor whose elements it writes
is copied, too, and the copy goes back behind the loop.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from xlaport.analysis.value import ARRAY, NUMBER, TENSOR, TEXT, Device
from xlaport.context import Context
from xlaport.facts.freshness import Freshness
from xlaport.facts.in_place import sharing
from xlaport.facts.module import FunctionNode, LoopNode, walk_block
from xlaport.facts.roles import TENSORS, Role
from xlaport.rule import Edit, InsertStatement, Replace

from ..parentheses import factor
from .device_values import is_without_gradient
from .showing_functions import is_shown

_STATEMENTS = (
    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.For, ast.While, ast.Pass, ast.Continue, ast.Break,
    ast.Return, ast.Raise, ast.Assert,
)  # fmt: skip
_ENDING = (ast.Return, ast.Raise, ast.Assert)
_APART = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Starred)
_OF_HOST = (Role.NUMBER, Role.TEXT, Role.HOST_TENSOR)
_GIVING_NUMBERS = frozenset(f"builtins.{name}" for name in ("len", "int", "float", "round", "str", "bool", "range"))
_PASSING = frozenset(f"builtins.{name}" for name in ("min", "max", "sum", "abs", "list", "tuple", "sorted", "zip"))
_KEEPING = frozenset({"append", "extend", "add"})
_LEADING_AWAY = frozenset({"backward", "to", "cuda", "xpu", "type", "register_hook", "share_memory_"})
_PLACES = frozenset({"device", "is_cuda", "is_xla", "is_cpu"})
_SIZES = frozenset({"shape", "size", "dim", "numel", "dtype", "ndim"})


@dataclass
class HostLoop:
    """The tensors that are copied, as the program spells them, and the edits."""

    names: tuple[str, ...]
    written: tuple[str, ...]
    """Those whose copies go back."""
    edits: tuple[Edit, ...]


def host_loop(context: Context, inner: LoopNode) -> HostLoop | None:
    """How a loop, or the outermost one around it that can, could run on the host; None where it does more than reading.

    One within a step: what goes through the steps has to run on the TPU.
    """
    found: HostLoop | None = None
    for node in (inner, *context.module.ancestors(inner)):
        if isinstance(node, FunctionNode | ast.Lambda) or (node is not inner and _is_of_steps(context, node)):
            break
        if isinstance(node, ast.For):
            found = _Loop(context, node).on_host() or found
    return found


def _is_of_steps(context: Context, node: ast.AST) -> bool:
    return isinstance(node, LoopNode) and context.step_code.counts_steps(node)


@dataclass
class _Loop:
    context: Context
    loop: ast.For
    indexed: list[ast.expr] = field(default_factory=list)
    """The tensors whose elements are taken, or set, by an index, wherever that stands."""
    written: list[ast.expr] = field(default_factory=list)
    """Those of them whose elements are set."""

    def __post_init__(self) -> None:
        reads = self.context.reads
        found = [*reads.all_in(self.loop.body), *reads.written(self.loop.body)]
        self.reading = {read.node for read in found}

    def on_host(self) -> HostLoop | None:
        through = [leaf for leaf in self._through(self.loop.iter) if self.context.roles.is_(leaf, Role.TENSOR)]
        if any(not self._is_one(leaf) for leaf in through):
            return None
        statements = [node for node in walk_block(self.loop.body) if isinstance(node, ast.stmt)]
        if self.loop.orelse or not all(isinstance(s, _STATEMENTS) and self._is_plain(s) for s in statements):
            return None
        if not all(self._stays(node) for node in walk_block(self.loop.body)) or not all(
            map(self._is_one, self.indexed)
        ):
            return None
        if self.written and not self._may_write([*through, *self.indexed], statements):
            return None
        edits: list[Edit] = [
            Replace(self.context.span(leaf), f"{factor(leaf, self._text(leaf))}.cpu()") for leaf in through
        ]
        copied = self._copied()
        if copied is None or not (through or copied):
            return None
        if copied:
            pairs = ", ".join(copied.values()), ", ".join(f"{text}.cpu()" for text in copied)
            edits.append(InsertStatement(self.context.span(self.loop), " = ".join(pairs), before=True))
            edits += [Replace(self.context.span(node), copied[self._text(node)]) for node in self.indexed]
        written = tuple(dict.fromkeys(map(self._text, self.written)))
        if written:
            back = "\n".join(f"{text}.copy_({copied[text]})" for text in written)
            edits.append(InsertStatement(self.context.span(self.loop), back))
        return HostLoop(tuple(dict.fromkeys([*map(self._text, through), *copied])), written, tuple(edits))

    def _may_write(self, others: list[ast.expr], statements: list[ast.stmt]) -> bool:
        """Whether nobody can tell that elements are written behind the loop: it ends there, and reads them by no other
        name.
        """
        context, facts = self.context, self.context.view.own
        calls = (node for node in walk_block(self.loop.body) if isinstance(node, ast.Call))
        if any(isinstance(statement, _ENDING) for statement in statements):
            return False
        if any(context.flow.structure.runs(facts, call) for call in calls):
            return False
        freshness = Freshness(context.module, context.names, context.roles)
        names = [node for node in self.written if isinstance(node, ast.Name) and freshness.is_fresh(node)]
        if len(names) < len(self.written) or not all(is_without_gradient(context, name) for name in names):
            return False
        own = {name.id for name in names}
        shared = sharing(facts, own, context.module.function(self.loop)) - own
        return all(shared.isdisjoint(n.id for n in ast.walk(other) if isinstance(n, ast.Name)) for other in others)

    def _copied(self) -> dict[str, str] | None:
        """The names of the copies of what is indexed, by its text; None where one is taken."""
        found: dict[str, str] = {}
        for node in self.indexed:
            name = f"host_{node.attr if isinstance(node, ast.Attribute) else self._text(node)}"
            if not self.context.names.is_free(name, self.loop) or not self.context.editable(node):
                return None
            found[self._text(node)] = name
        return found if len(set(found.values())) == len(found) else None

    def _through(self, node: ast.expr) -> Iterator[ast.expr]:
        """What the loop goes through, under ``enumerate()`` and ``zip()``."""
        called = self.context.resolve(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and called in ("builtins.enumerate", "builtins.zip"):
            for given in node.args[: 1 if called == "builtins.enumerate" else None]:
                yield from self._through(given)
        else:
            yield node

    # -- what a statement does -------------------------------------------------------------------------

    def _is_plain(self, statement: ast.stmt) -> bool:
        """Whether what a statement leaves behind are values of the host."""
        if isinstance(statement, ast.Return | ast.Expr):
            is_call = isinstance(statement.value, ast.Call)  # see `_may_call`
            return statement.value is None or is_call or self._is_host(statement.value)
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            return self._is_host(statement.value)
        if not isinstance(statement, ast.Assign | ast.AugAssign):
            return not isinstance(statement, ast.AnnAssign)
        for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
            if isinstance(target, ast.Subscript):
                is_table = self.context.roles.is_(target.value, Role.HOST_TENSOR)
                is_kept = self._is_device(target.value)
                if not (is_kept or is_table or self._is_host(statement.value)):
                    return False
            elif isinstance(target, ast.Name):
                if not self._is_host(statement.value) and not self._ends_here(target):
                    return False
            else:
                return False
        return True

    def _ends_here(self, target: ast.Name) -> bool:
        """Whether only the loop uses what it gives a name."""
        home = self.context.names.home(target)
        if home is None or any(binding.elsewhere for binding in home.bindings[target.id]):
            return False
        return all(self.loop in self.context.module.ancestors(use) for use in self.context.names.uses_of(target))

    def _is_host(self, node: ast.expr) -> bool:
        """Whether a value is one of the host in any case."""
        if node in self.reading or isinstance(node, ast.Constant | ast.JoinedStr):
            return True
        if isinstance(node, ast.Tuple | ast.List):
            return all(map(self._is_host, node.elts))
        if isinstance(node, ast.Dict):
            return all(map(self._is_host, node.values))
        if isinstance(node, ast.BinOp):
            return self._is_host(node.left) and self._is_host(node.right)
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.Not) or self._is_host(node.operand)
        if isinstance(node, ast.IfExp):
            return self._is_host(node.body) and self._is_host(node.orelse)
        if isinstance(node, ast.Call):
            called = self.context.resolve(node.func)
            if called in _GIVING_NUMBERS:
                return True
            if called in _PASSING:
                return all(map(self._is_host, node.args))
            if isinstance(node.func, ast.Attribute) and self._is_host(node.func.value):
                return True
        if (
            isinstance(node, ast.Name)
            and (given := self.context.names.assigned(node)) is not None
            and self._is_of(node)
        ):
            return self._is_host(given)
        return self._is_known_host(node)

    def _is_known_host(self, node: ast.expr) -> bool:
        if self.context.roles.is_(node, *_OF_HOST):
            return True
        value = self.context.flow.structure.value(self.context.view.own, node)
        if value is None or self.context.roles.is_(node, Role.TENSOR):
            return False
        return value.type in (NUMBER, TEXT, ARRAY) or (value.type == TENSOR and value.device is Device.HOST)

    # -- what stands in it -----------------------------------------------------------------------------

    def _stays(self, node: ast.AST) -> bool:
        """Whether a node of the loop means the same where the elements are on the host."""
        if isinstance(node, _APART) or (isinstance(node, ast.Attribute) and node.attr in _PLACES):
            return False
        if isinstance(node, ast.Call):
            return self._may_call(node)
        return not isinstance(node, ast.Name) or self._is_of(node) or self._may_meet(node)

    def _may_meet(self, name: ast.Name) -> bool:
        """Whether something from outside of the loop, ``limit`` or ``self.limit``, may meet what is computed there."""
        if not isinstance(name.ctx, ast.Load):
            return True
        node: ast.expr = name
        parents = self.context.module.parents
        while not self._is_device(node) and isinstance(parent := parents[node], ast.Attribute):
            node = parent
        parent = parents[node]
        if self._is_device(node):
            if isinstance(parent, ast.Subscript) and parent.value is node and not isinstance(parent.ctx, ast.Del):
                self.indexed.append(node)
                self.written += [node] if isinstance(parent.ctx, ast.Store) else []
                return True
            is_length = isinstance(parent, ast.Call) and self.context.resolve(parent.func) == "builtins.len"
            return is_length or (isinstance(parent, ast.Attribute) and parent.attr in _SIZES)
        if self.context.resolve(name) is not None or self._is_known_host(node):
            return True
        if isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load):
            return parent.value is node
        return isinstance(parent, ast.Call) and parent.func is node and isinstance(node, ast.Attribute)

    def _may_call(self, call: ast.Call) -> bool:
        called = self.context.resolve(call.func) or ""
        if any(keyword.arg in (None, "device", "out") for keyword in call.keywords):
            return False
        if call in self.reading or called in _GIVING_NUMBERS | _PASSING | {"builtins.enumerate", "builtins.print"}:
            return True
        if called.startswith(("math.", "numpy.", "random.", "torch.")):
            is_of_values = called.count(".") == 1 or called.startswith("torch.nn.functional.")
            return is_of_values and not called.endswith("_") and called not in ("torch.save", "torch.load")
        statement = self.context.module.parents[call]
        if isinstance(statement, ast.stmt) and is_shown(self.context, statement) is call:
            return True
        func = call.func
        if not isinstance(func, ast.Attribute):
            return False
        if self.context.roles.is_(func.value, *TENSORS) or self._is_host(func.value):
            return func.attr not in _LEADING_AWAY and not func.attr.endswith("_")
        is_kept = func.attr in _KEEPING and isinstance(statement, ast.Expr) and not call.keywords
        return is_kept and all(map(self._is_host, call.args)) and not self.context.loops.run_by(call)

    # -- look-up ---------------------------------------------------------------------------------------

    def _is_device(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name | ast.Attribute) and self.context.roles.is_(node, Role.TENSOR)

    def _is_one(self, node: ast.expr) -> bool:
        return self.context.singles.is_one(self.context.view.own, node) is True

    def _is_of(self, name: ast.Name) -> bool:
        """Whether a pass of the loop gives a name its value."""
        found = self.context.names.reaching(name)
        return bool(found) and all(self.loop in self.context.module.ancestors(binding.node) for binding in found)

    def _text(self, node: ast.expr) -> str:
        return self.context.module.segment(node)
