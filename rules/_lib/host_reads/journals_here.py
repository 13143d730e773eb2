"""The statements of a file that fill or show journals, and what their functions compute."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.program import Facts
from xlaport.facts.reads import HostRead
from xlaport.facts.structure import Function

from .journals import Journal, JournalFinder, closure_around


def journals_of(context: Context, *, held: bool = False) -> list[tuple[Journal, list[ast.stmt]]]:
    """The journals that a file fills or shows, or whose functions it has, with the statements of it that do so;
    `held`: those that are left as they are, as somebody asks to leave a part of them.

    All files are read as they are on disk, this one, too: so each comes to the same answer, in each round.
    """
    found = context.view.own.once("journals here", lambda: list(_here(context)))
    return [each for each in found if each[0].is_held is held]


def kept_statements(context: Context) -> frozenset[ast.stmt]:
    """The statements of a file that fill or show journals."""

    def found() -> frozenset[ast.stmt]:
        return frozenset(statement for _, statements in journals_of(context) for statement in statements)

    return context.view.own.once("calls of journals", found)


def _here(context: Context) -> Iterator[tuple[Journal, list[ast.stmt]]]:
    own, structure = context.view.own, context.flow.structure
    found_so = own.program.facts(own.file) if not context.view.is_alone else None
    if found_so is None:
        return
    disk = context.of(found_so)
    found: dict[int, tuple[Journal, list[ast.stmt]]] = {}
    for node in context.module.of_type(ast.FunctionDef):
        journal = _as_found(disk, Function(own, node))
        if journal is not None and any(facts is found_so for facts, _ in journal.computed.values()):
            found[id(journal)] = (journal, [])
    for call in context.module.calls:
        statement = context.module.parents[call]
        function = structure.run_by(own, call) if isinstance(statement, ast.Expr) else None
        journal = _as_found(disk, function) if function is not None else None
        if journal is None or not isinstance(statement, ast.Expr):
            continue
        sites = {_place(site.facts, site.node) for site in journal.sites.values()}
        if _place(own, call) in sites and closure_around(context, call) is None:
            found.setdefault(id(journal), (journal, []))[1].append(statement)
    yield from found.values()


def _as_found(disk: Context, function: Function) -> Journal | None:
    """The journal of a function as the files are on disk."""
    journals = disk.view.own.once("journals", dict[tuple[str, ...], Journal | None])
    name = function.path
    if name not in journals:
        own = disk.view.own
        if function.facts.file == own.file:
            nodes = own.module.of_type(ast.FunctionDef)
            node = next((node for node in nodes if Function(own, node).path == name), None)
            function = Function(own, node or function.node)
        is_there = function.node in function.facts.module.parents
        found = journals[name] = JournalFinder(disk).of(function) if is_there else None
        journals |= {f.path: found for f in found.functions.values()} if found is not None else {}
    return journals[name]


def _place(facts: Facts, call: ast.Call) -> tuple[str, ...]:
    """The function that a call stands in, and what it calls there."""
    function = facts.module.function(call)
    return (*(Function(facts, function).path if function is not None else (facts.file,)), ast.unparse(call.func))


def computed_here(context: Context, journal: Journal) -> Iterator[HostRead]:
    """What the functions of a journal in a file would have the device compute to read it, as the file is by now."""
    own = context.view.own
    found = {
        (Function(facts, function).path, ast.unparse(read.node))
        for facts, read in journal.computed.values()
        if (function := facts.module.function(read.node)) is not None
    }
    for node in context.module.of_type(ast.FunctionDef):
        for read in context.reads.all_in(node.body):
            if (Function(own, node).path, ast.unparse(read.node)) in found:
                yield read
