"""What to write behind a move so that parameters are tied again."""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, walk_block
from xlaport.facts.names import How
from xlaport.facts.roles import dotted
from xlaport.facts.structure import CallSite, Class

from ..._lib.step.frames import Frame, argument, path
from ..._lib.step.instances import Instance
from ..._lib.step.ties import Test, Tie, Ties, looks_like_tie


@dataclass(frozen=True)
class Place:
    """A move, seen from what is to be written behind it."""

    context: Context
    statement: ast.stmt
    root: str
    """How the moved object is called there."""
    instance: Instance


def text(tie: Tie, root: str) -> str:
    """The statement that ties, for an object of this name."""
    return f"{root}{tie.target} = {root}{tie.source}"


def lines(place: Place, ties: Iterable[Tie]) -> list[str] | None:
    """The statements that tie again what a move takes apart; None where a condition cannot be said there."""
    found: dict[tuple[str, ...], list[str]] = {}
    for tie in ties:
        if tie.method is not None:
            found.setdefault((), []).append(f"{place.root}.{tie.method}()")
            continue
        tests = _conditions(place, tie)
        if tests is None:
            return None
        if tests is not False:
            found.setdefault(tests, []).append(text(tie, place.root))
    written: list[str] = []
    for tests, statements in found.items():
        statements = list(dict.fromkeys(statements))
        if tests:
            written += [f"if {' and '.join(tests)}:", *(f"    {statement}" for statement in statements)]
        else:
            written += statements
    return written


def guarded(place: Place, before: str, name: str, tie: Tie) -> tuple[str, list[str]]:
    """What to write before a move and behind it, where it takes looking to know whether something is tied."""
    asked = f"{name} = {before}{tie.target} is {before}{tie.source}"
    return asked, [f"if {name}:", f"    {text(tie, place.root)}"]


def remaining(ties: list[Tie]) -> list[Tie] | None:
    """The ties that hold in the end; None where that takes more than to read them: ``b = a`` and then ``a = c``."""
    found: list[Tie] = []
    for index, tie in enumerate(ties):
        undoing = [later for later in ties[index + 1 :] if tie.source == later.target or
                   tie.source.startswith(f"{later.target}.")]  # fmt: skip
        if not undoing:
            found.append(tie)
        elif any(later.tests and later.tests != tie.tests for later in undoing) or tie.method is not None:
            return None
    return found


def is_done(place: Place, tie: Tie, ties: Ties) -> bool:
    """Whether the function ties the two again, somewhere behind the move."""
    wanted = {place.root + tie.target, place.root + tie.source}
    function = place.context.module.function(place.statement)
    body = function.body if function is not None else place.context.module.tree.body
    for node in walk_block(body):
        if getattr(node, "lineno", 0) < place.statement.lineno or node is place.statement:
            continue
        if isinstance(node, ast.Assign) and {ast.unparse(t) for t in [*node.targets, node.value]} == wanted:
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
            if dotted(node.func.value) == place.root and _does(ties, place.instance.owner, node.func.attr, tie):
                return True
    return False


def _does(ties: Ties, owner: Class, method: str, tie: Tie) -> bool:
    """Whether a method does the tie, perhaps under a condition."""
    function = ties.structure.method(owner, method)
    return function is not None and any(node is tie.statement for node in walk_block(function.node.body))


# -- conditions ----------------------------------------------------------------------------------------


def _conditions(place: Place, tie: Tie) -> tuple[str, ...] | Literal[False] | None:
    """The conditions of a tie in the words of another place; False where they are not met, None where unsure."""
    found: list[str] = []
    for test in tie.tests:
        said = _Translation(place, test.frame).of(test)
        if said is None:
            return None
        if isinstance(said, ast.Constant):
            if not said.value:
                return False
            continue
        shown = ast.unparse(said)
        found.append(f"({shown})" if isinstance(said, ast.BoolOp) and len(tie.tests) > 1 else shown)
    return tuple(dict.fromkeys(found))


