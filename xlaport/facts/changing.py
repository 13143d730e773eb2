"""Changing numbers: Python numbers that are others in the next step, and what makes them change.

A number changes where it counts the passes of a loop of steps, is counted up from step to step, is drawn anew in each
step, or is computed from one that changes. A counter of a loop inside of a step is the same in every step.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator
from dataclasses import dataclass, replace

from xlaport.facts.names import Binding, How
from xlaport.facts.roles import TENSORS, Role, dotted
from xlaport.facts.sequences import Sequences
from xlaport.facts.step_code import StepCode

A_FEW = 4
"""As many values are no matter: each is met soon, and never again for the first time."""

_MAX_DEPTH = 12
_NOT_NUMBERS = (Role.TENSOR, Role.HOST_TENSOR, Role.MODEL, Role.TEXT, Role.OTHER, Role.LOADER, Role.DEVICE)
_KEEPING = frozenset("builtins." + name for name in "int float round abs max min pow sum".split())
_DRAWING = frozenset(
    [f"random.{name}" for name in "random randint randrange uniform gauss normalvariate betavariate triangular".split()]
    + [f"numpy.random.{name}" for name in "random rand randn randint uniform normal beta random_sample".split()]
)
_DRAWING_TENSORS = frozenset(
    f"torch.{name}" for name in "rand randn randint randperm normal bernoulli multinomial empty_like".split()
) - {"torch.empty_like"}
_READING = frozenset({"item", "tolist", "numpy", "cpu"})


class Cause(enum.Enum):
    """Why a number is another one in the next step."""

    COUNTS = "counts the passes of the loop"
    ADVANCES = "is counted up"
    DRAWN = "is drawn anew"


@dataclass(frozen=True)
class Change:
    """A number that changes from step to step."""

    name: str
    """The source, as the code spells it: ``i``, ``self.step``, ``random.random()``."""
    cause: Cause
    node: ast.AST
    """Where it changes: the loop that it counts, the statement that counts it up, the call that draws it."""
    sure: bool = True
    """Whether everything that it is computed from is known to be a number."""


class Changing:
    """Finds the changing numbers among the expressions of a file."""

    def __init__(self, code: StepCode) -> None:
        self.module = code.module
        self.names = code.names
        self.roles = code.roles
        self.code = code
        self._sequences = Sequences(code.names)
        self._memo: dict[ast.AST, Change | None] = {}
        self._open: set[object] = set()

    def of(self, node: ast.expr) -> Change | None:
        """What makes an expression another number in the next step; None for everything else."""
        if node in self._memo:
            return self._memo[node]
        if node in self._open or len(self._open) > _MAX_DEPTH * 4:
            return None
        self._open.add(node)
        try:
            found = self._infer(node)
        finally:
            self._open.discard(node)
        if not self._open:
            self._memo[node] = found
        return found

    def bound(self, node: ast.expr) -> Change | None:
        """The same for the bound of a slice, where a tensor of the host is a number, too: ``x[torch.randint(…):]``."""
        if not self.roles.is_(node, Role.HOST_TENSOR):
            return self.of(node)
        parts = [n for n in ast.walk(node) if isinstance(n, ast.Name | ast.Call)]
        return next((c for part in parts if (c := self._from_drawn_tensor(part, part, 0) or self.of(part))), None)

    # -- expressions -----------------------------------------------------------------------------------

    def _infer(self, node: ast.expr) -> Change | None:
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
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
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.Subscript):
            return self._drawn_number(node)
        return None

    def _combined(self, node: ast.expr, operands: list[ast.expr]) -> Change | None:
        if self.roles.role(node) in _NOT_NUMBERS and not self._is_made_of_parameters(node):
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
            bound = _integer(node.right)
            return bound is not None and bound <= A_FEW
        return False

    # -- calls -----------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Change | None:
        name = self.names.resolve(node.func) or ""
        if name in _DRAWING:
            return self._drawn(node, node) if self._draws_a_number(node) else None
        if name in _KEEPING or name.startswith(("math.", "numpy.")):
            if name == "builtins.min" and any((_integer(a) or A_FEW + 1) <= A_FEW for a in node.args):
                return None
            return self._drawn_number(node) or self._combined(node, node.args)
        functions = self.code.runs(node)
        if functions and self._is_number(node):
            nodes = [n for function in functions for n in self.code.walk(function.body)]
            returned = [n.value for n in nodes if isinstance(n, ast.Return) and n.value is not None]
            return next((c for value in returned if (c := self.of(value)) is not None), None)
        return self._drawn_number(node)

    def _draws_a_number(self, node: ast.Call) -> bool:
        """Not an array (``np.random.rand(3, 4)``), and more than a few different numbers."""
        name = self.names.resolve(node.func) or ""
        if any(keyword.arg == "size" for keyword in node.keywords):
            return False
        if name.startswith("numpy.") and len(node.args) > (0 if name.endswith(("rand", "randn", "random")) else 2):
            return False
        if name.endswith(("randint", "randrange")) and node.args:
            bounds = [_integer(argument) for argument in node.args[:2]]
            low, high = (0, bounds[0]) if len(bounds) == 1 else bounds
            return low is None or high is None or high - low >= A_FEW
        return True

    def _drawn_number(self, node: ast.expr) -> Change | None:
        """``int(torch.randint(…))``, ``torch.rand(1).item()``: a number drawn as a tensor of the host."""
        reads = isinstance(node, ast.Call) and (
            (isinstance(node.func, ast.Attribute) and node.func.attr == "item")
            or self.names.resolve(node.func) in ("builtins.int", "builtins.float")
        )
        if not reads:
            return None
        assert isinstance(node, ast.Call)
        value = node.func.value if isinstance(node.func, ast.Attribute) else node.args[0] if node.args else None
        return self._from_drawn_tensor(value, node, 0) if value is not None else None

    def _from_drawn_tensor(self, value: ast.expr, node: ast.expr, depth: int) -> Change | None:
        if depth > _MAX_DEPTH:
            return None
        if isinstance(value, ast.Call):
            if self.names.resolve(value.func) in _DRAWING_TENSORS:
                return self._drawn(value, node)
            if isinstance(value.func, ast.Attribute):
                return self._from_drawn_tensor(value.func.value, node, depth + 1)
            return None
        if isinstance(value, ast.Subscript | ast.Attribute):
            return self._from_drawn_tensor(value.value, node, depth + 1)
        if isinstance(value, ast.Name):
            found = self.names.reaching(value)
            if len(found) == 1 and found[0].how in (How.ASSIGN, How.FOR) and found[0].value is not None:
                return self._from_drawn_tensor(found[0].value, node, depth + 1)
        return None

    def _drawn(self, call: ast.Call, node: ast.expr) -> Change | None:
        if not self.code.in_step(call):
            return None
        return Change(ast.unparse(node), Cause.DRAWN, call)

    # -- names -----------------------------------------------------------------------------------------

    def _name(self, node: ast.Name) -> Change | None:
        bindings = self.names.reaching(node)
        if not any(binding.how is How.PARAMETER for binding in bindings) and self.roles.role(node) in _NOT_NUMBERS:
            return None
        for binding in bindings:
            change = self._binding(binding, node)
            if change is not None:
                return change
        return None

    def _binding(self, binding: Binding, use: ast.Name) -> Change | None:
        if binding in self._open:
            return None
        self._open.add(binding)
        try:
            return self._infer_binding(binding, use)
        finally:
            self._open.discard(binding)

    def _infer_binding(self, binding: Binding, use: ast.Name) -> Change | None:
        if binding.how is How.FOR and isinstance(binding.node, ast.Name):
            return self._counter(binding.node)
        if binding.how is How.PARAMETER and isinstance(binding.node, ast.arg):
            return self._parameter(binding.node)
        if binding.how is How.UNPACK and isinstance(binding.value, ast.Name | ast.Call):
            return None
        if binding.value is None or not isinstance(binding.node, ast.Name):
            return None
        if binding.how in (How.AUGMENT, How.ASSIGN) and self._is_carried(binding):
            return Change(binding.name, Cause.ADVANCES, self.module.statement(binding.node))
        if binding.how is How.ASSIGN:
            change = self.of(binding.value)
            if change is not None and change.cause is Cause.DRAWN and change.node in ast.walk(binding.value):
                return replace(change, name=binding.name)
            return change
        if binding.how is How.AUGMENT:
            # `n += i` of a number that starts anew in every step.
            change = self.of(binding.value)
            return change or next(
                (c for b in self.names.reaching(binding.node) if (c := self._binding(b, use)) is not None), None
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
                for n in _arithmetic(binding.value)
                if isinstance(n, ast.Name) and n.id == target.id and self.names.home(n) is home
            ]
        return any(self.code.is_carried(use, binding, loop) for use in uses)

    def _is_number_or_unknown(self, value: ast.expr | None) -> bool:
        return value is None or self.roles.role(value) in (None, Role.NUMBER)

    def _counter(self, target: ast.Name) -> Change | None:
        """The number that a loop counts, if its passes are steps, or what it counts to or from changes."""
        loop: ast.AST = target
        while isinstance(loop, ast.Name | ast.Tuple | ast.List | ast.Starred):
            loop = self.module.parents[loop]
        if not isinstance(loop, ast.For | ast.AsyncFor | ast.comprehension):
            return None
        counted = self._sequences.counted(loop.target, loop.iter, target)
        if counted is None:
            return None
        if isinstance(loop, ast.comprehension):
            return next((c for bound in counted.bounds if (c := self.of(bound)) is not None), None)
        # A loop inside of a step counts the same numbers in every step, or is another loop each time.
        counts = self.code.counts_steps(loop) and not counted.few(A_FEW)
        return Change(target.id, Cause.COUNTS, loop) if counts else None

    def _parameter(self, arg: ast.arg) -> Change | None:
        """A parameter that a step passes a changing number for."""
        function = self.module.parents[self.module.parents[arg]]
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            return None
        for call in self.code.calls_to(function):
            value = self.roles.argument_for(call, function, arg.arg)
            change = self.of(value) if value is not None else None
            if change is not None:
                return change
        return None

    # -- attributes ------------------------------------------------------------------------------------

    def _attribute(self, node: ast.Attribute) -> Change | None:
        """``self.step``, which some code of the step counts up, and none sets back."""
        path = dotted(node)
        if path is None or self.roles.role(node) in _NOT_NUMBERS:
            return None
        carried: ast.stmt | None = None
        for target in self._stores(node):
            statement = self.module.statement(target)
            if not self.code.in_step(target):
                continue
            if self._goes_on(statement, target):
                carried = carried or statement
            elif self._is_on_every_way(statement):
                return None
        return Change(path, Cause.ADVANCES, carried) if carried is not None else None

    def _stores(self, node: ast.Attribute) -> Iterator[ast.Attribute]:
        owner = self.roles.instance_class(node.value)
        path, here = dotted(node), self.module.function(node)
        for other in self.module.nodes:
            if not isinstance(other, ast.Attribute) or other.attr != node.attr or isinstance(other.ctx, ast.Load):
                continue
            if owner is not None:
                if self.roles.instance_class(other.value) is owner:
                    yield other
            elif dotted(other) == path and self.module.function(other) is here:
                yield other

    def _goes_on(self, statement: ast.stmt, target: ast.Attribute) -> bool:
        """``self.n += 1`` and ``self.n = (self.n + k) % size``."""
        if isinstance(statement, ast.AugAssign):
            return statement.target is target and self._is_number_or_unknown(statement.value)
        if isinstance(statement, ast.Assign) and self._is_number_or_unknown(statement.value):
            path = dotted(target)
            return any(isinstance(n, ast.Attribute) and dotted(n) == path for n in _arithmetic(statement.value))
        return False

    def _is_on_every_way(self, statement: ast.stmt) -> bool:
        parent = self.module.parents[statement]
        return isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef) or (
            isinstance(parent, ast.For | ast.While) and self.code.counts_steps(parent)
        )


def _arithmetic(value: ast.expr) -> Iterator[ast.expr]:
    """The operands that a number is computed from by operators alone."""
    yield value
    if isinstance(value, ast.BinOp):
        yield from _arithmetic(value.left)
        yield from _arithmetic(value.right)
    elif isinstance(value, ast.UnaryOp):
        yield from _arithmetic(value.operand)
    elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("int", "min", "max"):
        for argument in value.args:
            yield from _arithmetic(argument)


def _integer(node: ast.expr) -> int | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = _integer(node.operand)
        return -found if found is not None else None
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
