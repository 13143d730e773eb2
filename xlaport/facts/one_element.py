"""Losses of one element that may have a dimension: ``(log_p.sum(0) + log_q.view(-1, 1).sum(0)) / n``.

backward() takes them without a gradient as it takes a tensor without dimensions, but a format takes only the latter.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from xlaport.facts.held import Held
from xlaport.facts.module import FunctionNode, last_name
from xlaport.facts.names import Binding, How
from xlaport.facts.operations import REDUCING, RESHAPING, Operations
from xlaport.facts.passed import passed_to_any
from xlaport.facts.program import Facts
from xlaport.facts.structure import Class, Structure
from xlaport.facts.vocabulary import MODULE_KEEPING_METHODS

Values = list[tuple[Facts, ast.expr | None]]

_CRITERION = re.compile(r"loss|crit|similarity|distance|contrast", re.IGNORECASE)
_MAX_FILES = 50
_FILLING = frozenset({"zeros", "ones", "full", "empty"})
_JOINING = frozenset({"cat", "concat", "concatenate", "stack", "hstack", "vstack", "atleast_1d"})


class OneElement:
    """Looks through what computes a loss for what may leave it a dimension.

    `held` knows what expressions hold, and `values` what may give a name its value.
    """

    def __init__(
        self,
        structure: Structure,
        operations: Operations,
        held: Callable[[Facts, ast.expr], Held],
        values: Callable[[Facts, ast.expr], Values],
    ) -> None:
        self.structure = structure
        self.operations = operations
        self.held = held
        self.values = values
        self._asked: set[Facts] = set()
        """The files whose criteria are being looked through."""

    def may_have_dimensions(self, facts: Facts, bindings: tuple[Binding, ...]) -> bool:
        """Whether what computes a name, as far as it is seen, may give a tensor with a dimension of one element."""
        seen: set[ast.AST] = set()
        return any(self._bound(facts, binding, seen) for binding in bindings)

    def value_may(self, facts: Facts, value: ast.expr) -> bool:
        """The same for an expression."""
        return self._may(facts, value, set())

    def _bound(self, facts: Facts, binding: Binding, seen: set[ast.AST]) -> bool:
        if binding.node in seen:
            return False
        seen.add(binding.node)
        if binding.how is How.PARAMETER:
            given = passed_to_any(self.structure, facts, binding)
            return any(value is not None and self._may(where, value, seen) for where, value in given)
        if binding.value is None:
            return False
        if binding.how is How.UNPACK:
            return any(
                isinstance(value, ast.Tuple)
                and binding.index is not None
                and binding.index < len(value.elts)
                and self._may(where, value.elts[binding.index], seen)
                for where, value in [(facts, binding.value), *self._returned(facts, binding.value)]
            )
        return binding.how in (How.ASSIGN, How.AUGMENT) and self._may(facts, binding.value, seen)

    def _may(self, facts: Facts, node: ast.expr, seen: set[ast.AST]) -> bool:
        if isinstance(node, ast.Name):
            return any(self._bound(facts, binding, seen) for binding in facts.names.reaching(node))
        if isinstance(node, ast.BinOp):
            return any(self._may(facts, side, seen) for side in (node.left, node.right))
        if isinstance(node, ast.UnaryOp):
            return self._may(facts, node.operand, seen)
        if isinstance(node, ast.IfExp):
            return any(self._may(facts, branch, seen) for branch in (node.body, node.orelse))
        if not isinstance(node, ast.Call) or node in seen or self.held(facts, node).is_scalar:
            return False
        seen.add(node)
        returned = list(self._returned(facts, node))
        if returned:
            return any(self._may(where, value, seen) for where, value in returned)
        return self._operation(facts, node, seen) or self._criterion(facts, node)

    def _criterion(self, facts: Facts, node: ast.Call) -> bool:
        """Whether a criterion that nobody sees, ``criterion_list[1](x, y)``, may be one of the project's that does."""
        is_own = facts.names.resolve(node.func) is None and _CRITERION.search(last_name(node.func) or "") is not None
        if not is_own or facts in self._asked:
            return False
        self._asked.add(facts)
        try:
            return facts.once("criteria of one element", lambda: any(self._given_by_criteria(facts)))
        finally:
            self._asked.discard(facts)

    def _given_by_criteria(self, facts: Facts) -> Iterator[bool]:
        """For what the project's criteria around a file give, whether it may have a dimension."""
        files = [facts.file] if facts.view.is_alone else sorted(facts.program.graph.connected([facts.file]))
        for around in filter(None, map(facts.view.facts, files[:_MAX_FILES])):
            for owner in around.module.of_type(ast.ClassDef):
                if _CRITERION.search(owner.name) is not None:
                    values = (
                        r.value for m in owner.body if isinstance(m, FunctionNode) for r in around.module.returns(m)
                    )
                    yield from (self._may(around, value, set()) for value in values if value is not None)

    def _operation(self, facts: Facts, node: ast.Call, seen: set[ast.AST]) -> bool:
        name = last_name(node.func) or ""
        is_torch = (facts.names.resolve(node.func) or "").startswith("torch.")
        if not is_torch and (not isinstance(node.func, ast.Attribute) or facts.names.resolve(node.func) is not None):
            return False
        if is_torch and name in _FILLING:
            return self.held(facts, node).rank == 1  # `loss = torch.zeros(1)`, to which losses are added in place
        if name in REDUCING:
            return self.operations.reduced_dimension(facts, node)[0]
        if name in RESHAPING or name in _JOINING:
            return True
        operand = node.args[0] if is_torch and node.args else getattr(node.func, "value", None)
        return isinstance(operand, ast.expr) and self._may(facts, operand, seen)

    def _returned(self, facts: Facts, node: ast.expr) -> Iterator[tuple[Facts, ast.expr]]:
        """What the function of the project hands back that a call runs, or the modules one of which it calls."""
        if not isinstance(node, ast.Call):
            return
        function = self.structure.run_by(facts, node)
        functions = [function] if function is not None and function.node.name != "__init__" else []
        for owner in self._classes(facts, node.func, set()) if not functions else ():
            forward = self.structure.method(owner, "forward")
            functions += [forward] if forward is not None else []
        for function in functions:
            for statement in function.facts.module.returns(function.node):
                if statement.value is not None:
                    yield function.facts, statement.value

    def _classes(self, facts: Facts, node: ast.expr, seen: set[ast.AST]) -> list[Class]:
        """The classes that an object may be of: ``criterion`` of ``criterion = A() if args.a else B().cuda()``."""
        if node in seen:
            return []
        seen.add(node)
        if isinstance(node, ast.IfExp):
            return self._classes(facts, node.body, seen) + self._classes(facts, node.orelse, seen)
        if isinstance(node, ast.Call):
            made = self.structure.class_named(facts, node.func)
            if made is not None:
                return [made]
            if isinstance(node.func, ast.Attribute) and node.func.attr in MODULE_KEEPING_METHODS:
                return self._classes(facts, node.func.value, seen)
        given = [(where, value) for where, value in self.values(facts, node) if value is not None]
        return [found for where, value in given for found in self._classes(where, value, seen)]
