"""Changing numbers: Python numbers that are others in the next step, and what makes them change.

A number changes where it counts the passes of a loop of steps, is counted up from step to step, is drawn anew in each
step, or is computed from one that changes. A counter of a loop inside of a step is the same in every step.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from xlaport.facts.answers import Answers
from xlaport.facts.change import A_FEW, NOT_NUMBERS, Cause, Change, arithmetic
from xlaport.facts.drawn import Drawn
from xlaport.facts.kept import Kept
from xlaport.facts.literals import integer
from xlaport.facts.loops import RuntimeNames
from xlaport.facts.names import Binding, How
from xlaport.facts.narrowing import is_no_number_here
from xlaport.facts.pinned import Pinned
from xlaport.facts.program import Facts
from xlaport.facts.role import TENSORS, Role
from xlaport.facts.step_code import StepCode, step_code_of
from xlaport.facts.structure import Function
from xlaport.facts.turns import Turns
from xlaport.facts.vocabulary import COUNTERS

_MAX_DEPTH = 50
_KEEPING = frozenset("builtins." + name for name in "int float round abs max min pow sum".split())
"""Functions whose result changes where an argument does; those of ``math`` and ``numpy`` do, too."""
_KEEPING_OR_LENGTH = _KEEPING | {"builtins.len"}


def changing_of(facts: Facts, runtime: RuntimeNames) -> Changing:
    """The changing numbers of a file, as it sees its project."""
    return facts.once(("changing", runtime), lambda: Changing(step_code_of(facts, runtime)))


class Changing:
    """Finds the changing numbers among the expressions of a file. See `changing_of`."""

    def __init__(self, code: StepCode) -> None:
        self.module = code.module
        self.names = code.names
        self.roles = code.roles
        self.code = code
        self._drawn = Drawn(code)
        self._kept = Kept(code)
        self._turns = Turns(code)
        self._pinned = Pinned(code.module, code.names, self._is_fixed)
        self._answers: Answers[Change | None] = Answers(None, _MAX_DEPTH)

    def of(self, node: ast.expr) -> Change | None:
        """What makes an expression another number in the next step; None for everything else."""
        return self._answers.of(node, lambda: self._infer(node), None)

    def bound(self, node: ast.expr) -> Change | None:
        """The same for the bound of a slice, where a tensor of the host is a number, too: ``x[torch.randint(…):]``."""
        if not self.roles.is_(node, Role.HOST_TENSOR):
            return self.of(node)
        parts = [n for n in ast.walk(node) if isinstance(n, ast.Name | ast.Call)]
        return next((c for part in parts if (c := self._drawn.part_of_tensor(part) or self.of(part))), None)

    def growth(self, part: ast.expr, call: ast.Call) -> Change | None:
        """Where in each step a call joins something to a tensor that it has given itself."""
        return self._turns.growth(part, call)

    # -- expressions -----------------------------------------------------------------------------------

    def _infer(self, node: ast.expr) -> Change | None:
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            change = self._kept.attribute(node)
            return self._by_turns(node) if change is None else None if self._pinned.is_pinned(node) else change
        if isinstance(node, ast.Subscript):
            return self._by_turns(node)
        if isinstance(node, ast.UnaryOp):
            return None if isinstance(node.op, ast.Not) else self.of(node.operand)
        if isinstance(node, ast.BinOp):
            if self._has_few_values(node):
                return None
            return self._combined(node, [node.left, node.right])
        if isinstance(node, ast.IfExp):
            return self._combined(node, [node.body, node.orelse])
        if isinstance(node, ast.NamedExpr):
            return self.of(node.value)
        return self._call(node) if isinstance(node, ast.Call) else None

    def _combined(self, node: ast.expr, operands: list[ast.expr]) -> Change | None:
        if self.roles.role(node) in NOT_NUMBERS and not self._is_made_of_parameters(node):
            return None
        found = [self.of(operand) for operand in operands]
        change = next((c for c in found if c is not None), None)
        if change is None:
            return None
        others = (operand for operand, c in zip(operands, found, strict=True) if c is None)
        sure = all(c.sure for c in found if c is not None) and all(self._is_number(o) for o in others)
        return replace(change, sure=sure)

    def _is_number(self, node: ast.expr) -> bool:
        return self.roles.is_(node, Role.NUMBER)

    def _is_made_of_parameters(self, node: ast.expr) -> bool:
        """Whether all tensors in an expression are said to be some because they are parameters that get numbers."""
        tensors = (n for n in ast.walk(node) if isinstance(n, ast.expr) and self.roles.role(n) in TENSORS)
        return all(isinstance(n, ast.BinOp | ast.UnaryOp) or self.of(n) is not None for n in tensors if n is not node)

    def _has_few_values(self, node: ast.BinOp) -> bool:
        """``i % 2``."""
        if isinstance(node.op, ast.Mod | ast.BitAnd):
            bound = integer(node.right)
            return bound is not None and bound <= A_FEW
        return False

    def _by_turns(self, node: ast.expr) -> Change | None:
        """A number that comes from a dict, a generator or a row of numbers, and is another one in each step."""
        if isinstance(node, ast.Name | ast.Attribute) and self._pinned.is_pinned(node):
            return None
        return self._turns.change(node)

    # -- calls -----------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Change | None:
        found = self._drawn.number(node) or self._kept.read(node)
        if found is not None:
            return found
        name = self.names.resolve(node.func) or ""
        if name in _KEEPING or name.startswith(("math.", "numpy.")):
            if name == "builtins.min" and any((integer(a) or A_FEW + 1) <= A_FEW for a in node.args):
                return None
            if name == "builtins.min" and self._is_the_rest(node.args):
                return None
            return self._combined(node, node.args)
        found = self._returned(node, None) if self.roles.role(node) in (None, Role.NUMBER) else None
        return replace(found, sure=found.sure and self._is_number(node)) if found is not None else self._by_turns(node)

    def _is_the_rest(self, operands: list[ast.expr]) -> bool:
        """``min(size, total - done)``: the same in all passes but the last ones."""
        changing = [operand for operand in operands if self.of(operand) is not None]
        return len(changing) < len(operands) and all(
            isinstance(o, ast.BinOp) and isinstance(o.op, ast.Sub) and self.of(o.left) is None for o in changing
        )

    def _returned(self, call: ast.Call, index: int | None) -> Change | None:
        """What a function of the project hands back in each step; with an index, that element of its tuple."""
        for function in self.code.loops.run_by(call):
            there = self._elsewhere(function.facts)
            for node in there.code.walk(function.node.body):
                value = node.value if isinstance(node, ast.Return) else None
                if index is not None:
                    is_there = isinstance(value, ast.Tuple) and index < len(value.elts)
                    value = value.elts[index] if isinstance(value, ast.Tuple) and is_there else None
                change = there.of(value) if value is not None else None
                # Asked last: it takes the whole project to say.
                if change is not None and self.code.in_step(call):
                    return change
        return None

    # -- names -----------------------------------------------------------------------------------------

    def _name(self, node: ast.Name) -> Change | None:
        bindings = self.names.reaching(node)
        if not any(binding.how is How.PARAMETER for binding in bindings) and self.roles.role(node) in NOT_NUMBERS:
            return None
        if is_no_number_here(self.module, self.names, node):
            return None
        for binding in bindings:
            change = self._binding(binding)
            if change is not None:
                return None if self._is_pinned(node, bindings) else change
        is_given = any(binding.how is How.PARAMETER for binding in bindings)
        return self._by_turns(node) if is_given else None

    def _is_pinned(self, node: ast.Name, bindings: tuple[Binding, ...]) -> bool:
        """Whether a changing number is one of a few where it stands, or what it is computed from is."""
        if self._pinned.is_pinned(node):
            return True
        value = bindings[0].value if len(bindings) == 1 and bindings[0].how is How.ASSIGN else None
        parts = [n for n in ast.walk(value) if isinstance(n, ast.Name | ast.Attribute)] if value is not None else []
        changing = [part for part in parts if self.of(part) is not None]
        return bool(changing) and all(self._pinned.is_pinned(part, node) for part in changing)

    def _is_fixed(self, node: ast.expr) -> bool:
        """Whether nothing is known to make an expression another number in the next step."""
        calls = (n for n in ast.walk(node) if isinstance(n, ast.Call))
        return self.of(node) is None and all(self.names.resolve(call.func) in _KEEPING_OR_LENGTH for call in calls)

    def _binding(self, binding: Binding) -> Change | None:
        return self._answers.of(binding, lambda: self._infer_binding(binding), None)

    def _infer_binding(self, binding: Binding) -> Change | None:
        if binding.how is How.FOR and isinstance(binding.node, ast.Name):
            return self._counter(binding.node)
        if binding.how is How.PARAMETER and isinstance(binding.node, ast.arg):
            return self._parameter(binding.node)
        if binding.how is How.UNPACK and isinstance(binding.value, ast.Call) and binding.index is not None:
            return self._returned(binding.value, binding.index)
        if binding.value is None or not isinstance(binding.node, ast.Name):
            return None
        if binding.how in (How.AUGMENT, How.ASSIGN) and self._is_carried(binding):
            return Change(binding.name, Cause.ADVANCES, self.code.facts, self.module.statement(binding.node))
        if binding.how is How.ASSIGN:
            change = self.of(binding.value)
            if change is not None and change.cause is Cause.DRAWN and change.node in ast.walk(binding.value):
                return replace(change, name=binding.name)
            return change
        if binding.how is How.AUGMENT:
            # `n += i` of a number that starts anew in every step.
            change = self.of(binding.value)
            return change or next(
                (c for b in self.names.reaching(binding.node) if (c := self._binding(b)) is not None), None
            )
        return None

    def _is_carried(self, binding: Binding) -> bool:
        """``n += 1``, ``n = n + 1``: it goes on from the last step, in which it was no other name's value."""
        target = binding.node
        assert isinstance(target, ast.Name)
        loop = self.code.counting_loop(target)
        if not self._is_number_or_unknown(binding.value):
            return False
        if binding.elsewhere:
            return binding.how is How.AUGMENT and self.code.in_step(target)
        if loop is None:
            return False
        if binding.how is How.AUGMENT:
            uses = [target]
        else:
            assert binding.value is not None
            home = self.names.home(target)
            uses = [
                n
                for n in arithmetic(binding.value)
                if isinstance(n, ast.Name) and n.id == target.id and self.names.home(n) is home
            ]
        return any(self.code.is_carried(use, binding, loop) for use in uses)

    def _is_number_or_unknown(self, value: ast.expr | None) -> bool:
        return value is None or self.roles.role(value) in (None, Role.NUMBER)

    def _counter(self, target: ast.Name) -> Change | None:
        """The number that a loop of steps takes from a row; in a comprehension, one whose bound changes."""
        loop: ast.AST = target
        while isinstance(loop, ast.Name | ast.Tuple | ast.List | ast.Starred):
            loop = self.module.parents[loop]
        if not isinstance(loop, ast.comprehension):
            return self._by_turns(target)
        counts = isinstance(loop.iter, ast.Call) and self.names.resolve(loop.iter.func) in COUNTERS
        bounds = loop.iter.args if isinstance(loop.iter, ast.Call) and counts else []
        return next((change for bound in bounds if (change := self.of(bound)) is not None), None)

    def _parameter(self, arg: ast.arg) -> Change | None:
        """A parameter that a step passes a changing number for."""
        function = self.module.function_of(arg)
        if function is None:
            return None
        for site in self.code.calls_to(function):
            if site.facts is self.code.facts:
                value = self.roles.argument_for(site.node, function, arg.arg)
            else:
                value = self.code.structure.argument_for(site, Function(self.code.facts, function), arg.arg)
            change = self._elsewhere(site.facts).of(value) if value is not None else None
            if change is not None:
                return change
        return None

    def _elsewhere(self, facts: Facts) -> Changing:
        return self if facts is self.code.facts else changing_of(facts, self.code.loops.runtime)
