"""What is computed from a value: expressions of its file that mention it, or a name that was made of it."""

from __future__ import annotations

import ast

from xlaport.facts.names import Binding, How
from xlaport.facts.program import Facts

_MAKING = frozenset({How.ASSIGN, How.UNPACK, How.AUGMENT, How.FOR})
_MAX_DEPTH = 40


class Derived:
    """Answers for one value."""

    def __init__(self, facts: Facts, source: ast.expr) -> None:
        self.facts = facts
        self.source = source
        self._bindings: dict[Binding, bool] = {}
        self._depth = 0

    def has(self, node: ast.expr) -> bool:
        """Whether an expression is computed from the value, as far as the names of its function tell."""
        for part in ast.walk(node):
            if part is self.source:
                return True
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                if any(self._is_made(binding) for binding in self.facts.names.reaching(part)):
                    return True
        return False

    def _is_made(self, binding: Binding) -> bool:
        if binding not in self._bindings:
            self._bindings[binding] = False  # while it is asked: a loop goes through itself
            value = binding.value if binding.how in _MAKING else None
            if value is not None and self._depth < _MAX_DEPTH:
                self._depth += 1
                self._bindings[binding] = self.has(value)
                self._depth -= 1
        return self._bindings[binding]
