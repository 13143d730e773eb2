"""What one process alone runs: under a condition on its rank, or behind a way out for the others."""

from __future__ import annotations

import ast

from xlaport.context import Context

from .. import ranks

_ENDS = (ast.Return, ast.Continue, ast.Raise)


class Alone:
    """Ask `runs`."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._asking = [n for n in context.module.of_type(ast.If, ast.IfExp) if ranks.asks(context, n.test)]

    def runs(self, node: ast.AST) -> bool:
        """Whether one process alone comes to a node, as far as its own function says."""
        around = [node, *self._context.module.ancestors(node)]
        return any(n in self._asking for n in around) or any(
            self._is_behind(n) for n in around if isinstance(n, ast.stmt)
        )

    def _is_behind(self, statement: ast.stmt) -> bool:
        """``if rank != 0: return`` above."""
        above = self._context.module.block(statement)
        return any(
            one in self._asking and isinstance(one, ast.If) and isinstance(one.body[-1], _ENDS)
            for one in above[: above.index(statement)]
        )
