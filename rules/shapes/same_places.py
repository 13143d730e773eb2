"""Other places of a program that list what the same mask selects: what they give belongs together."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.program import Facts
from xlaport.facts.structure import CallSite, Function

from ..series import series

_LISTING = frozenset({"nonzero", "argwhere"})
_FORMING = frozenset({"view", "reshape", "flatten"})
"""Methods that give the same truth values in another form."""
_NAMES = dict[str, frozenset[object]]
"""The names of a mask, each with what it may be bound to."""


def together(context: Context, call: ast.Call, mask: ast.expr) -> str:
    """What else has to get all places, as a sentence; empty where nothing lists the same ones."""
    lines = dict.fromkeys(
        f"line {context.line_of(facts, other)}" for facts, other in _partners(context, call, mask) if other is not call
    )
    if not lines:
        return ""
    verb = "lists" if len(lines) == 1 else "list"
    return (
        f". {series(lines).capitalize()} {verb} the places of the same mask: do the same there, or what the two select "
        "does not fit together any more"
    )


def _partners(context: Context, call: ast.Call, mask: ast.expr) -> Iterator[tuple[Facts, ast.Call]]:
    own = context.view.own
    function = own.module.function(call)
    if not isinstance(function, FunctionNode):
        return
    wanted, names = _meaning(mask, {}), _bound(own, mask)
    yield from _like(own, function, wanted, names)
    structure = context.flow.structure
    for node in walk_block(function.body):
        if isinstance(node, ast.Call) and (run := structure.run_by(own, node)) is not None and run.node is not function:
            for there in _listings(run.facts, run.node):
                found = _from_outside(context, CallSite(own, node), run, there)
                if found is not None and found[0] == wanted and found[1] == names:
                    yield run.facts, there
    here = Function(own, function)
    for site in structure.calls_to(here):
        outer = site.facts.module.function(site.node)
        if isinstance(outer, FunctionNode) and outer is not function:
            found = _from_outside(context, site, here, call)
            if found is not None:
                yield from _like(site.facts, outer, *found)


def _like(facts: Facts, function: FunctionNode, wanted: str, names: _NAMES) -> Iterator[tuple[Facts, ast.Call]]:
    """The calls in a function that list the places of a mask."""
    for call in _listings(facts, function):
        mask = _mask(facts, call)
        if mask is not None and _meaning(mask, {}) == wanted and _bound(facts, mask) == names:
            yield facts, call


def _listings(facts: Facts, function: FunctionNode) -> list[ast.Call]:
    return [n for n in walk_block(function.body) if isinstance(n, ast.Call) and _mask(facts, n) is not None]


def _mask(facts: Facts, call: ast.Call) -> ast.expr | None:
    """``mask`` of ``mask.nonzero()``, ``torch.argwhere(mask)``, ``torch.where(mask)``."""
    name = facts.names.resolve(call.func)
    if name == "torch.where":
        return call.args[0] if len(call.args) == 1 and not call.keywords else None
    if name is not None:
        return call.args[0] if name.removeprefix("torch.") in _LISTING and call.args else None
    is_method = isinstance(call.func, ast.Attribute) and call.func.attr in _LISTING
    return call.func.value if is_method and isinstance(call.func, ast.Attribute) else None


def _from_outside(context: Context, site: CallSite, function: Function, listing: ast.Call) -> tuple[str, _NAMES] | None:
    """The mask of a call in a function, in the names of what calls the function; None where it is not the caller's."""
    mask = _mask(function.facts, listing)
    given: dict[str, ast.expr] = {}
    for name in (n for n in ast.walk(mask) if isinstance(n, ast.Name)) if mask is not None else ():
        reaching = function.facts.names.reaching(name)
        if len(reaching) != 1 or reaching[0].how is not How.PARAMETER:
            return None
        facts, value = context.flow.structure.given(site, function, name.id)
        if value is None or facts is not site.facts:
            return None
        given[name.id] = value
    if mask is None or not given:
        return None
    names: _NAMES = {}
    for value in given.values():
        names |= _bound(site.facts, value)
    return _meaning(mask, given), names


def _bound(facts: Facts, mask: ast.expr) -> _NAMES:
    return {n.id: frozenset(facts.names.reaching(n)) for n in ast.walk(mask) if isinstance(n, ast.Name)}


def _meaning(mask: ast.expr, given: dict[str, ast.expr]) -> str:
    """A mask without its form, and with what is given in the place of names."""
    return ast.dump(_Plain(given).visit(ast.parse(ast.unparse(mask), mode="eval")))


class _Plain(ast.NodeTransformer):
    """Leaves out views, and writes what is given for names."""

    def __init__(self, given: dict[str, ast.expr]) -> None:
        self.given = given

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``x`` of ``x.view(-1)``."""
        if isinstance(node.func, ast.Attribute) and node.func.attr in _FORMING:
            plain: ast.AST = self.visit(node.func.value)
            return plain
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """What is given for a parameter."""
        value = self.given.get(node.id)
        if value is None:
            return node
        plain: ast.AST = _Plain({}).visit(ast.parse(ast.unparse(value), mode="eval").body)
        return plain
