"""Imports that rules ask for, and imports that an edit has made idle."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xlaport.edits import EditError, Realiser, on_island
from xlaport.facts.module import FunctionNode, Module, last_name
from xlaport.facts.names import Names, Scope
from xlaport.finding import Import, RemoveStatement
from xlaport.notebook.placeholders import hidden_words, is_fenced, is_placeholder
from xlaport.splices import Splice


def additions(module: Module, wanted: Iterable[Import], newline: str, after: str) -> list[Splice]:
    """Splices that add the imports behind the import of `after` (``torch``), or among the first imports.

    Never inside a function or a conditional block, never before the docstring or ``__future__``.
    """
    needed = sorted(set(wanted) - _present(module))
    if not needed:
        return []
    anchor = _anchor(module, after, needed[0].module.split(".")[0])
    if anchor is None:
        text = "".join(request.statement() + newline for request in needed)
        # Not into a cell of a notebook that is not Python.
        first = next((statement for statement in module.tree.body if not is_placeholder(statement)), None)
        if first is not None:
            offset = module.line_start(module.position(module.span(first).start)[0])
            return [Splice(offset, offset, text + newline)]
        return [_appended(module, len(module.text), text, newline)]
    lines: dict[ast.stmt, str] = {}
    for request in needed:
        place = _behind_smaller(module, anchor, request)
        # A docstring has a blank line below it.
        start = newline if isinstance(place, ast.Expr) and place not in lines else ""
        lines[place] = lines.get(place, "") + start + request.statement() + newline
    return [
        _appended(module, module.line_end(place.end_lineno or place.lineno), text, newline)
        for place, text in lines.items()
    ]


def _appended(module: Module, offset: int, text: str, newline: str) -> Splice:
    """Whole lines put in at an offset, which begins a line or is an end without a newline."""
    if offset == len(module.text) and module.text and not module.text.endswith(("\n", "\r")):
        text = newline + text[: -len(newline)]
    return Splice(offset, offset, text)


def _behind_smaller(module: Module, anchor: ast.stmt, request: Import) -> ast.stmt:
    """`anchor`, or the last import directly below it that an earlier round put there and that sorts first."""
    package = request.module.split(".")[0]
    body = module.tree.body
    for statement in body[body.index(anchor) + 1 :]:
        if not isinstance(statement, ast.Import) or len(statement.names) != 1:
            break
        name = statement.names[0].name
        if name.split(".")[0] != package or name > request.module or not _ends_its_line(module, statement):
            break
        anchor = statement
    return anchor


def _present(module: Module) -> set[Import]:
    found: set[Import] = set()
    for statement in module.tree.body:
        if isinstance(statement, ast.Import):
            found |= {Import(a.name, a.asname or a.name) for a in statement.names}
    return found


def _anchor(module: Module, after: str, package: str) -> ast.stmt | None:
    """The statement behind which new imports of a package go: an import, else the docstring."""
    imports = [s for s in module.tree.body if isinstance(s, ast.Import | ast.ImportFrom) and _ends_its_line(module, s)]
    leading = [s for s in _leading(module) if s in imports]
    first = next((s for s in imports if _imports_from(s, after)), None)
    for statement in imports:
        if isinstance(statement, ast.Import) and any(a.name == after for a in statement.names):
            # What is imported from it further up may be used further up, too.
            if first in leading and statement not in leading:
                break
            return _last_of_its_parts(module, statement, after)
    if first is not None and is_fenced(module):
        return first
    for related in (after, package):
        found = [s for s in leading if _imports_from(s, related)]
        if found:
            return found[-1]
    if leading:
        return leading[-1]
    body = module.tree.body
    if body and _is_docstring(body[0]) and not is_placeholder(body[0]) and _ends_its_line(module, body[0]):
        return body[0]
    return None


def _ends_its_line(module: Module, statement: ast.stmt) -> bool:
    """Whether no code follows in the same line (``import torch; torch.manual_seed(0)``), which may need the import."""
    block = module.tree.body
    following = block[block.index(statement) + 1 :]
    return (
        not following
        or isinstance(following[0], ast.Import | ast.ImportFrom)
        or (following[0].lineno != statement.end_lineno)
    )


def _leading(module: Module) -> list[ast.stmt]:
    """The imports at the head of the file, before any other code (docstring and ``__future__`` included)."""
    found: list[ast.stmt] = []
    for index, statement in enumerate(module.tree.body):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            found.append(statement)
        elif not (index == 0 and _is_docstring(statement)) and not is_placeholder(statement):
            break
    return found


def _last_of_its_parts(module: Module, statement: ast.stmt, package: str) -> ast.stmt:
    """The last of the imports of parts of a package directly below its own: ``import torch.nn as nn``."""
    body = module.tree.body
    for below in body[body.index(statement) + 1 :]:
        is_part = isinstance(below, ast.Import) and all(a.name.startswith(f"{package}.") for a in below.names)
        if not is_part or below.lineno != (statement.end_lineno or 0) + 1 or not _ends_its_line(module, below):
            break
        statement = below
    return statement


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _imports_from(statement: ast.stmt, package: str) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return (statement.module or "").split(".")[0] == package
    return isinstance(statement, ast.Import) and any(a.name.split(".")[0] == package for a in statement.names)


def used_imports(module: Module, names: Names) -> set[str]:
    """The names that imports bind, at the top level and in the bodies of functions, and that the file uses."""
    return {
        place.key(bound)
        for place in _places(module, names)
        for statement in place.statements
        for bound in map(_bound_name, statement.names)
        if place.scope.bindings.get(bound) and names.uses(place.scope, bound)
    }


def removals(module: Module, names: Names, idle: set[str], newline: str) -> list[Splice]:
    """Splices that take out the imports whose names are in `idle` and are used no more."""
    needed = exported(module) | _named_in_annotations(module) | hidden_words(module.text)
    realiser = Realiser(module, newline)
    splices: list[Splice] = []
    for place in _places(module, names):
        removed: list[ast.stmt] = []
        for statement in place.statements:
            gone = [
                index
                for index, bound in enumerate(map(_bound_name, statement.names))
                if place.key(bound) in idle and bound not in needed and not names.uses(place.scope, bound)
            ]
            try:
                if len(gone) == len(statement.names):
                    if removed and len(removed) + 1 == len(module.block(statement)):
                        continue  # something has to stay in a block
                    splices += realiser.splices(RemoveStatement(module.span(statement)))
                    removed.append(statement)
                elif gone:
                    splices.append(_without_names(module, statement, gone))
            except EditError:
                continue  # an idle import does no harm
        if removed and (place.path or not module.text[: module.span(removed[0]).start].strip()):
            splices += _blank_lines_behind(module, removed)
    return splices


def _blank_lines_behind(module: Module, removed: list[ast.stmt]) -> list[Splice]:
    """The splice that takes out the blank lines with which a file, or the body of a function, would begin now."""
    block = module.block(removed[0])
    first = next((index for index, statement in enumerate(block) if statement not in removed), 0)
    if first == 0:
        return []
    start = end = module.line_end(block[first - 1].end_lineno or block[first - 1].lineno)
    while (blank := re.compile(r"[ \t]*(\r\n|\r|\n)").match(module.text, end)) is not None:
        end = blank.end()
    return [Splice(start, end, "")] if end > start else []


@dataclass(frozen=True)
class _Place:
    """The imports that stand directly in one scope: the module's, or a function's."""

    path: str
    scope: Scope
    statements: tuple[ast.Import | ast.ImportFrom, ...]

    def key(self, name: str) -> str:
        return f"{self.path}:{name}" if self.path else name


def _places(module: Module, names: Names) -> Iterator[_Place]:
    yield _Place("", names.root, _imports_in(module.tree.body))
    functions = [node for node in module.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    paths = {function: _path(module, function) for function in functions if _imports_in(function.body)}
    for function, path in paths.items():
        scope = names.scope_of(function)
        # Two functions of one name cannot be told apart from one text to the next.
        if scope is not None and list(paths.values()).count(path) == 1:
            yield _Place(path, scope, _imports_in(function.body))


def _imports_in(block: list[ast.stmt]) -> tuple[ast.Import | ast.ImportFrom, ...]:
    return tuple(statement for statement in block if isinstance(statement, ast.Import | ast.ImportFrom))


def _path(module: Module, function: FunctionNode) -> str:
    """``Class.method`` of a function."""
    around = [p for p in module.ancestors(function) if isinstance(p, ast.ClassDef | FunctionNode)]
    return ".".join([*(parent.name for parent in reversed(around)), function.name])


def _bound_name(alias: ast.alias) -> str:
    return alias.asname or alias.name.split(".")[0]


def _without_names(module: Module, statement: ast.stmt, gone: list[int]) -> Splice:
    span = module.span(statement)
    text = module.segment(statement)
    return Splice(span.start, span.end, on_island(lambda islands: islands.without_names(text, gone)))


def exported(module: Module) -> set[str]:
    """The names that the file lists in ``__all__``, however it fills it."""
    found: set[str] = set()
    for statement in module.tree.body:
        nodes = list(ast.walk(statement))
        if any(isinstance(node, ast.Name) and node.id == "__all__" for node in nodes):
            found |= {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    return found


def _named_in_annotations(module: Module) -> set[str]:
    """The words of annotations that are written as strings."""
    annotations: list[ast.expr | None] = []
    for node in module.nodes:
        if isinstance(node, ast.arg | ast.AnnAssign):
            annotations.append(node.annotation)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            annotations.append(node.returns)
        elif isinstance(node, ast.Call) and node.args and last_name(node.func) in ("cast", "TypeVar", "NewType"):
            annotations += [*node.args, *(keyword.value for keyword in node.keywords)]
    return {
        word
        for annotation in annotations
        if annotation is not None
        for part in ast.walk(annotation)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
        for word in re.findall(r"\w+", part.value)
    }
