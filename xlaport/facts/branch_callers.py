"""Who comes to a branch: of the calls of a function, those that leave out the argument that the branch stands in for.

``n = lengths.max() if n is None else n`` reads `lengths` for the calls that give no `n` alone: only what these pass for
`lengths` says whether it is a tensor of the device.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.role import Role, is_none
from xlaport.facts.roles import roles_of
from xlaport.facts.structure import CallSite, Function, Structure

_MAX_DEPTH = 4
_OF_HOST = (Role.HOST_TENSOR, Role.NUMBER, Role.OTHER)


def is_of_host(facts: Facts, structure: Structure, node: ast.expr) -> bool:
    """Whether a value is computed from a parameter, in a branch for calls that leave out another one, and all of
    these calls pass something of the host.
    """
    root = _root(facts, node)
    function = parameter_of(facts, root) if root is not None else None
    if root is None or function is None:
        return False
    left_out = set(_left_out(facts, function, node))
    called = Function(facts, function)
    sites = structure.calls_to(called) if left_out else []
    coming = [s for s in sites if all(_may_be_missing(structure, s, called, name) for name in left_out)]
    if not coming:
        # The calls of a method may be out of sight.
        return bool(sites) and facts.module.parents[function] is facts.module.tree
    given = [structure.given(site, called, root.id) for site in coming]
    return all(value is not None and roles_of(where).is_(value, *_OF_HOST) for where, value in given)


def _root(facts: Facts, node: ast.expr) -> ast.Name | None:
    """``lengths`` of ``lengths.max()`` and of ``torch.max(lengths)``."""
    while not isinstance(node, ast.Name):
        if isinstance(node, ast.Call):
            is_function = (facts.names.resolve(node.func) or "").startswith("torch.")
            if is_function and not node.args:
                return None
            node = node.args[0] if is_function else node.func
        elif isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        else:
            return None
    return node


def parameter_of(facts: Facts, name: ast.Name) -> FunctionNode | None:
    """The function whose parameter a name is, as it was passed."""
    found = facts.names.reaching(name)
    if len(found) != 1 or found[0].how is not How.PARAMETER:
        return None
    return facts.module.function_of(found[0].node)


def _left_out(facts: Facts, function: FunctionNode, node: ast.AST) -> Iterator[str]:
    """The parameters that are None, or nothing else that counts, wherever a place in a function is come to."""
    child = node
    for parent in facts.module.ancestors(node):
        if parent is function:
            return
        if isinstance(parent, ast.IfExp | ast.If) and child is not parent.test:
            body = parent.body if isinstance(parent.body, list) else [parent.body]
            for name in _missing_where(parent.test, any(child is part for part in body)):
                if parameter_of(facts, name) is function:
                    yield name.id
        child = parent


def _missing_where(test: ast.expr, holds: bool) -> Iterator[ast.Name]:
    """The names that have no value where a test holds, or does not: ``n`` of ``n is None`` and of ``not n``."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _missing_where(test.operand, not holds)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) is holds:
        for part in test.values:
            yield from _missing_where(part, holds)
    elif isinstance(test, ast.Name) and not holds:
        yield test
    elif isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and is_none(test.comparators[0]):
        if isinstance(test.ops[0], ast.Is | ast.Eq if holds else ast.IsNot | ast.NotEq):
            yield test.left


def _may_be_missing(structure: Structure, site: CallSite, called: Function, name: str) -> bool:
    """Whether a call may leave a parameter out, or pass None for it: not where it passes what is computed."""
    where, value = structure.given(site, called, name)
    if value is None or isinstance(value, ast.Constant):
        return value is None or not value.value
    return not (isinstance(value, ast.BinOp | ast.Call | ast.Subscript) or roles_of(where).is_(value, Role.NUMBER))


def is_called_under(
    structure: Structure, function: Function, holds: Callable[[Facts, ast.expr], bool], depth: int = 0
) -> bool:
    """Whether each call of a function stands under a condition of which `holds` is true, there or further out."""
    sites = structure.calls_to(function) if depth < _MAX_DEPTH else []
    return bool(sites) and all(_is_under(structure, site, holds, depth) for site in sites)


def _is_under(structure: Structure, site: CallSite, holds: Callable[[Facts, ast.expr], bool], depth: int) -> bool:
    child: ast.AST = site.node
    for parent in site.facts.module.ancestors(site.node):
        if isinstance(parent, ast.If | ast.IfExp) and child is not parent.test and holds(site.facts, parent.test):
            return True
        if isinstance(parent, FunctionNode):
            return is_called_under(structure, Function(site.facts, parent), holds, depth + 1)
        child = parent
    return False
