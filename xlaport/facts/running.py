"""What runs where: functions that no call names, lambdas too. It is what `xlaport.analysis` knows, with the files."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from xlaport.analysis.chosen import Chosen
from xlaport.analysis.chosen import chosen as of_calls
from xlaport.facts.module import FunctionNode, LoopNode, walk_block
from xlaport.facts.program import Facts
from xlaport.facts.structure import Function, Structure


def going_on(structure: Structure, facts: Facts, node: ast.AST) -> list[Function]:
    """The functions that run at a node without being called there in words, and the generators that go on there.

    ``__exit__()`` and what is behind a ``yield``, where a ``with`` gets a context; the body of what ``next()`` and
    ``send()`` go on with; what ``map()`` gets.
    """
    analysis = structure.analysis(facts)
    found = (structure.function_of(analysis, function) for function in analysis.going_on(node))
    return [function for function in found if function is not None]


def beside(structure: Structure, facts: Facts) -> Mapping[ast.AST, list[Function]]:
    """All that `going_on` tells of the nodes of a file that are no calls: an operator, a property, what a loop asks."""

    def found() -> dict[ast.AST, list[Function]]:
        nodes = structure.analysis(facts).all_going_on()
        own = (node for node in nodes if not isinstance(node, ast.Call) and node in facts.module.parents)
        return {node: functions for node in own if (functions := going_on(structure, facts, node))}

    return facts.once("beside", found)


def lambdas(structure: Structure, facts: Facts, node: ast.AST) -> Iterator[tuple[Facts, ast.Lambda]]:
    """The lambdas one of which a call runs, or which run at another node, each with its file."""
    analysis = structure.analysis(facts)
    called = analysis.run_by(node) if isinstance(node, ast.Call) else ()
    for function in (*called, *analysis.going_on(node)):
        there = analysis.facts(function.file)
        if isinstance(function.node, ast.Lambda) and there is not None:
            yield there, function.node


def places(structure: Structure, facts: Facts, function: FunctionNode | ast.Lambda) -> Iterator[tuple[Facts, ast.AST]]:
    """Where a function of a file goes on, or runs without being called in words; of a lambda, its calls as well."""
    analysis = structure.analysis(facts)
    found = analysis.function_at(function)
    if found is None:
        return
    sites = analysis.sites(found) if isinstance(function, ast.Lambda) else {}
    for node, caller in (*sites.items(), *analysis.places(found).items()):
        there = analysis.facts(caller.file)
        if there is not None:
            yield there, node


def wrappers(structure: Structure, facts: Facts, function: FunctionNode) -> list[Function]:
    """What decorators of the project put around a function of a file: this runs where that is called."""
    analysis = structure.analysis(facts)
    found = analysis.function_at(function)
    each_one = (structure.function_of(analysis, one) for one in (analysis.wrappers(found) if found is not None else ()))
    return [one for one in each_one if one is not None]


def wrapped(structure: Structure, facts: Facts, wrapper: ast.AST) -> list[Function]:
    """The functions that one of a file is put around by a decorator."""
    analysis = structure.analysis(facts)
    found = analysis.function_at(wrapper)
    each_one = (structure.function_of(analysis, one) for one in (analysis.wrapped(found) if found is not None else ()))
    return [one for one in each_one if one is not None]


def chosen(structure: Structure, facts: Facts, function: ast.AST) -> list[tuple[Facts, ast.Call, Chosen]]:
    """The calls of a function of a file, each with what it runs for that, where a text chooses that these pass."""

    def found() -> list[tuple[Facts, ast.Call, Chosen]]:
        analysis = structure.analysis(facts)
        own = analysis.function_at(function)
        calls = of_calls(analysis, own).items() if own is not None else ()
        return [(analysis.facts_of(call), call, runs) for call, runs in calls]

    return facts.once(("chosen", function), found)


def all_run(structure: Structure, facts: Facts, statements: Sequence[ast.AST]) -> Iterator[tuple[Facts, ast.AST]]:
    """The nodes that run with some statements, also in the functions of the project that they call, each once."""
    todo, met = [(facts, statements)], set[ast.AST]()
    for there, block in todo:
        for node in walk_block(block):
            yield there, node
            for function in structure.runs(there, node) if isinstance(node, ast.Call) else ():
                if function.node not in met:
                    met.add(function.node)
                    todo.append((function.facts, function.node.body))


def is_begun_once(structure: Structure, facts: Facts, loop: ast.AST) -> bool:
    """Whether a loop begins but once in a run of the program, as far as callers are seen: not within another one, nor
    in a function that is called from one.
    """
    return _is_begun_once(structure, facts, loop, frozenset())


def _is_begun_once(structure: Structure, facts: Facts, node: ast.AST, seen: frozenset[ast.AST]) -> bool:
    for parent in facts.module.ancestors(node):
        if isinstance(parent, LoopNode | ast.Lambda):
            return False
        if isinstance(parent, FunctionNode):
            if parent in seen:
                return False
            sites = structure.calls_to(Function(facts, parent))
            return all(_is_begun_once(structure, site.facts, site.node, seen | {parent}) for site in sites)
    return True
