"""The functions and modules of `helpers.toml`, and how one of them gets into a file."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from xlaport.context import Context
from xlaport.rule import Edit, Import, InsertStatement

from ..host_reads.device_values import torch_name

FILE = Path(__file__).with_name("helpers.toml")


@cache
def _table() -> dict[str, dict[str, str]]:
    return {entry["name"]: entry for entry in tomllib.loads(FILE.read_text(encoding="utf-8"))["helper"]}


@cache
def helpers() -> dict[str, str]:
    """The code of each helper, with ``{torch}`` where it names torch."""
    return {name: entry["code"].strip("\n") for name, entry in _table().items()}


def helper(context: Context, name: str, node: ast.AST) -> tuple[tuple[Edit, ...], tuple[Import, ...]] | None:
    """The edits that define a helper at the top of the file, unless it stands there; None where it cannot.

    Its name has to be free, and torch to be imported at the top of the file, where `node` uses the helper.
    """
    anchor = last_import(context, node)
    if anchor is None:
        return None
    text, imports = torch_name(context, "x", anchor)
    code = helpers()[name].replace("{torch}", text.removesuffix(".x"))
    bound = context.names.root.bindings.get(name, [])
    module = _table()[name].get("imports")
    needed = (Import(module, module),) if module is not None else ()
    if any(_is_the_same(context, binding.node, code) for binding in bound) and len(bound) == 1:
        return (), ()
    if imports or any(isinstance(n, ast.Name) and n.id == name for n in context.module.nodes) or bound:
        return None
    return (InsertStatement(context.span(anchor), f"\n\n{code}{blank_behind(context, anchor)}"),), needed


def is_helper(context: Context, node: ast.AST) -> bool:
    """Whether a node belongs to a helper that the file has got."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, ast.FunctionDef | ast.ClassDef) and parent.name in helpers():
            return True
    return False


def blank_behind(context: Context, anchor: ast.stmt) -> str:
    """The blank lines that are missing behind a statement for a definition to follow it."""
    line = (anchor.end_lineno or anchor.lineno) + 1
    blank = 0
    while line + blank <= context.module.line_count and blank < 2:
        if context.module.text[context.module.line_start(line + blank) : context.module.line_end(line + blank)].strip():
            break
        blank += 1
    return "\n" * (2 - blank)


def last_import(context: Context, node: ast.AST) -> ast.stmt | None:
    """The last import at the top of the file in front of the statement that a node belongs to."""
    found: ast.stmt | None = None
    line = getattr(node, "lineno", 1)
    for statement in context.module.tree.body:
        if statement.lineno > line:
            break
        if isinstance(statement, ast.Import | ast.ImportFrom):
            found = statement
    return found


def _is_the_same(context: Context, node: ast.AST, code: str) -> bool:
    return isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.dump(node) == ast.dump(ast.parse(code).body[0])
