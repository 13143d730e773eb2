"""What new code is made of: how far it is indented, whether it fits beside other code, which lines stay as they are."""

from __future__ import annotations

import ast

from xlaport.facts.module import Module

COMPOUND = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match, ast.FunctionDef,
    ast.AsyncFunctionDef, ast.ClassDef, *((ast.TryStar,) if hasattr(ast, "TryStar") else ()),
)  # fmt: skip
"""The statements that hold blocks."""


def indent_of(module: Module, statement: ast.stmt) -> str:
    """What stands before a statement in its line."""
    start = module.span(statement).start
    text = module.text[module.line_start(module.position(start)[0]) : start]
    return text[: len(text) - len(text.lstrip(" \t\f"))].rpartition("\f")[2]


def indent_unit(module: Module, statement: ast.stmt) -> str:
    """What one level of indentation is: in the blocks around a statement, or else anywhere in the file."""
    around = [parent for parent in module.ancestors(statement) if isinstance(parent, ast.stmt)]
    for parent in [*around, *(node for node in module.nodes if isinstance(node, COMPOUND))]:
        body: list[ast.stmt] = getattr(parent, "body", [])
        if body and module.position(module.span(body[0]).start)[0] > parent.lineno:
            outer, inner = indent_of(module, parent), indent_of(module, body[0])
            if inner.startswith(outer) and inner != outer:
                return inner[len(outer) :]
    return "    "


def _parsed(code: str) -> ast.Module | None:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError):
        return None


def fits_a_shared_line(code: str) -> bool:
    """Whether `code` is one simple statement on one line, which can stand wherever one stood before."""
    tree = _parsed(code) if "\n" not in code else None
    return tree is not None and len(tree.body) == 1 and not isinstance(tree.body[0], COMPOUND) and "#" not in code


def kept_lines(code: str, indent: str) -> set[int]:
    """The lines of `code`, from 0, that must not be indented (see `Realiser`)."""
    tree = _parsed(code)
    if tree is None:
        return set()
    kept: set[int] = set()
    lines = code.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt | ast.expr) or isinstance(node, COMPOUND):
            continue
        assert node.end_lineno is not None
        further = range(node.lineno, node.end_lineno)
        inside_string = isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        )
        copied = indent and all(not lines[index].strip() or lines[index].startswith(indent) for index in further)
        if inside_string or copied:
            kept.update(further)
    return kept
