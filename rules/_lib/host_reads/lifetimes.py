"""How long the tensors of a pass stay what they are: whether a closure would still find them so."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from xlaport.context import Context
from xlaport.facts.freshness import Freshness
from xlaport.facts.in_place import changes, shared_root, whole_view
from xlaport.facts.looked_at import only_looks
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.names import Binding, How
from xlaport.facts.views import without_gradient

from .showing_functions import is_shown


def lasts(context: Context, tensor: ast.expr, around: LoopNode | FunctionNode) -> bool:
    """Whether a tensor is new in each pass of a loop and not changed in place, so that a list may hold it as it is."""
    if not Freshness(context.module, context.names, context.roles).is_fresh(tensor):
        return False
    if not isinstance(tensor, ast.Name):
        return isinstance(tensor, ast.Call | ast.BinOp | ast.UnaryOp | ast.Compare)
    return not Lifetimes(context, around, context.module.statement(tensor)).changes(tensor)


def _may_be_held(context: Context, bindings: Collection[Binding]) -> bool:
    """Whether something else may have a tensor, and change it: all but what is known to look at it, or to show it.

    What it was made of may be it, too: ``loss = mean``, ``loss = outputs.loss``.
    """
    todo, seen = [*bindings], set[Binding]()
    while todo:
        binding = todo.pop()
        home = context.names.home(binding.node) if isinstance(binding.node, ast.Name) else None
        if binding in seen or home is None or not isinstance(binding.node, ast.Name):
            continue
        seen.add(binding)
        uses = context.names.uses(home, binding.node.id)
        here = (use for use in uses if binding in context.names.reaching(use))
        if not all(_is_only_seen(context, use) for use in here):
            return True
        root = shared_root(context.names, binding.value) if binding.value is not None else None
        before = (n for n in ast.walk(binding.value or ast.Pass()) if isinstance(n, ast.Name) and n.id == root)
        todo += (other for name in before for other in context.names.reaching(name))
    return False


def _is_only_seen(context: Context, use: ast.Name) -> bool:
    """Whether a use looks at a tensor, copies it to the host, or shows it: ``wandb.log({"loss": loss})``."""
    statement, parent = context.module.statement(use), context.module.parents[use]
    if any(without_gradient(read.tensor) is use for read in context.reads.within([statement])):
        return True
    while isinstance(parent, ast.keyword | ast.Dict | ast.Tuple | ast.List | ast.Starred):
        parent = context.module.parents[parent]
    is_shown_there = isinstance(parent, ast.Call) and is_shown(context, statement) is parent
    return is_shown_there or _is_change(context, use, statement) or only_looks(context.view.own, use)


def _is_change(context: Context, use: ast.Name, statement: ast.stmt) -> bool:
    """Whether a statement is a call of torch that changes a tensor in place: nothing has it by that."""
    call = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
    here, bound = context.module.function(use), [binding.node for binding in context.names.reaching(use)]
    if not isinstance(call, ast.Call) or any(context.module.function(node) is not here for node in bound):
        return False  # `def clear(): loss.zero_()` runs whenever it is called
    view = whole_view(context.view.own, use)
    is_torch = (context.resolve(call.func) or "").startswith("torch.") and view in call.args
    is_method = isinstance(statement, ast.Expr) and isinstance(call.func, ast.Attribute) and call.func.value is view
    return (is_torch or is_method) and changes(context.view.own, use)


class Lifetimes:
    """Questions about the tensors that statements of a loop, or a function, look at, which end with `last`."""

    def __init__(self, context: Context, around: LoopNode | FunctionNode, last: ast.stmt) -> None:
        self.context = context
        self.around = around
        self.last = last

    def changes(self, name: ast.Name) -> bool:
        """Whether a tensor may be another, or be changed in place, by the time that a closure runs."""
        body = self.around.body
        found = self._begins(name)
        if _may_be_held(self.context, {*found, *self.context.names.reaching(name)}):
            return True
        if self._begins_anew(name):
            return False
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
