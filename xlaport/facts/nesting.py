"""Loops within a step: whether the code around a loop steps an optimizer beside it."""

from __future__ import annotations

import ast
from typing import Protocol

from xlaport.facts.frequency import is_now_and_then
from xlaport.facts.module import FunctionNode, LoopNode, Module
from xlaport.facts.program import Facts
from xlaport.facts.role import OUTPUT
from xlaport.facts.roles import Roles
from xlaport.facts.stepping import Stepping
from xlaport.facts.structure import Function, Structure

_MAX_DEPTH = 3


class Loops(Protocol):
    """What it asks of the loops of a file (`xlaport.facts.loops`)."""

    facts: Facts
    module: Module
    roles: Roles
    structure: Structure
    stepping: Stepping
    nesting: Nesting

    def run_by(self, call: ast.Call) -> list[Function]:
        """The functions that a call runs."""

    def elsewhere(self, facts: Facts) -> Loops:
        """The loops of another file."""


class Nesting:
    """Questions about what is around the loops of a file."""

    def __init__(self, loops: Loops) -> None:
        self.loops = loops
        self.module = loops.module

    def is_part_of_a_step(self, node: ast.AST, depth: int = 0) -> bool:
        """Whether a loop or function around a node, also around the calls of these, steps an optimizer beside it."""
        for parent in self.module.ancestors(node):
            if isinstance(parent, ast.If) and is_now_and_then(parent.test):
                return False
            if isinstance(parent, FunctionNode):
                if self._steps_besides(parent.body, node, depth):
                    return True
                sites = self.loops.structure.calls_to(Function(self.loops.facts, parent)) if depth < _MAX_DEPTH else []
                return any(self.loops.elsewhere(s.facts).nesting.is_part_of_a_step(s.node, depth + 1) for s in sites)
            if isinstance(parent, LoopNode) and self._steps_besides(parent.body, node, 0):
                return True
        return False

    def is_one_pass_of_a_step(self, node: LoopNode) -> bool:
        """Whether a loop that each call of its function gives one pass, ``for _ in range(n)``, is a part of a step."""
        call = node.iter if isinstance(node, ast.For) else None
        if not isinstance(call, ast.Call) or self.loops.facts.names.resolve(call.func) != "builtins.range":
            return False
        passes = self.loops.structure.value(self.loops.facts, call.args[0]) if len(call.args) == 1 else None
        return passes is not None and passes.constant == 1 and self.is_part_of_a_step(node)

    def belongs_to_a_forward(self, node: ast.AST, depth: int = 0) -> bool:
        """Whether a node's method, of a module, is a part of some module's ``forward()``, also through others."""
        function = self.module.function(node)
        if function is None or function.name == "forward":
            return function is not None
        owner = self.module.parents[function]
        if depth > _MAX_DEPTH or not isinstance(owner, ast.ClassDef) or not self.loops.roles.is_module_class(owner):
            return False
        sites = self.loops.structure.calls_to(Function(self.loops.facts, function))
        return any(self.loops.elsewhere(s.facts).nesting.belongs_to_a_forward(s.node, depth + 1) for s in sites)

    def goes_through_a_result(self, node: LoopNode) -> bool:
        """Whether a loop goes through what a model gives in each pass of a loop around it.

        Its passes are parts of that one's step then.
        """
        around = next((p for p in self.module.ancestors(node) if isinstance(p, LoopNode | FunctionNode)), None)
        if not isinstance(node, ast.For) or not isinstance(around, LoopNode):
            return False
        return any(
            isinstance(name, ast.Name)
            and (fact := self.loops.roles.of(name)) is not None
            and fact.because.startswith(OUTPUT)
            and all(around in self.module.ancestors(b.node) for b in self.loops.facts.names.reaching(name))
            for name in ast.walk(node.iter)
        )

    def steps_in(self, statements: list[ast.stmt]) -> bool:
        """Whether statements step an optimizer, outside of loops, also in what they call."""
        return self._steps_besides(statements, None, 0)

    def _steps_besides(self, statements: list[ast.stmt], but: ast.AST | None, depth: int) -> bool:
        """Whether statements step an optimizer, outside of loops, also in what they call."""
        todo: list[ast.AST] = list(statements)
        while todo:
            node = todo.pop()
            if node is but or isinstance(node, LoopNode | FunctionNode | ast.ClassDef | ast.Lambda):
                continue
            if isinstance(node, ast.Call):
                if self.loops.stepping.is_step(node):
                    return True
                run = self.loops.run_by(node) if depth < _MAX_DEPTH else []
                if any(self.loops.elsewhere(f.facts).nesting._steps_besides(f.node.body, None, depth + 1) for f in run):
                    return True
            todo.extend(self.module.children[node])
        return False
