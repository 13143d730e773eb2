"""A helper that another file of the program has, or gets in the same conversion: it is imported, not written twice.

The files of a project are converted one at a time, so the rule is asked what it will do to the other one, as that is on
disk. Only a file that this one imports already, and that does not import this one at any distance, can give the helper;
or else a module beside this one that is no more than definitions (`modules_beside`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.import_graph import reached
from xlaport.facts.program import Facts
from xlaport.rule import Applicability, Edit, Finding, InsertStatement, Replace
from xlaport.suppressions.comments import in_python

from ..blocks import newline
from .modules_beside import beside
from .project_imports import base, project_modules

_WIDTH, _MAX_WIDTH = 98, 120
"""Of a line that a name is added to; the wider one, where the file has lines of that width."""


@dataclass(frozen=True)
class Adding:
    """The rule that adds a helper, and how far its fixes may be trusted."""

    check: Callable[[Context], Iterator[Finding]]
    code: str
    applicability: Applicability


def imported_helper(
    context: Context, name: str, anchor: ast.stmt, adding: Adding, has: Callable[[Context, ast.AST], bool]
) -> tuple[Edit, ...] | None:
    """The edits that import a helper from the first file that gives it; none where it is imported; None without one.

    `anchor` is the last import in front of the code that needs the helper; `has` says whether a definition is it.
    """
    if context.view.is_alone:
        return None
    body = context.module.tree.body
    bound = context.names.root.bindings.get(name, [])
    for statement in body[: body.index(anchor) + 1]:
        for module, file in project_modules(context, statement):
            if not _gives(context, file, name, adding, has):
                continue
            if not bound:
                return (_import(context, statement, module, name),)
            around = context.module.parents[bound[0].node]
            same = len(bound) == 1 and isinstance(around, ast.ImportFrom) and base(around) == module
            return () if same else None
    for module, file in () if bound else beside(context):
        if _gives(context, file, name, adding, has):
            return (InsertStatement(context.span(anchor), f"from {module} import {name}"),)
    return None


def can_import(context: Context, file: str) -> bool:
    """Whether another file imports something from this one at its top already, and this one nothing from it."""
    own, there = context.view.own, context.view.facts(file)
    if there is None or file in reached([own.file], context.view.program.graph.imports):
        return False
    other = context.of(there)
    return any(own.file in (found for _, found in project_modules(other, s)) for s in other.module.tree.body)


def _import(context: Context, statement: ast.stmt, module: str, name: str) -> Edit:
    """What imports a name from a module beside a statement that imports something of it, or in it."""
    if isinstance(statement, ast.ImportFrom) and base(statement) == module:
        last = statement.names[-1]
        line = context.module.text[: context.span(last).end].rpartition("\n")[2]
        is_open = context.module.segment(statement).endswith(")")  # and not broken by a backslash
        if is_open and line.strip() == context.module.segment(last):
            indent = line[: len(line) - len(line.lstrip())]
            apart = newline(context.module, statement.lineno)
            return Replace(context.span(last), f"{line.strip()},{apart}{indent}{name}")
        widest = max(len(one.rstrip()) for one in context.module.text.splitlines())
        if last.name != "*" and len(line) + len(name) < max(_WIDTH, min(_MAX_WIDTH, widest)):
            return Replace(context.span(last), f"{context.module.segment(last)}, {name}")
    return InsertStatement(context.span(statement), f"from {module} import {name}")


def _gives(context: Context, file: str, name: str, adding: Adding, has: Callable[[Context, ast.AST], bool]) -> bool:
    """Whether a file has a helper, or gets it from the same rule in this run, and can be imported."""
    own, program = context.view.own, context.view.program
    there = context.view.facts(file)
    if there is None or there is own or own.file in reached([file], program.graph.imports):
        return False
    other = context.of(there)
    bindings = there.names.root.bindings.get(name, [])
    if bindings:
        return len(bindings) == 1 and has(other, bindings[0].node)
    if file not in program.writable or file in program.partly:
        return False
    key = "gets helper", name, adding.code, adding.applicability
    return there.once(key, lambda: any(_adds(there, f, name, adding) for f in adding.check(other)))


def _adds(there: Facts, finding: Finding, name: str, adding: Adding) -> bool:
    """Whether a fix brings a helper into its file, and nobody asks to leave its place as it is."""
    if finding.code != adding.code or finding.applicability is not adding.applicability:
        return False
    comments = in_python(there.module.text)
    places = [place for edit in finding.edits if (place := _place(edit, name)) is not None]
    return bool(places) and not any(comments.keeps(place, adding.code) for place in (finding.span.start, *places))


def _place(edit: Edit, name: str) -> int | None:
    """Where an edit defines a name, or imports it."""
    if isinstance(edit, Replace):
        return edit.span.start if re.search(rf",\s+{name}$", edit.code) else None
    if not isinstance(edit, InsertStatement):
        return None
    statement = ast.parse(edit.code).body[0]
    names = [alias.name for alias in statement.names] if isinstance(statement, ast.ImportFrom) else []
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        names = [statement.name]
    return edit.anchor.start if name in names else None