class _Translation:
    """Says a condition from the making of an object where the object is moved."""

    def __init__(self, place: Place, frame: Frame) -> None:
        self.place = place
        self.frame = frame

    def of(self, test: Test) -> ast.expr | None:
        said = self.expression(test.node)
        if said is None or not test.is_negated:
            return said
        if isinstance(said, ast.Constant):
            return ast.Constant(not said.value)
        if isinstance(said, ast.UnaryOp) and isinstance(said.op, ast.Not):
            return said.operand
        if isinstance(said, ast.Compare) and len(said.ops) == 1 and type(said.ops[0]) in _OPPOSITE:
            return ast.Compare(said.left, [_OPPOSITE[type(said.ops[0])]()], said.comparators)
        return ast.UnaryOp(ast.Not(), said)

    def expression(self, node: ast.expr) -> ast.expr | None:
        if isinstance(node, ast.Constant):
            return node
        if isinstance(node, ast.Name | ast.Attribute):
            return self._chain(node)
        if isinstance(node, ast.UnaryOp):
            operand = self.expression(node.operand)
            if isinstance(operand, ast.Constant) and isinstance(node.op, ast.Not):
                return ast.Constant(not operand.value)
            return ast.UnaryOp(node.op, operand) if operand is not None else None
        if isinstance(node, ast.BoolOp):
            return self._both(node)
        if isinstance(node, ast.Compare):
            parts = [self.expression(part) for part in [node.left, *node.comparators]]
            said = [part for part in parts if part is not None]
            if len(said) != len(parts):
                return None
            return _folded(ast.Compare(said[0], node.ops, said[1:]))
        return None

    def _both(self, node: ast.BoolOp) -> ast.expr | None:
        ends = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for part in node.values:
            said = self.expression(part)
            if said is None:
                return None
            if not isinstance(said, ast.Constant):
                values.append(said)
            elif bool(said.value) is ends:
                return ast.Constant(ends)
        if not values:
            return ast.Constant(not ends)
        return ast.BoolOp(node.op, values) if len(values) > 1 else values[0]

    def _chain(self, node: ast.expr) -> ast.expr | None:
        """``self.tied``, ``config.tied`` and ``tied``, the parameter."""
        way = path(self.frame, node)
        if way is not None:
            return _parsed(self.place.root + way)
        rest: list[str] = []
        root = node
        while isinstance(root, ast.Attribute):
            rest.insert(0, root.attr)
            root = root.value
        if not isinstance(root, ast.Name):
            return None
        base = self._argument(root.id)
        if base is not None:
            if isinstance(base, ast.Constant):
                return base if not rest else None
            return _parsed(".".join([ast.unparse(base), *rest]))
        stored = self._stored(root.id)
        return _parsed(".".join([self.place.root + stored, *rest])) if stored is not None else None

    def _argument(self, parameter: str) -> ast.expr | None:
        """What was passed for a parameter, in the words of the place."""
        given = argument(self.frame, parameter)
        if given is None:
            return None
        expression, outer = given
        if isinstance(expression, ast.Constant):
            return expression
        if outer is not None:
            return _Translation(self.place, outer).expression(expression)
        site = self.frame.call
        assert site is not None
        return expression if dotted(expression) is not None and self._means_the_same(expression, site) else None

    def _means_the_same(self, expression: ast.expr, site: CallSite) -> bool:
        """Whether an argument that a call was given has the same value behind the move."""
        context = self.place.context
        here = context.module.function(self.place.statement)
        name = expression
        while isinstance(name, ast.Attribute):
            name = name.value
        if not isinstance(name, ast.Name) or site.facts is not context.view.own:
            return False
        if context.module.function(site.node) is not here:
            return False
        found = context.names.bindings(name)
        if any(b.how in (How.FOR, How.AUGMENT) for b in found):
            return False
        first, last = site.node.lineno, self.place.statement.end_lineno or 0
        return first <= last and not any(first < getattr(b.node, "lineno", 0) <= last for b in found)

    def _stored(self, parameter: str) -> str | None:
        """The way to the attribute in which a method keeps one of its parameters."""
        for statement in self.frame.function.node.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name):
                if statement.value.id == parameter and len(statement.targets) == 1:
                    way = path(self.frame, statement.targets[0])
                    if way is not None:
                        return way
        return None


_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip


_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Is: operator.eq, ast.IsNot: operator.ne, ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip


def _folded(node: ast.Compare) -> ast.expr:
    """The value of a comparison of two constants."""
    compare = _COMPARISONS.get(type(node.ops[0])) if len(node.ops) == 1 else None
    left, right = node.left, node.comparators[0]
    if compare is None or not isinstance(left, ast.Constant) or not isinstance(right, ast.Constant):
        return node
    try:
        return ast.Constant(compare(left.value, right.value))
    except TypeError:
        return node


def _parsed(code: str) -> ast.expr:
    return copy.copy(ast.parse(code, mode="eval").body)


# -- whether it is still tied --------------------------------------------------------------------------


def is_parted(place: Place, tie: Tie, ties: Ties) -> bool:
    """Whether something between the making of an object and its move may have untied it, or put in other parts."""
    files = dict.fromkeys([tie.facts, place.context.view.own])
    if place.instance.made is not None:
        files[place.instance.made.facts] = None
    for facts in files:
        for node in facts.module.nodes:
            if isinstance(node, ast.keyword) and node.arg == "assign" and _is_true(node.value):
                return True
            if not isinstance(node, ast.Attribute) or isinstance(node.ctx, ast.Load):
                continue
            chain = (dotted(node) or "").split(".")
            statement = facts.module.statement(node)
            if statement is tie.statement or len(chain) < 2 or looks_like_tie(statement):
                continue
            if facts is place.context.view.own and _is_of_another(place, node, chain[0]):
                continue
            owner = ties.structure.instance_of(facts, _root(node))
            if owner is not None:
                function = facts.module.function(node)
                made = function is not None and function.name == "__init__"
                if made or not ties.structure.is_related(owner, place.instance.owner):
                    continue
                if any(_leads_into(chain[1:], way) for way in (tie.target, tie.source)):
                    if not _is_run_when_made(tie, function, ties):
                        return True
            elif any(_leads_into(chain[k:], way) for way in (tie.target, tie.source) for k in range(1, len(chain))):
                return True
    return False


def _is_of_another(place: Place, node: ast.AST, name: str) -> bool:
    """Whether a name in the function around a move is not that of the moved object."""
    module = place.context.module
    made = place.instance.made.node if place.instance.made is not None else None
    if made is None or not module.function(node) is module.function(place.statement) is module.function(made):
        return False
    own = {place.root.partition(".")[0]}
    for statement in (module.statement(made), place.statement):
        own |= {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
    return name not in own


def _is_run_when_made(tie: Tie, function: FunctionNode | None, ties: Ties) -> bool:
    """Whether a method is one of those that make the object: ``__init__`` calls it."""
    init = ties.structure.method(tie.frame.owner, "__init__")
    if function is None or init is None:
        return False
    return any(
        isinstance(n, ast.Attribute) and n.attr == function.name and isinstance(n.value, ast.Name)
        for n in walk_block(init.node.body)
    )


def _leads_into(chain: list[str], way: str) -> bool:
    """Whether a chain of attributes leads to a part of the way: ``["decoder"]`` of ``.decoder.weight``."""
    steps = way.replace("[", ".").replace("]", "").split(".")[1:]
    return bool(chain) and steps[: len(chain)] == chain


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True
