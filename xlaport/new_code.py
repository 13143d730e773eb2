"""What new code is made of: whether it fits beside other code, and which of its lines stay as they are."""

from __future__ import annotations

import ast

COMPOUND = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match, ast.FunctionDef,
    ast.AsyncFunctionDef, ast.ClassDef, *((ast.TryStar,) if hasattr(ast, "TryStar") else ()),
)  # fmt: skip
"""The statements that hold blocks."""


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
