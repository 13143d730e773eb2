"""Numbers that are drawn at random: by Python, by NumPy, and as tensors of the host that are read."""

from __future__ import annotations

import ast

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.change import A_FEW, Cause, Change
from xlaport.facts.literals import integer
from xlaport.facts.names import How
from xlaport.facts.step_code import StepCode

_MAX_DEPTH = 12
_DRAWING = frozenset(
    [f"random.{name}" for name in "random randint randrange uniform gauss normalvariate betavariate triangular".split()]
    + [f"numpy.random.{name}" for name in "random rand randn randint uniform normal beta random_sample".split()]
)
_CHOOSING = frozenset({"random.choice", "numpy.random.choice"})
_RANGES = frozenset({"builtins.range", "builtins.len", "numpy.arange", "numpy.random.permutation"})
"""Those whose result is many numbers, or how many there are to choose from: ``np.random.choice(len(images))``."""
_LISTING = frozenset({"builtins.list", "builtins.tuple", "numpy.array", "numpy.asarray"})
_DRAWING_TENSORS = frozenset(
    f"torch.{name}" for name in "rand randn randint randperm normal bernoulli multinomial".split()
)


class Drawn:
    """Finds numbers that are drawn anew in each step."""

    def __init__(self, code: StepCode) -> None:
        self.names = code.names
        self.code = code

    def number(self, node: ast.Call) -> Change | None:
        """``random.random()``, ``int(torch.randint(…))``, ``torch.rand(1).item()``."""
        if self.names.resolve(node.func) in _CHOOSING:
            is_one = len(node.args) == 1 and not any(keyword.arg == "size" for keyword in node.keywords)
            return self._change(node, node) if is_one and self._are_many_numbers(node.args[0]) else None
        if self.names.resolve(node.func) in _DRAWING:
            return self._change(node, node) if self._has_many_values(node) else None
        if isinstance(node.func, ast.Attribute) and node.func.attr == "item":
            return self._from_tensor(node.func.value, node, 0)
        if self.names.resolve(node.func) in ("builtins.int", "builtins.float") and node.args:
            return self._from_tensor(node.args[0], node, 0)
        return None

    def part_of_tensor(self, node: ast.expr) -> Change | None:
        """One number of a tensor that is drawn on the host: ``start`` of ``for start in torch.randint(…)``."""
        return self._from_tensor(node, node, 0)

    def _are_many_numbers(self, node: ast.expr) -> bool:
        """Whether a choice is made among more than a few numbers: a range, or a list that is written."""
        if isinstance(node, ast.Name):
            value = self.names.assigned(node)
            return value is not None and not isinstance(value, ast.Name) and self._are_many_numbers(value)
        if isinstance(node, ast.Call):
            called = self.names.resolve(node.func)
            if called in _LISTING and node.args:
                return self._are_many_numbers(node.args[0])
            bounds = [integer(argument) for argument in node.args]
            few = [n for n in bounds if n is not None and n <= A_FEW] if len(bounds) == 1 else []
            return called in _RANGES and not few
        return isinstance(node, ast.List | ast.Tuple) and len({n for e in node.elts if (n := integer(e))}) > A_FEW

    def _has_many_values(self, node: ast.Call) -> bool:
        """Whether it is a number, not an array (``np.random.rand(3, 4)``), and one of more than a few."""
        name = self.names.resolve(node.func) or ""
        if any(keyword.arg == "size" for keyword in node.keywords):
            return False
        if name.startswith("numpy.") and len(node.args) > (0 if name.endswith(("rand", "randn", "random")) else 2):
            return False
        if name.endswith(("randint", "randrange")) and node.args:
            bounds = [integer(argument) for argument in node.args[:2]]
            low, high = (0, bounds[0]) if len(bounds) == 1 else bounds
            return low is None or high is None or high - low >= A_FEW
        return True

    def _from_tensor(self, value: ast.expr, node: ast.expr, depth: int) -> Change | None:
        if depth > _MAX_DEPTH:
            return None
        if isinstance(value, ast.Call):
            if self.names.resolve(value.func) in _DRAWING_TENSORS:
                return self._change(value, node)
            if isinstance(value.func, ast.Attribute) and value.func.attr not in torch_api.HOST_METHODS:
                return self._from_tensor(value.func.value, node, depth + 1)
        elif isinstance(value, ast.Subscript):
            return self._from_tensor(value.value, node, depth + 1)
        elif isinstance(value, ast.Name):
            found = self.names.reaching(value)
            if len(found) == 1 and found[0].how in (How.ASSIGN, How.FOR) and found[0].value is not None:
                return self._from_tensor(found[0].value, node, depth + 1)
        return None

    def _change(self, call: ast.Call, node: ast.expr) -> Change | None:
        return Change(ast.unparse(node), Cause.DRAWN, self.code.facts, call) if self.code.in_step(call) else None
