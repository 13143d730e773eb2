"""What is computed element by element: which expressions have the dimensions of a tensor that they are made of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.facts.literals import number
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.roles import Role, dotted, roles_of

_METHODS = frozenset(
    "abs neg sign exp log sqrt square sigmoid tanh relu clamp round floor ceil float double half bfloat16 long int "
    "bool to type detach clone contiguous cpu cuda isnan isinf isfinite logical_not logical_and logical_or logical_xor "
    "bitwise_not eq ne lt le gt ge greater greater_equal less less_equal not_equal add sub mul div remainder bernoulli "
    "isclose data".split()
)
"""Methods, and functions of torch with the same name, whose result has the dimensions of their operands."""
_LIKE = frozenset("zeros_like ones_like empty_like full_like rand_like randn_like randint_like bernoulli".split())
_OF_SIZE = frozenset("zeros ones empty full rand randn".split())
"""Functions that make a tensor of a size, which is their first argument."""
_MAX_DEPTH = 8


def is_of_same_rank(facts: Facts, node: ast.expr, tensor: ast.expr) -> bool:
    """Whether an expression is computed from a tensor, element by element, so that it has at least its dimensions.

    The same holds for what the tensor itself is computed from, as long as nothing else takes part in that. What they
    have in common is a name or an attribute, which holds the same value where the expression was computed.
    """
    for base in _bases(facts, tensor, 0):
        path = dotted(base)
        if path is not None and _Search(facts, base, path).found(node, 0):
            return True
    return False


def _bases(facts: Facts, node: ast.expr, depth: int) -> Iterator[ast.expr]:
    """A tensor, and what it is computed from alone, element by element: they have the same dimensions."""
    yield node
    if depth > _MAX_DEPTH:
        return
    if isinstance(node, ast.Name):
        if (value := facts.names.assigned(node)) is not None:
            yield from _bases(facts, value, depth + 1)
    elif isinstance(node, ast.UnaryOp):
        yield from _bases(facts, node.operand, depth + 1)
    elif isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if _is_number(facts, other):
                yield from _bases(facts, one, depth + 1)
    elif isinstance(node, ast.Compare):
        if all(_is_number(facts, other) for other in node.comparators):
            yield from _bases(facts, node.left, depth + 1)
    elif isinstance(node, ast.Call):
        name = facts.names.resolve(node.func)
        if name is not None and name.startswith("torch.") and name.rpartition(".")[2] in _LIKE and node.args:
            yield from _bases(facts, node.args[0], depth + 1)
            return
        if name is None and isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
            operand, others = node.func.value, node.args
        elif name is not None and name.startswith("torch.") and name.rpartition(".")[2] in _METHODS and node.args:
            operand, others = node.args[0], node.args[1:]
        else:
            return
        if all(_is_number(facts, other) or roles_of(facts).is_(other, Role.DEVICE) for other in others):
            yield from _bases(facts, operand, depth + 1)


def _is_number(facts: Facts, node: ast.expr) -> bool:
    is_truth = isinstance(node, ast.Constant) and isinstance(node.value, bool)
    return is_truth or number(node) is not None or roles_of(facts).is_(node, Role.NUMBER)


class _Search:
    def __init__(self, facts: Facts, tensor: ast.expr, path: str) -> None:
        self.facts = facts
        self.path = path
        self.bindings = self._bindings(tensor)

    def found(self, node: ast.expr, depth: int) -> bool:
        if depth > _MAX_DEPTH:
            return False
        if dotted(node) == self.path:
            return self._bindings(node) == self.bindings
        if isinstance(node, ast.Compare):
            return any(self.found(part, depth + 1) for part in [node.left, *node.comparators])
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.MatMult):
                return False
            return self.found(node.left, depth + 1) or self.found(node.right, depth + 1)
        if isinstance(node, ast.UnaryOp):
            return self.found(node.operand, depth + 1)
        if isinstance(node, ast.Name):
            reaching = self.facts.names.reaching(node)
            values = [b.value for b in reaching if b.how is How.ASSIGN]
            return bool(values) and len(values) == len(reaching) and all(
                value is not None and self.found(value, depth + 1) for value in values
            )  # fmt: skip
        return isinstance(node, ast.Call) and self._call(node, depth + 1)

    def _call(self, node: ast.Call, depth: int) -> bool:
        name = self.facts.names.resolve(node.func)
        if name is not None:
            if not name.startswith("torch."):
                return False
            last = name.rpartition(".")[2]
            if last in _OF_SIZE:
                return bool(node.args) and self._is_size(node.args[0])
            operands = node.args[:1] if last in _LIKE else node.args
            return last in _METHODS | _LIKE and any(self.found(a, depth) for a in operands)
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _METHODS:
            return False
        others = [] if node.func.attr in ("to", "type") else node.args  # `mask.to(x)` has the type of x
        return any(self.found(a, depth) for a in [node.func.value, *others])

    def _is_size(self, node: ast.expr) -> bool:
        """``x.shape`` and ``x.size()``."""
        if isinstance(node, ast.Call) and not node.args and not node.keywords:
            node = node.func
        return isinstance(node, ast.Attribute) and node.attr in ("shape", "size") and (
            dotted(node.value) == self.path and self._bindings(node.value) == self.bindings
        )  # fmt: skip

    def _bindings(self, node: ast.expr) -> frozenset[int]:
        """What the name at the root of a path may be bound to where it stands."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return frozenset(id(b) for b in self.facts.names.reaching(node)) if isinstance(node, ast.Name) else frozenset()
