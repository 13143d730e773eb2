"""Reads of an evaluation's data, which wait for no model: a target that is checked, a count of what is padding."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from xlaport.facts.derived import Derived
from xlaport.facts.loops import LoopKind, Loops, StepLoop
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How

_MAX_DEPTH = 3


class DataReads:
    """Answers for the step loops of a file. Ask `are_all`."""

    def __init__(self, loops: Loops) -> None:
        self.loops = loops

    def are_all(self, statement: ast.stmt, loop: StepLoop) -> bool:
        """Whether a statement of a loop that evaluates reads, and nothing that depends on what a model gave."""
        if loop.kind is not LoopKind.EVAL or loop.node not in self.loops.module.order:
            return False  # nor in a function that a loop of another file calls: what it is given is not known here
        outputs = [c for c in self.loops.module.that_run(loop.node.body, ast.Call) if self._runs_a_model(c)]
        return bool(outputs) and self._read_none_of([statement], outputs, 0)

    def _runs_a_model(self, call: ast.Call) -> bool:
        if self.loops.stepping.is_model_call(call):
            return True
        return any(
            self.loops.elsewhere(f.facts).function_effects(f.node).model is not None for f in self.loops.run_by(call)
        )

    def _read_none_of(self, statements: list[ast.stmt], outputs: Sequence[ast.expr], depth: int) -> bool:
        """Whether no read of some statements, also in what they call, is of anything that is made of the outputs."""
        made = [Derived(self.loops.facts, output) for output in outputs]
        for read in self.loops.reads.all_in(statements):
            if self._is_kept(read.tensor) or any(m.has(read.tensor) for m in made):
                return False
        for call in self.loops.module.that_run(statements, ast.Call):
            if self._runs_a_model(call):
                return False
            for function in self.loops.run_by(call):
                there = self.loops.elsewhere(function.facts)
                if not there.reads_device(function.node):
                    continue
                taken = {
                    self.loops.structure.parameter_of(call, function, value)
                    for value in (*call.args, *(keyword.value for keyword in call.keywords))
                    if any(m.has(value) for m in made)
                }
                if None in taken or depth > _MAX_DEPTH:
                    return False
                inside = [use for name in taken if name is not None for use in _uses(there, function.node, name)]
                if not DataReads(there)._read_none_of(function.node.body, inside, depth + 1):
                    return False
        return True

    def _is_kept(self, tensor: ast.expr) -> bool:
        """Whether a tensor is, or may be, an object's: what the model gave may have been kept there."""
        names = self.loops.facts.names
        return any(
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and (names.self_class(node.value) is not None or not names.reaching(node.value))
            and names.resolve(node) is None
            for node in ast.walk(tensor)
        )


def _uses(loops: Loops, function: FunctionNode, parameter: str) -> Iterator[ast.Name]:
    """Where a function uses what it was passed for a parameter."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == parameter and isinstance(node.ctx, ast.Load):
            if any(binding.how is How.PARAMETER for binding in loops.facts.names.reaching(node)):
                yield node
