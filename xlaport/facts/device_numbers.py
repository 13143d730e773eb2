"""Numbers that are read from the device: by ``.item()``, ``int()``, ``.tolist()``, and tensors that stand for one."""

from __future__ import annotations

import ast
from dataclasses import replace

from xlaport.facts.branch_callers import is_of_host
from xlaport.facts.change import Cause, Change
from xlaport.facts.given_by_steps import is_given_by_host
from xlaport.facts.literals import integer
from xlaport.facts.names import Binding, How
from xlaport.facts.passed import passed
from xlaport.facts.program import Facts
from xlaport.facts.role import Role
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import Structure
from xlaport.facts.tensors import Tensors

_READING = frozenset({"item", "tolist"})
_CASTING = frozenset({"builtins.int", "builtins.float", "builtins.round"})
_KEEPING = frozenset(f"builtins.{name}" for name in "int float round abs max min sum list tuple".split())
"""Functions whose result is computed from what they get; those of ``math`` are, too."""
_MAX_DEPTH = 8


class DeviceNumbers:
    """Finds the numbers of a file that are read from the device, in the form in which `Changing` gives its own."""

    def __init__(self, facts: Facts, structure: Structure, tensors: Tensors) -> None:
        self.facts = facts
        self.structure = structure
        self.tensors = tensors

    def of(self, node: ast.expr) -> Change | None:
        """The read that a number is computed from; None where it is computed from none."""
        return self._of(self.facts, node, 0)

    def bound(self, node: ast.expr) -> Change | None:
        """The same for the bound of a slice."""
        return self.of(node)

    def _of(self, facts: Facts, node: ast.expr, depth: int) -> Change | None:
        if depth > _MAX_DEPTH:
            return None
        if isinstance(node, ast.Name):
            if self._is_one(facts, node):
                return self._read(facts, node, node)
            return self._first(facts, [self._bound(facts, b, node, depth) for b in facts.names.reaching(node)])
        if isinstance(node, ast.Call):
            return self._call(facts, node, depth)
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Mod) and (integer(node.right) or _MAX_DEPTH) < _MAX_DEPTH:
                return None
            return self._first(facts, [self._of(facts, side, depth + 1) for side in (node.left, node.right)])
        if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            return self._of(facts, node.operand, depth + 1)
        if isinstance(node, ast.IfExp):
            return self._first(facts, [self._of(facts, side, depth + 1) for side in (node.body, node.orelse)])
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name | ast.Call):
            # One number of a list that was read as a whole.
            is_tensor = roles_of(facts).role(node.value) in (Role.TENSOR, Role.HOST_TENSOR)
            return None if is_tensor else self._of(facts, node.value, depth + 1)
        return None

    def _call(self, facts: Facts, node: ast.Call, depth: int) -> Change | None:
        func, name = node.func, facts.names.resolve(node.func) or ""
        if isinstance(func, ast.Attribute) and func.attr in _READING and not node.args:
            return self._read(facts, node, func.value) if self._is_tensor(facts, func.value) else None
        if name in _CASTING and len(node.args) == 1 and self._is_tensor(facts, node.args[0]):
            return self._read(facts, node, node.args[0])
        if name in _KEEPING or name.startswith("math."):
            if name == "builtins.min" and any((integer(a) or _MAX_DEPTH) < _MAX_DEPTH for a in node.args):
                return None
            return self._first(facts, [self._of(facts, argument, depth + 1) for argument in node.args])
        return self._read(facts, node, node) if self._is_one(facts, node) else None

    def _first(self, facts: Facts, found: list[Change | None]) -> Change | None:
        return next((change for change in found if change is not None), None)

    def _bound(self, facts: Facts, binding: Binding, use: ast.Name, depth: int) -> Change | None:
        """The read of what a name is bound to; one of a tensor without dimensions is where the name is used."""
        if binding.how in (How.ASSIGN, How.FOR) and binding.value is not None:
            change = self._of(facts, binding.value, depth + 1)
            if change is not None and binding.how is How.ASSIGN and self._is_unread(facts, binding.value):
                return replace(change, name=use.id, node=use)
            return change
        return self._passed(facts, binding, depth) if binding.how is How.PARAMETER else None

    def _passed(self, facts: Facts, parameter: Binding, depth: int) -> Change | None:
        """What the calls of a function pass for a parameter, if any of them passes such a number."""
        given = passed(self.structure, facts, parameter)
        change = self._first(facts, [self._of(there, v, depth + 1) for there, v in given if v is not None])
        return replace(change, is_tensor=False) if change is not None else None  # the tensor has another name here

    def _read(self, facts: Facts, node: ast.expr, tensor: ast.expr) -> Change | None:
        if is_of_host(facts, self.structure, tensor) or is_given_by_host(facts, self.structure, tensor):
            return None
        return Change(facts.module.segment(tensor), Cause.READ, facts, node, is_tensor=True)

    def _is_unread(self, facts: Facts, value: ast.expr) -> bool:
        """Whether what is computed from a tensor is still one: ``n.max()``, ``n + 1`` with a tensor ``n``."""
        if isinstance(value, ast.BinOp):
            return any(self._is_unread(facts, side) for side in (value.left, value.right))
        return self._is_one(facts, value)

    def _is_tensor(self, facts: Facts, node: ast.expr) -> bool:
        return roles_of(facts).role(node) is Role.TENSOR

    def _is_one(self, facts: Facts, node: ast.expr) -> bool:
        """Whether a tensor of the device without dimensions stands where a number is wanted."""
        return self._is_tensor(facts, node) and self.tensors.held(facts, node).rank == 0
