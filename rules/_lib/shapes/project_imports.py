"""What the imports of a file get from other files of the project."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context


def base(statement: ast.ImportFrom) -> str:
    """The module that an import takes something from, as it is written."""
    return "." * statement.level + (statement.module or "")


def project_modules(context: Context, statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """The modules of the project that an import gets something from, as they are written, and their files."""
    own, packages = context.view.own, context.view.program.packages
    written: list[str] = []
    if isinstance(statement, ast.Import):
        written = [alias.name for alias in statement.names]
    elif isinstance(statement, ast.ImportFrom):
        of = base(statement)
        inside = [f"{of}{'' if of.endswith('.') else '.'}{alias.name}" for alias in statement.names]
        written = [*([of] if statement.module else []), *inside]
    for module in written:
        found = packages.locate(own.file, module)
        if found is not None and not found[1]:
            yield module, found[0]
