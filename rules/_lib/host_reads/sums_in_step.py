"""Sums of host reads that begin and end within one step: whether they could be added up on the device."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.loops import LOOPS
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.names import Binding, How
from xlaport.facts.reads import HostRead
from xlaport.facts.role import Role
from xlaport.rule import Span

from .device_values import DeviceValue, device_value, is_cast, may_be_narrow

_FLOATS = frozenset({"mean", "std", "var", "norm"})
"""Methods of a tensor that give floats."""
_NUMBERS = frozenset({"builtins.float", "builtins.int"})
"""What makes a number of a tensor; `round()` takes none."""


@dataclass(frozen=True)
class SumInStep:
    """A sum that can be made on the device, and the text for each expression that changes with it."""

    name: str
    edits: tuple[tuple[Span, str], ...]


def sum_in_step(context: Context, read: HostRead, inner: LoopNode) -> SumInStep | str | None:
    """The sum that a read in a loop goes into: what to write; its name where it stays; None where there is none."""
    statement = context.module.statement(read.node)
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.op, ast.Add):
        return None
    if not isinstance(statement.target, ast.Name):
        return context.module.segment(statement.target)
    edits = _Rewrite(context, read, inner, statement, statement.target).edits()
    name = statement.target.id
    return SumInStep(name, tuple(edits)) if edits is not None else name


class _Rewrite:
    def __init__(
        self, context: Context, read: HostRead, inner: LoopNode, statement: ast.AugAssign, target: ast.Name
    ) -> None:
        self.context = context
        self.module = context.module
        self.names = context.names
        self.read = read
        self.inner = inner
        self.statement = statement
        self.target = target

    def edits(self) -> list[tuple[Span, str]] | None:
        """What to write where; None where something keeps the sum on the host."""
        added = self._added()
        if added is None or not self._begins_in_the_step() or not self._holds_nothing_else():
            return None
        read = self._uses(self.target, set())
        return None if read is None else [added, *read]

    def _added(self) -> tuple[Span, str] | None:
        """The read without its ``.item()``: one float, with which nothing is done but arithmetic."""
        reads = self.context.reads.within([self.statement])
        value = device_value(self.context, self.context.tensors, self.read)
        if value is None or len(reads) != 1 or self._outermost(value.node) is not self.statement.value:
            return None
        if not self._is_float(value):
            return None
        is_wide = is_cast(value.tensor) or not may_be_narrow(self.context)
        return self.context.span(value.node), value.text if is_wide else f"{value.text}.float()"  # as Python adds

    def _is_float(self, value: DeviceValue) -> bool:
        """Whether one float is read: ``p.grad.norm()``, too, whatever p is."""
        made = self.names.assigned(value.tensor) or value.tensor
        is_norm = isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and made.func.attr in _FLOATS
        return value.held.kind is Kind.FLOAT or (value.held.kind is None and is_norm)

    def _begins_in_the_step(self) -> bool:
        """Whether the sum begins as a number before the loop, in the same run of the same code."""
        found = [b for b in self.names.reaching(self.target) if b.node is not self.target]
        around = [p for p in self.module.ancestors(self.inner) if isinstance(p, LOOPS | FunctionNode)]
        return bool(found) and all(
            _is_number(b)
            and all(parent in self.module.ancestors(b.node) for parent in around)
            and self.inner not in self.module.ancestors(b.node)
            for b in found
        )

    def _holds_nothing_else(self) -> bool:
        """Whether the name stands for the sum wherever it is bound, and for what is computed of it."""
        return all(
            b.node is self.target
            or _is_number(b)
            or (b.how is How.ASSIGN and b.value is not None and self._is_of_the_sum(b.value))
            for b in self.names.bindings(self.target)
        )

    def _is_of_the_sum(self, value: ast.expr) -> bool:
        return any(
            isinstance(n, ast.Name) and n.id == self.target.id and self._outermost(n) is value for n in ast.walk(value)
        )

    def _uses(self, target: ast.Name, followed: set[str]) -> list[tuple[Span, str]] | None:
        """The places where the sum, or what is computed of it, is used as a number, and what is written there."""
        home = self.names.home(target)
        if home is None or target.id in followed:
            return None
        followed.add(target.id)
        found: list[tuple[Span, str]] = []
        for use in self.names.uses(home, target.id):
            if not isinstance(use.ctx, ast.Load):
                continue
            if self.inner in self.module.ancestors(use):
                return None
            if self.module.function(use) is not self.module.function(self.target):
                return None
            outermost = self._outermost(use)
            parent = self.module.parents[outermost]
            if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
                name = parent.targets[0]
                if name.id in followed:
                    continue
                if not self._only_of(name):
                    found.append(self._as_number(outermost))
                    continue
                further = self._uses(name, followed)
                if further is None:
                    return None
                found += further
            elif isinstance(parent, ast.FormattedValue) and parent.conversion == -1:
                continue  # a tensor without dimensions is formatted as a number
            elif isinstance(parent, ast.Call) and self.context.resolve(parent.func) in _NUMBERS:
                continue
            elif not self.context.editable(outermost):
                return None
            else:
                found.append(self._as_number(outermost))
        return found

    def _as_number(self, node: ast.expr) -> tuple[Span, str]:
        span, text = self.context.span(node), self.module.text
        parent = self.module.parents[node]
        if isinstance(parent, ast.BinOp) and text[span.start - 1] == "(" and text[span.end] == ")":
            span = Span(span.start - 1, span.end + 1)
        return span, f"float({self.module.segment(node)})"

    def _only_of(self, name: ast.Name) -> bool:
        """Whether a name is bound only here."""
        found = self.names.bindings(name)
        return len(found) == 1 and found[0].node is name

    def _outermost(self, node: ast.expr) -> ast.expr:
        """The arithmetic with plain numbers in which an expression stands."""
        while True:
            parent = self.module.parents[node]
            if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub):
                node = parent
                continue
            if not isinstance(parent, ast.BinOp):
                return node
            other = parent.right if parent.left is node else parent.left
            if not self.context.roles.is_(other, Role.NUMBER):
                return node
            node = parent


def _is_number(binding: Binding) -> bool:
    """``total = 0.0``."""
    value = binding.value if binding.how is How.ASSIGN else None
    return isinstance(value, ast.Constant) and type(value.value) in (int, float)
