"""How long the tensors of a pass stay what they are: whether a closure would still find them so."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from xlaport.context import Context
from xlaport.facts.freshness import Freshness
from xlaport.facts.in_place import whole_view
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.names import Binding, How
from xlaport.facts.role import Role

_FILLING = frozenset({"append", "appendleft", "add", "extend", "insert", "put", "setdefault", "update"})


def lasts(context: Context, tensor: ast.expr, around: LoopNode | FunctionNode) -> bool:
    """Whether a tensor is new in each pass of a loop and not changed in place, so that a list may hold it as it is."""
    if not Freshness(context.module, context.names, context.roles).is_fresh(tensor):
        return False
    if not isinstance(tensor, ast.Name):
        return isinstance(tensor, ast.Call | ast.BinOp | ast.UnaryOp | ast.Compare)
    return not _is_held_elsewhere(context, tensor) and not Lifetimes(
        context, around, context.module.statement(tensor)
    ).changes(tensor)


def _is_held_elsewhere(context: Context, tensor: ast.Name) -> bool:
    """Whether an object, a container or a caller has a tensor, too, and may change it: ``self.last = loss``.

    It may have it by another name, ``last = loss``, also by the one that the tensor had before.
    """
    before, seen = context.names.assigned(tensor), frozenset[ast.Name]()
    while isinstance(before, ast.Name) and before not in seen:
        tensor, seen = before, seen | {before}
        before = context.names.assigned(tensor)
    here, home = set(context.names.reaching(tensor)), context.names.home(tensor)
    uses = context.names.uses(home, tensor.id) if home is not None else ()
    return any(_is_kept(context, use, frozenset()) for use in uses if not here.isdisjoint(context.names.reaching(use)))


def _is_kept(context: Context, use: ast.Name, seen: frozenset[ast.Name]) -> bool:
    """Whether a use puts a tensor where others find it, or gives it a name of which a use does."""
    node: ast.AST = whole_view(context.view.own, use)
    containers = ast.Tuple | ast.List | ast.Dict | ast.Starred | ast.keyword
    while isinstance(parent := context.module.parents[node], containers):
        node = parent
    match parent:
        case ast.Return():
            return True
        case ast.Assign() | ast.AnnAssign():
            targets = _targets(parent)
            others = (other for target in targets for other in context.names.uses_of(target) if other not in seen)
            is_put = any(isinstance(target, ast.Attribute | ast.Subscript) for target in targets)
            return is_put or any(_is_kept(context, other, seen | {use}) for other in others)
        case ast.AugAssign():
            return isinstance(node, ast.Tuple | ast.List)  # `losses += [loss]`
        case ast.Call(func=ast.Attribute() as func) if func is not node:
            return func.attr in _FILLING and not context.roles.is_(func.value, Role.TENSOR)
    return False


class Lifetimes:
    """Questions about the tensors that statements of a loop, or a function, look at, which end with `last`."""

    def __init__(self, context: Context, around: LoopNode | FunctionNode, last: ast.stmt) -> None:
        self.context = context
        self.around = around
        self.last = last

    def changes(self, name: ast.Name) -> bool:
        """Whether a tensor may be another, or be changed in place, by the time that a closure runs."""
        body = self.around.body
        if self._begins_anew(name):
            return False
        found = self._begins(name)
        tops = [self._top(binding.node) for binding in found]
        if not found or any(top is None for top in tops):
            return True  # it goes on from pass to pass
        here = self._top(self.last)
        first = min(top for top in tops if top is not None)
        rest = [*body[(here or 0) + 1 :], *body[:first], *self._inside(), *self._behind()]
        return self.context.steps.between.is_changed_in({name.id}, self.last, rest)

    def _begins(self, name: ast.Name) -> list[Binding]:
        """The bindings by which a tensor got its name, before it was added to; none where a pass goes on with it."""
        found: list[Binding] = []
        seen: set[Binding] = set()
        todo = list(self.context.names.reaching(name))
        while todo:
            binding = todo.pop()
            if binding.how is not How.AUGMENT or not isinstance(binding.node, ast.Name):
                found.append(binding)
                continue
            before = self.context.names.reaching(binding.node)
            if (binding in seen or binding in before) and not self._is_of_the_pass(name.id, binding.node):
                return []
            todo += before if binding not in seen else []
            seen.add(binding)
        return found

    def _is_of_the_pass(self, name: str, added: ast.Name) -> bool:
        """Whether each pass of the loop gives a name something else, ``total = 0``, before a loop that adds to it."""
        body, at, here = self.around.body, self._top(added), self._top(self.last)
        if at is None or here is None or at >= here:
            return False
        return any(
            isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
            for s in body[:at]
            for target in _targets(s)
            for n in ast.walk(target)
        )

    def _begins_anew(self, name: ast.Name) -> bool:
        """Whether the name, which alone has the tensor, is given something else right behind: ``total = 0``."""
        between = self.context.steps.between
        if between.shares({name.id}, self.last):
            return False
        block = self.context.module.block(self.last)
        behind = block[block.index(self.last) + 1 :]
        for i, statement in enumerate(behind):
            if any(isinstance(t, ast.Name) and t.id == name.id for t in _targets(statement)):
                return not between.is_changed_in({name.id}, self.last, behind[: i + 1])
            if not isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr):
                return False
        return False

    def _inside(self) -> Iterator[ast.stmt]:
        """What follows in the branches that the last statement stands in."""
        return self._following(self.last, (self.around,))

    def _behind(self) -> Iterator[ast.stmt]:
        """What follows behind the loop, in its function."""
        return self._following(self.around, (self.context.module.function(self.around), self.context.module.tree))

    def _following(self, statement: ast.AST, until: Collection[ast.AST | None]) -> Iterator[ast.stmt]:
        while statement not in until:
            if isinstance(statement, ast.stmt):
                block = self.context.module.block(statement)
                yield from block[block.index(statement) + 1 :]
            statement = self.context.module.parents[statement]

    def _top(self, node: ast.AST) -> int | None:
        return self.context.module.place_in(self.around.body, node)


def _targets(statement: ast.stmt) -> list[ast.expr]:
    """What an assignment gives a value, also ``total: float = 0``."""
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        return [statement.target]
    return statement.targets if isinstance(statement, ast.Assign) else []
