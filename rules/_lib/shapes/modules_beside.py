"""The modules of the same folder that a module may import something from, although it imports nothing of them yet."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.facts.main_guards import is_main_guard
from xlaport.facts.module import Module
from xlaport.facts.program import Program
from xlaport.facts.trials import is_test_file

from ..main_guard import main_guard
from .project_imports import project_modules

_DEFINES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
_EVERYWHERE = frozenset({"torch", "numpy"})
"""What a program of PyTorch has installed."""


def beside(context: Context) -> Iterator[tuple[str, str]]:
    """Modules beside a module, as it would import them, and their files; those first that import the least.

    A module that imports more than another one may import from that one, and never the other way around; among those
    that import as much, the one that is run by itself gives, or else the one that more import: no circle comes of it.
    """
    own, program = context.view.own.file, context.view.program
    if not _is_plain(own) or not _only_defines(context.module) or main_guard(context) is not None:
        return  # as a script, it would not find them
    form = _form(context)
    if form is None:
        return
    folder, rank = os.path.dirname(own), _rank(program, own)
    near = [file for file in program.files if os.path.dirname(file) == folder and file != own and _is_plain(file)]
    ranks = {file: _rank(program, file) for file in near}
    known = _EVERYWHERE | _foreign(context.module)
    for file in sorted((f for f in near if ranks[f] < rank), key=lambda f: ranks[f]):
        there = context.view.facts(file)
        if there is None or not _only_defines(there.module) or not _foreign(there.module) <= known:
            continue
        module = form + os.path.basename(file).removesuffix(".py")
        if program.packages.locate(own, module) == (file, ()):
            yield module, file


def _rank(program: Program, file: str) -> tuple[int, bool, int, str]:
    data, graph = program.data(file), program.graph
    importers = len(graph.imported_by.get(file, ()))
    return len(reached([file], graph.imports)), b"__main__" not in data, -importers, file


def _is_plain(file: str) -> bool:
    """Whether a file is a module by its name, and none of tests."""
    name = os.path.basename(file)
    return name.endswith(".py") and name[:-3].isidentifier() and name != "__init__.py" and not is_test_file(file)


def _only_defines(module: Module) -> bool:
    """Whether nothing happens when a module is imported."""
    return all(
        isinstance(s, _DEFINES)
        or is_main_guard(s)
        or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        or (isinstance(s, ast.Assign) and not any(isinstance(n, ast.Call | ast.Await) for n in ast.walk(s.value)))
        for s in module.tree.body
    )


def _foreign(module: Module) -> frozenset[str]:
    """The packages that a module imports at its top by absolute names, other than Python's own."""
    found: set[str] = set()
    for statement in module.tree.body:
        if isinstance(statement, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom) and not statement.level:
            found.add((statement.module or "").partition(".")[0])
    return frozenset(found - sys.stdlib_module_names)


def _form(context: Context) -> str | None:
    """What the name of a module beside this one begins with, as others import this one; None where they differ."""
    program, own = context.view.program, context.view.own.file
    forms: set[str] = set()
    for importer in program.graph.imported_by.get(own, ()):
        there = context.view.facts(importer)
        if there is None:
            return None
        for statement in there.module.of_type(ast.Import, ast.ImportFrom):
            for module, file in project_modules(context.of(there), statement):
                if file == own:
                    before = module.removesuffix(os.path.basename(own).removesuffix(".py"))
                    forms.add("." if before.startswith(".") else before)
    if not forms or (len(forms) > 1 and "" in forms):
        return None
    if "" in forms or not (len(forms) > 1 or _is_relative(context)):
        return forms.pop()
    return "."


def _is_relative(context: Context) -> bool:
    """Whether modules of the folder import each other by relative names."""
    program, folder = context.view.program, os.path.dirname(context.view.own.file)
    near = [facts for file in program.files if os.path.dirname(file) == folder and (facts := context.view.facts(file))]
    return any(s.level == 1 for facts in near for s in facts.module.of_type(ast.ImportFrom))
