"""Reaching definitions inside one scope: which of the places that bind a name may have given it its value."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from xlaport.facts.module import Module

_Loop = ast.For | ast.AsyncFor | ast.While
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def definitions(module: Module, use: ast.AST, places: Sequence[ast.AST]) -> set[ast.AST]:
    """The binding nodes among `places` that may reach `use`. All of them belong to the scope of `use`.

    Walks backwards from the use: a plain assignment ends the search, a branch or a loop that binds the name
    adds to it, and inside a loop whatever the body binds may come from the pass before.
    """
    statements = {place: module.statement(place) for place in places}
    reached: set[ast.AST] = set()
    here = module.function(use)
    # Bound from elsewhere (`global x` in another function): it may have run at any time.
    for place, statement in statements.items():
        inner = statement if not isinstance(statement, _Function) else place
        if module.function(inner) is not here and not isinstance(place, ast.arg):
            reached.add(place)
    node: ast.stmt = module.statement(use)
    while True:
        if isinstance(module.parents[node], ast.Module | ast.match_case | ast.ExceptHandler | ast.stmt):
            block = module.block(node)
            for earlier in reversed(block[: block.index(node)]):
                if _bound_in(module, earlier, statements, reached):
                    return reached
        parent = module.parents[node]
        if isinstance(parent, ast.match_case | ast.ExceptHandler):
            reached |= {p for p in places if p is parent or parent in module.ancestors(p)}
            parent = module.parents[parent]
            reached |= {p for p, s in statements.items() if _inside(module, s, parent)}
        if isinstance(parent, ast.Module):
            return reached
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return reached | {p for p in places if isinstance(p, ast.arg)}
        assert isinstance(parent, ast.stmt)
        if isinstance(parent, _Loop):
            # A value from the pass before comes round again.
            reached |= {p for p, s in statements.items() if s is not parent and _inside(module, s, parent)}
        own = [p for p, s in statements.items() if s is parent]
        if own:
            reached |= set(own)
            if isinstance(parent, ast.For | ast.AsyncFor) and node in parent.body:
                return reached
            if isinstance(parent, ast.With | ast.AsyncWith):
                return reached
        if isinstance(parent, ast.Try):
            reached |= {p for p, s in statements.items() if _inside(module, s, parent)}
        node = parent


def _bound_in(module: Module, statement: ast.stmt, statements: dict[ast.AST, ast.stmt], reached: set[ast.AST]) -> bool:
    """Add what a statement binds; True where it binds on every path, so that nothing earlier shows through."""
    own = [place for place, s in statements.items() if s is statement]
    if own:
        reached |= set(own)
        plain = any(
            not isinstance(module.parents[place], ast.NamedExpr) or module.parents[place] is statement for place in own
        )
        if not isinstance(statement, ast.AugAssign | _Loop | ast.If | ast.While | ast.Try) and plain:
            return True
    if isinstance(statement, ast.With | ast.AsyncWith):
        return any(_bound_in(module, inner, statements, reached) for inner in reversed(statement.body))
    if isinstance(statement, ast.If) and statement.orelse:
        ends = [_block_binds(module, block, statements, reached) for block in (statement.body, statement.orelse)]
        return all(ends)
    inside = {p for p, s in statements.items() if s is not statement and _inside(module, s, statement)}
    reached |= inside
    return False


def _block_binds(
    module: Module, block: list[ast.stmt], statements: dict[ast.AST, ast.stmt], reached: set[ast.AST]
) -> bool:
    if block and isinstance(block[-1], ast.Return | ast.Raise | ast.Continue | ast.Break):
        # What a branch binds before it leaves does not come here.
        return True
    return any(_bound_in(module, inner, statements, reached) for inner in reversed(block))


def _inside(module: Module, statement: ast.stmt, outer: ast.AST) -> bool:
    return any(parent is outer for parent in module.ancestors(statement))
