"""What a question for a type leaves of a name: behind ``if isinstance(step, int): return …``, it is no number.

Within the branch it is one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.branches import leaves
from xlaport.facts.module import FunctionNode, Module
from xlaport.facts.names import Names

_NUMBERS = frozenset({"builtins.int", "builtins.float", "numbers.Number", "numbers.Integral", "numbers.Real"})


def is_no_number_here(module: Module, names: Names, node: ast.Name) -> bool:
    """Whether the program comes to this use of a name only where it holds no Python number, as it has asked before."""

    def asks(test: ast.expr) -> bool:
        return any(_asked_for(names, test, node))

    for child, parent in _around(module, node):
        if isinstance(child, ast.stmt):
            block = module.block(child)
            for earlier in block[: block.index(child)]:
                if isinstance(earlier, ast.If) and leaves(earlier.body) and asks(earlier.test):
                    return True
        if isinstance(parent, ast.If) and child in parent.orelse and asks(parent.test):
            return True
        if isinstance(parent, ast.IfExp) and child is parent.orelse and asks(parent.test):
            return True
    return False


def _around(module: Module, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """What is around a node up to its function, each with the part of it that the node is in."""
    child = node
    for parent in module.ancestors(node):
        yield child, parent
        if isinstance(parent, FunctionNode):
            return
        child = parent


def _asked_for(names: Names, test: ast.expr, node: ast.Name) -> list[bool]:
    """Whether each type is one of numbers that ``isinstance(n, int)`` or ``type(n) is int`` asks a name for."""
    if isinstance(test, ast.Call) and names.resolve(test.func) == "builtins.isinstance" and len(test.args) == 2:
        asked, kinds = test.args
        types = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    elif isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is | ast.Eq) and isinstance(test.left, ast.Call):
        call = test.left
        if names.resolve(call.func) != "builtins.type" or len(call.args) != 1:
            return []
        asked, types = call.args[0], list(test.comparators)
    else:
        return []
    if not isinstance(asked, ast.Name) or asked.id != node.id or names.reaching(asked) != names.reaching(node):
        return []
    return [names.resolve(kind) in _NUMBERS for kind in types]
