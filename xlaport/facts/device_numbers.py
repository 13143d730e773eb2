"""Numbers that are read from the device: by ``.item()``, ``int()``, ``.tolist()``, and tensors that stand for one.

The analysis knows where a number is read from a tensor (`Value.turns`); here is asked whether that is on the device.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from xlaport.analysis.value import UNKNOWN, How, Site, each
from xlaport.facts.answers import Answers
from xlaport.facts.branch_callers import is_of_host
from xlaport.facts.change import Cause, Change
from xlaport.facts.changing import assigned_values
from xlaport.facts.given_by_steps import is_given_by_host
from xlaport.facts.module import last_name
from xlaport.facts.program import Facts
from xlaport.facts.role import Role
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import Structure, calls_by_site
from xlaport.facts.tensors import Tensors

_MAX_DEPTH = 8
_KEEPING = frozenset(f"builtins.{name}" for name in "int float round abs max sum list tuple".split())
"""Functions whose result is computed from what they get; those of ``math`` are, too."""


class DeviceNumbers:
    """Finds the numbers of a file that are read from the device, in the form in which `Changing` gives its own."""

    def __init__(self, facts: Facts, structure: Structure, tensors: Tensors) -> None:
        self.facts = facts
        self.structure = structure
        self.tensors = tensors
        self._answers: Answers[Change | None] = Answers(None, _MAX_DEPTH)

    def of(self, node: ast.expr) -> Change | None:
        """The read that a number is computed from; None where it is computed from none."""
        return self._answers.of(node, lambda: self._of(node), None)

    def _of(self, node: ast.expr) -> Change | None:
        if isinstance(node, ast.Name | ast.Call) and self._is_one(node):
            return self._read(self.facts, node, node)
        value = self.structure.value(self.facts, node) or UNKNOWN
        sites = [turn.site for turn in sorted(value.turns | each(value).turns) if turn.how is How.READ]
        found = [self._read_at(site, node) for site in sites] + list(map(self.of, self._operands(node)))
        for part in assigned_values(self.facts.names, node) if value.is_unknown else ():
            change = self.of(part)
            is_there = change is not None and change.node is part
            found.append(replace(change, name=ast.unparse(node), node=node) if change and is_there else change)
        return next((change for change in found if change is not None), None)

    def bound(self, node: ast.expr) -> Change | None:
        """The same for the bound of a slice: one number, whatever it may be that is computed with it. A tensor there
        has no dimensions, or one element.
        """
        found = self.of(node)
        if found is None and isinstance(node, ast.Name | ast.Call) and roles_of(self.facts).is_(node, Role.TENSOR):
            found = self._read(self.facts, node, node) if self.tensors.held(self.facts, node).rank is None else None
        parts = assigned_values(self.facts.names, node) if found is None else ()
        return next(filter(None, map(self.of, parts)), found)

    def _operands(self, node: ast.expr) -> list[ast.expr]:
        """What a number is computed from that may itself be a tensor."""
        if isinstance(node, ast.BinOp):
            return [node.left, node.right]
        if isinstance(node, ast.UnaryOp):
            return [node.operand]
        if isinstance(node, ast.IfExp):
            return [node.body, node.orelse]
        name = (self.facts.names.resolve(node.func) or "") if isinstance(node, ast.Call) else ""
        return node.args if isinstance(node, ast.Call) and (name in _KEEPING or name.startswith("math.")) else []

    def _read_at(self, site: Site, node: ast.expr) -> Change | None:
        """The read at a place, if it is of the device; `node` may be one of several numbers, or in another function."""
        facts = self.structure.analysis(self.facts).facts(site.file)
        call = calls_by_site(facts).get(site._replace(turn="")) if facts is not None else None
        if facts is None or call is None:
            return None
        tensor = call.args[0] if call.args else call.func.value if isinstance(call.func, ast.Attribute) else None
        if tensor is None or roles_of(facts).role(tensor) is not Role.TENSOR:
            return None
        change = self._read(facts, call, tensor)
        is_here = facts is self.facts and facts.module.function(call) is facts.module.function(node)
        is_one = is_here and (last_name(call.func) != "tolist" or call in ast.walk(node))
        return change if is_one or change is None else replace(change, is_tensor=False)

    def _read(self, facts: Facts, node: ast.expr, tensor: ast.expr) -> Change | None:
        if is_of_host(facts, self.structure, tensor) or is_given_by_host(facts, self.structure, tensor):
            return None
        return Change(facts.module.segment(tensor), Cause.READ, facts, node, is_tensor=True)

    def _is_one(self, node: ast.expr) -> bool:
        """Whether a tensor of the device without dimensions stands where a number is wanted."""
        return roles_of(self.facts).is_(node, Role.TENSOR) and self.tensors.held(self.facts, node).rank == 0
