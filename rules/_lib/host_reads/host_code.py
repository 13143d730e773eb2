"""Code of which all that it computes ends in it, as numbers of the host: nobody can tell where it was computed."""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set

from xlaport.analysis.value import ARRAY, NUMBER, TENSOR, TEXT, Device
from xlaport.context import Context
from xlaport.facts.module import walk_block
from xlaport.facts.names import How
from xlaport.facts.roles import TENSORS, Role

from .showing_functions import is_shown

_STATEMENTS = (
    ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.If, ast.For, ast.While, ast.Pass, ast.Continue, ast.Break,
    ast.Return, ast.Raise, ast.Assert,
)  # fmt: skip
_APART = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Starred)
_OF_HOST = (Role.NUMBER, Role.TEXT, Role.HOST_TENSOR)
_GIVING_NUMBERS = frozenset(f"builtins.{name}" for name in ("len", "int", "float", "round", "str", "bool", "range"))
_PASSING = frozenset(f"builtins.{name}" for name in ("min", "max", "sum", "abs", "list", "tuple", "sorted", "zip"))
_KEEPING = frozenset({"append", "extend", "add"})
_LEADING_AWAY = frozenset({"backward", "to", "cuda", "xpu", "type", "register_hook", "share_memory_"})
_PLACES = frozenset({"device", "is_cuda", "is_xla", "is_cpu"})
_SIZES = frozenset({"shape", "size", "dim", "numel", "dtype", "ndim"})


class HostCode:
    """Statements that may run on the host. `carried`: the tensors that are there by then, by their names; `whole`: it
    may compute with whole tensors, too, and not with their elements alone.
    """

    def __init__(
        self, context: Context, body: Sequence[ast.stmt], carried: Set[str] = frozenset(), *, whole: bool = False
    ) -> None:
        self.context = context
        self.body = list(body)
        self.carried = carried
        self.whole = whole
        self.indexed: list[ast.expr] = []
        """The tensors whose elements are taken, or set, by an index, wherever that stands, or that it computes with."""
        self.written: list[ast.expr] = []
        """Those of them whose elements are set."""
        found = [*context.reads.all_in(self.body), *context.reads.written(self.body)]
        self.reading = {read.node for read in found}
        self._asked: set[ast.Name] = set()

    @property
    def statements(self) -> list[ast.stmt]:
        """All of them, also those within others."""
        return [node for node in walk_block(self.body) if isinstance(node, ast.stmt)]

    def runs_on_host(self) -> bool:
        """Whether all of it may; `indexed` and `written` are told by then."""
        if not all(isinstance(s, _STATEMENTS) and self._is_plain(s) for s in self.statements):
            return False
        return all(self._stays(node) for node in walk_block(self.body)) and all(map(self.is_one, self.indexed))

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
        """Whether only the code uses what it gives a name."""
        home = self.context.names.home(target)
        if home is None or any(binding.elsewhere for binding in home.bindings[target.id]):
            return False
        return all(map(self.is_within, self.context.names.uses_of(target)))

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
        if isinstance(node, ast.Subscript):
            return self._is_host(node.value) or self._is_known_host(node)
        if (
            isinstance(node, ast.Name)
            and self._is_of(node)
            and node not in self._asked
            and (given := self._given(node))
        ):
            self._asked.add(node)  # (a name that a loop within gives what it was)
            try:
                return all(map(self._is_host, given))
            finally:
                self._asked.discard(node)
        return self._is_known_host(node)

    def _given(self, name: ast.Name) -> list[ast.expr]:
        """What the code gives a name on the ways to it; nothing where that is not all of it."""
        found = self.context.names.reaching(name)
        values = [b.value for b in found if b.how is How.ASSIGN and b.value is not None and self.is_within(b.node)]
        return values if len(values) == len(found) else []

    def _is_known_host(self, node: ast.expr) -> bool:
        if self.context.roles.is_(node, *_OF_HOST):
            return True
        value = self.context.flow.structure.value(self.context.view.own, node)
        if value is None or self.context.roles.is_(node, Role.TENSOR):
            return False
        return value.type in (NUMBER, TEXT, ARRAY) or (value.type == TENSOR and value.device is Device.HOST)

    # -- what stands in it -----------------------------------------------------------------------------

    def _stays(self, node: ast.AST) -> bool:
        """Whether a node means the same where the elements are on the host."""
        if isinstance(node, _APART) or (isinstance(node, ast.Attribute) and node.attr in _PLACES):
            return False
        if isinstance(node, ast.Call):
            return self._may_call(node)
        return not isinstance(node, ast.Name) or self._is_of(node) or self._may_meet(node)

    def _may_meet(self, name: ast.Name) -> bool:
        """Whether something from outside, ``limit`` or ``self.limit``, may meet what is computed there."""
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
            if is_length or (isinstance(parent, ast.Attribute) and parent.attr in _SIZES):
                return True
            if self.whole and isinstance(parent, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Call | ast.Attribute):
                self.indexed.append(node)
                return True
            return False
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

    def is_one(self, node: ast.expr) -> bool:
        return self.context.singles.is_one(self.context.view.own, node) is True

    def _is_of(self, name: ast.Name) -> bool:
        """Whether the code gives a name its value, or that is carried there."""
        found = self.context.names.reaching(name)
        return bool(found) and (name.id in self.carried or all(self.is_within(binding.node) for binding in found))

    def is_within(self, node: ast.AST) -> bool:
        """Whether a node is a part of it."""
        return self.context.module.place_in(self.body, node) is not None

    def text(self, node: ast.expr) -> str:
        return self.context.module.segment(node)
