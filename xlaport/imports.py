"""Imports that rules ask for, and imports that an edit has made idle."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.edits import Realiser, Splice
from xlaport.facts.module import Module
from xlaport.facts.names import How, Names
from xlaport.rule import Import, RemoveStatement, Replace, Span


def additions(module: Module, wanted: Iterable[Import], newline: str, after: str) -> list[Splice]:
    """One splice that adds the imports behind the import of `after` (``torch``), or among the first imports.

    Never inside a function or a conditional block, never before the docstring or ``__future__``.
    """
    needed = sorted(set(wanted) - _present(module))
    if not needed:
        return []
    text = "".join(request.statement() + newline for request in needed)
    anchor = _anchor(module, after)
    if anchor is None:
        first = module.tree.body[0] if module.tree.body else None
        offset = module.line_start(_first_line(first)) if first is not None else len(module.text)
        return [Splice(offset, offset, text + newline if first is not None else text)]
    assert anchor.end_lineno is not None
    offset = module.line_end(anchor.end_lineno)
    if offset == len(module.text) and not module.text.endswith(("\n", "\r")):
        return [Splice(offset, offset, newline + text[: -len(newline)])]
    return [Splice(offset, offset, text)]


def _present(module: Module) -> set[Import]:
    found: set[Import] = set()
    for statement in module.tree.body:
        if isinstance(statement, ast.Import):
            found |= {Import(a.name, a.asname or a.name) for a in statement.names}
    return found


def _anchor(module: Module, after: str) -> ast.stmt | None:
    imports = [s for s in module.tree.body if isinstance(s, ast.Import | ast.ImportFrom)]
    leading = _leading(module)
    for statement in imports:
        if isinstance(statement, ast.Import) and any(a.name == after for a in statement.names):
            return statement
    related = [s for s in leading if _imports_from(s, after)]
    if related:
        return related[-1]
    if leading:
        return leading[-1]
    body = module.tree.body
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        return body[0]
    return None


def _leading(module: Module) -> list[ast.stmt]:
    """The imports at the head of the file, before any other code (docstring and ``__future__`` included)."""
    found: list[ast.stmt] = []
    for index, statement in enumerate(module.tree.body):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            found.append(statement)
        elif not (index == 0 and isinstance(statement, ast.Expr)):
            break
    return found


def _imports_from(statement: ast.stmt, package: str) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return (statement.module or "").split(".")[0] == package
    return isinstance(statement, ast.Import) and any(a.name.split(".")[0] == package for a in statement.names)


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(d.lineno for d in decorators)])


def used_imports(module: Module, names: Names) -> set[str]:
    """The names that imports bind at the top level and that the file uses."""
    return {
        name
        for name, bindings in names.root.bindings.items()
        if any(b.how is How.IMPORT for b in bindings) and names.uses(names.root, name)
    }


def removals(module: Module, names: Names, idle: set[str], newline: str) -> list[Splice]:
    """Splices that take out the top-level imports whose names are in `idle` and are used no more."""
    exported = _exported(module)
    realiser = Realiser(module, newline)
    splices: list[Splice] = []
    for statement in module.tree.body:
        if not isinstance(statement, ast.Import | ast.ImportFrom):
            continue
        gone = [
            alias
            for alias in statement.names
            if (bound := alias.asname or alias.name.split(".")[0]) in idle
            and bound not in exported
            and not names.uses(names.root, bound)
        ]
        if len(gone) == len(statement.names):
            splices += realiser.splices(RemoveStatement(module.span(statement)))
        elif gone:
            splices += _without_aliases(module, statement, gone, realiser)
    return splices


def _without_aliases(
    module: Module, statement: ast.Import | ast.ImportFrom, gone: list[ast.alias], realiser: Realiser
) -> list[Splice]:
    kept = [module.segment(alias) for alias in statement.names if alias not in gone]
    first, last = module.span(statement.names[0]), module.span(statement.names[-1])
    return realiser.splices(Replace(Span(first.start, last.end), ", ".join(kept)))


def _exported(module: Module) -> set[str]:
    for statement in module.tree.body:
        if isinstance(statement, ast.Assign) and any(
            isinstance(t, ast.Name) and t.id == "__all__" for t in statement.targets
        ):
            return {
                element.value
                for element in ast.walk(statement.value)
                if isinstance(element, ast.Constant) and isinstance(element.value, str)
            }
    return set()
