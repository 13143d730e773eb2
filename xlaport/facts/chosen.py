"""Functions that a program chooses: by the class of an object, by a name for one of several, by handing one back.

``policy.train(buffer)`` behind ``policy = TD3(…) if … else DDPG(…)``, and ``step(batch)`` behind
``step = make_step(model)`` or ``step = functools.partial(update, model)``, or ``look(x)`` behind
``look = Whole(x) if … else Sparse(x)`` of classes with a ``__call__``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from xlaport.facts.lineage import Function
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.structure import Structure

_MAX_DEPTH = 3


def functions_chosen(structure: Structure, facts: Facts, call: ast.Call) -> list[Function]:
    """The functions one of which a call runs; none where it may run another."""
    return _held_by(structure, facts, call.func, 0) or _called_objects(structure, facts, call.func)


def _called_objects(structure: Structure, facts: Facts, node: ast.expr) -> list[Function]:
    """The ``__call__`` of each class that an object may be of which is called like a function."""
    owners = structure.instances_of(facts, node)
    if any(structure.is_module(owner) for owner in owners):
        return []
    methods = (structure.method(owner, "__call__") for owner in owners)
    return _joined([method] if method is not None else [] for method in methods)


def _held_by(structure: Structure, facts: Facts, node: ast.expr, depth: int) -> list[Function]:
    """The functions one of which an expression stands for."""
    if depth > _MAX_DEPTH:
        return []
    named = structure.function_named(facts, node) if isinstance(node, ast.Name | ast.Attribute) else None
    if named is not None:
        return [named]
    if isinstance(node, ast.IfExp):
        return _joined(_held_by(structure, facts, part, depth + 1) for part in (node.body, node.orelse))
    if isinstance(node, ast.Attribute):
        owners = structure.instances_of(facts, node.value)
        # Where the object is of a class without such a method, the program ends here.
        having = [owner for owner in owners if not structure.lacks(owner, node.attr)]
        methods = (structure.method(owner, node.attr) for owner in having)
        return _joined([method] if method is not None else [] for method in methods)
    if isinstance(node, ast.Name):
        return _joined(
            [Function(facts, binding.node)]
            if isinstance(binding.node, FunctionNode)
            else _held_by(structure, facts, binding.value, depth + 1)
            if binding.how is How.ASSIGN and binding.value is not None
            else []
            for binding in facts.names.reaching(node)
        )
    if isinstance(node, ast.Call) and facts.names.resolve(node.func) == "functools.partial" and node.args:
        return _held_by(structure, facts, node.args[0], depth + 1)
    if isinstance(node, ast.Call):
        makers = _held_by(structure, facts, node.func, depth + 1)
        return _joined(_handed_back(structure, maker, depth + 1) for maker in makers)
    return []


def _handed_back(structure: Structure, maker: Function, depth: int) -> list[Function]:
    """The functions one of which a function returns: those that are defined in it, as a rule."""
    nodes = list(walk_block(maker.node.body))
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes):
        return []
    values = [node.value for node in nodes if isinstance(node, ast.Return)]
    return _joined(_held_by(structure, maker.facts, value, depth) if value is not None else [] for value in values)


def _joined(found: Iterable[list[Function]]) -> list[Function]:
    """The functions of what may be one of several; none where one of them is not known."""
    every = list(found)
    return list(dict.fromkeys(f for functions in every for f in functions)) if all(every) else []
