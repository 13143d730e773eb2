"""The functions and modules of the families' `helpers.toml`, and how one of them gets into a file."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from xlaport.context import Context
from xlaport.rule import Edit, Import, InsertStatement
from xlaport.tables import read_table

from ..host_reads.device_values import torch_name
from .shared_helpers import Adding, imported_helper

FILES = sorted(Path(__file__).parents[2].glob("*/helpers.toml"))


@cache
def _table() -> dict[str, dict[str, str]]:
    return {entry["name"]: entry for file in FILES for entry in read_table(file)["helper"]}


@cache
def helpers() -> dict[str, str]:
    """The code of each helper, with ``{torch}`` where it names torch."""
    return {name: entry["code"].strip("\n") for name, entry in _table().items()}


@dataclass(frozen=True)
class Helper:
    """How a helper gets into a file."""

    edits: tuple[Edit, ...] = ()
    imports: tuple[Import, ...] = ()
    source: str = "added to the file"
    """Where it comes from, behind "which is"."""


def helper(context: Context, name: str, node: ast.AST, adding: Adding) -> Helper | None:
    """The edits that define a helper at the top of the file, or import it; None where neither can be.

    Its name and that of the module that it needs have to be free, and something to be imported at the top of the file,
    where `node` uses the helper.
    """
    anchor = last_import(context, node)
    if anchor is None:
        return None
    shared = imported_helper(context, name, anchor, adding, lambda there, made: _is_defined_by(there, made, name))
    if shared is not None:
        return Helper(shared, source="imported")
    text, imports = torch_name(context, "x", anchor)
    code = helpers()[name].replace("{torch}", text.removesuffix(".x"))
    bound = context.names.root.bindings.get(name, [])
    module = _table()[name].get("imports")
    if module is not None and "." not in module and context.free_name(Import(module, module)) != module:
        return None
    needed = (*imports, *((Import(module, module),) if module is not None else ()))
    if any(_is_the_same(context, binding.node, code) for binding in bound) and len(bound) == 1:
        return Helper()
    if any(isinstance(n, ast.Name) and n.id == name for n in context.module.nodes) or bound:
        return None
    return Helper((InsertStatement(context.span(anchor), f"\n\n{code}{blank_behind(context, anchor)}"),), needed)


def _is_defined_by(context: Context, node: ast.AST, name: str) -> bool:
    """Whether a definition of a file is a helper, as it is written there."""
    torch = torch_name(context, "x", node)[0].removesuffix(".x")
    return _is_the_same(context, node, helpers()[name].replace("{torch}", torch))


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
