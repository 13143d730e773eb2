"""The ``if __name__ == "__main__":`` of a file."""

from __future__ import annotations

import ast
from typing import TypeGuard

from xlaport.facts.module import Module


def main_guard(module: Module) -> ast.If | None:
    """The guard at the top of a file; None where it has none."""
    return next((s for s in module.tree.body if is_main_guard(s)), None)


def is_main_guard(node: ast.AST) -> TypeGuard[ast.If]:
    """Whether a statement runs its body only where the file is the program."""
    if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare):
        return False
    test = node.test
    if len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return False
    sides = [test.left, test.comparators[0]]
    return any(isinstance(s, ast.Name) and s.id == "__name__" for s in sides) and any(
        isinstance(s, ast.Constant) and s.value == "__main__" for s in sides
    )
