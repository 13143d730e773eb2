"""What a run has shown of the expressions of a file, in the text that it has now."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from xlaport.facts.module import Module
from xlaport.facts.program import Facts, Program
from xlaport.observed.matching import WATCHED, same
from xlaport.observed.record import Expression, Observations, digest


def observed_in(facts: Facts) -> Mapping[ast.AST, Expression]:
    """By its node, what was seen of each expression of a file; of one that conversions have changed, where it is left.

    Nothing, where another text of the file has run.
    """
    if not facts.program.observed.files:
        return {}
    return facts.once("observed", lambda: _observed_in(facts))


def _observed_in(facts: Facts) -> dict[ast.AST, Expression]:
    original = facts.program.facts(facts.file)
    module = original.module if original is not None else facts.module
    found = placed(module, facts.program.observed.of(module.text))
    if module.text == facts.module.text or not found:
        return {**placed(facts.module, facts.program.observed.of(module.text))}
    return {now: found[node] for node, now in same(module, facts.module) if node in found}


def placed(module: Module, expressions: tuple[Expression, ...]) -> dict[ast.AST, Expression]:
    """The same, of the text that has run."""
    by_place = {expression.place: expression for expression in expressions}
    if not by_place:
        return {}
    nodes = {node: place_of(node) for node in module.of_type(*WATCHED) if isinstance(node, ast.expr)}
    return {node: by_place[place] for node, place in nodes.items() if place in by_place}


def files_of(program: Program) -> Mapping[str, str]:
    """The true paths of the files that have run, by the names under which the evidence knows them."""
    return program.once("files observed", lambda: _files_of(program))


def _files_of(program: Program) -> dict[str, str]:
    texts = ((file, facts.module.text) for file in program.files if (facts := program.facts(file)) is not None)
    found: dict[str, str] = {}
    for file, text in texts:
        known = program.observed.files.get(digest(text))
        if known is not None and (known[0] not in found or Path(file).match(known[0])):  # others may have the same text
            found[known[0]] = file
    return found


def makers_of(program: Program) -> Mapping[int, tuple[str, tuple[int, int, int, int]]]:
    """By the number of an expression, its file and its place there, in the text that has run."""
    return program.once("makers observed", lambda: _makers_of(program))


def _makers_of(program: Program) -> dict[int, tuple[str, tuple[int, int, int, int]]]:
    files = files_of(program)
    return {
        each.number: (files[name], each.place)
        for name, expressions in program.observed.files.values()
        if name in files
        for each in expressions
    }


def carried(observed: Observations, texts: Iterable[tuple[str, str]]) -> Observations:
    """What a run has shown, of other texts of its files: pairs of a text that has run, and one made of it."""
    files = dict[str, tuple[str, tuple[Expression, ...]]]()
    for before, after in texts:
        known = observed.files.get(digest(before))
        if known is not None:
            files[digest(after)] = known if before == after else (known[0], _carried(known[1], before, after))
    return replace(observed, files=files)


def _carried(expressions: tuple[Expression, ...], before: str, after: str) -> tuple[Expression, ...]:
    old, new = Module(before), Module(after)
    found = placed(old, expressions)
    pairs = ((found[node], now) for node, now in same(old, new) if node in found)
    return tuple(replace(known, place=place_of(now)) for known, now in pairs)


def place_of(node: ast.expr) -> tuple[int, int, int, int]:
    """Where an expression stands: lines and columns (in bytes), from 1."""
    return node.lineno, node.col_offset + 1, node.end_lineno or 0, (node.end_col_offset or 0) + 1
