"""Whether a part of each batch is read by no loop over its loaders: then no graph is as long as it is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.collating import COLLATING
from xlaport.facts.module import FunctionNode
from xlaport.facts.program import Facts
from xlaport.facts.structure import Function, Structure
from xlaport.facts.vocabulary import LOADERS

_THROUGH = frozenset({"builtins.enumerate", "tqdm.tqdm", "tqdm.auto.tqdm"})
_MAX_DEPTH = 6

Part = tuple[Function, int]
"""What a function gives at one place of the tuple that it returns."""


def is_read_by_none(context: Context, length: ast.expr) -> bool:
    """Whether all that is made as long as a length is known to be left unread by the loops over the batches."""
    try:
        parts = list(_Ways(context.flow.structure).made(context.view.own, length))
        loops = _Loops(context.flow.structure)
        return bool(parts) and all(loops.leave_unread(*part) for part in dict.fromkeys(parts))
    except _OutOfSightError:
        return False


class _OutOfSightError(Exception):
    """A way that cannot be followed."""


class _Ways:
    """Follows a tensor from where it is made to its places in the tuples that make up batches."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure

    def made(self, facts: Facts, length: ast.expr) -> Iterator[Part]:
        """The places of what is made with a length: ``padded = torch.zeros(len(rows), longest)``."""
        parents = facts.module.parents
        bound = parents[length]
        uses: list[ast.expr] = [length]
        if isinstance(bound, ast.Assign):
            if len(bound.targets) != 1 or not isinstance(bound.targets[0], ast.Name):
                raise _OutOfSightError
            uses = [*facts.names.uses_of(bound.targets[0])]
        for use in uses:
            node: ast.AST = use
            while isinstance(parents[node], ast.BinOp | ast.Tuple | ast.List):
                node = parents[node]
            call = parents[node]
            if not isinstance(call, ast.Call) or call.func is node:
                raise _OutOfSightError
            if not (facts.names.resolve(call.func) or "").startswith(("torch.", "numpy.")):
                raise _OutOfSightError
            yield from self._value(facts, call, 0)

    def _value(self, facts: Facts, node: ast.expr, depth: int) -> Iterator[Part]:
        if depth > _MAX_DEPTH:
            raise _OutOfSightError
        parent = facts.module.parents[node]
        if isinstance(parent, ast.Subscript) and parent.value is node and isinstance(parent.ctx, ast.Store):
            return  # `padded[i, :n] = row`
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
            for use in facts.names.uses_of(parent.targets[0]):
                yield from self._value(facts, use, depth + 1)
            return
        place = parent.elts.index(node) if isinstance(parent, ast.Tuple) else None
        returned = parent if place is None else facts.module.parents[parent]
        function = facts.module.function(node)
        if not isinstance(returned, ast.Return) or not isinstance(function, FunctionNode):
            raise _OutOfSightError
        if place is not None:
            yield Function(facts, function), place
            return
        calls = self.structure.calls_to(Function(facts, function))
        called = {call.node.func for call in calls}
        if any(use not in called for _, use in _uses(self.structure, facts, function)):
            raise _OutOfSightError
        for call in calls:
            yield from self._value(call.facts, call.node, depth + 1)


class _Loops:
    """Finds the loops over the loaders that a function makes batches for."""

    def __init__(self, structure: Structure) -> None:
        self.structure = structure

    def leave_unread(self, function: Function, place: int) -> bool:
        """Whether each loop takes the tuples apart, and uses nothing of what is at one place of them."""
        sizes = {_size(n.value) for n in function.facts.module.returns(function.node)}
        size = sizes.pop() if len(sizes) == 1 else None
        uses = list(_uses(self.structure, function.facts, function.node))
        loops = [loop for facts, use in uses for loop in self._of_collating(facts, use)]
        return bool(loops) and size is not None and all(_is_unread(*loop, place, size) for loop in loops)

    def _of_collating(self, facts: Facts, use: ast.expr) -> Iterator[tuple[Facts, ast.expr]]:
        keyword = facts.module.parents[use]
        call = facts.module.parents[keyword]
        takes = isinstance(keyword, ast.keyword) and keyword.arg in COLLATING
        if not takes or not isinstance(call, ast.Call) or facts.names.resolve(call.func) not in LOADERS:
            raise _OutOfSightError
        yield from self._over(facts, call, 0)

    def _over(self, facts: Facts, node: ast.expr, depth: int) -> Iterator[tuple[Facts, ast.expr]]:
        """The targets of the loops over a loader."""
        parent = facts.module.parents[node]
        if isinstance(parent, ast.For) and parent.iter is node:
            yield facts, parent.target
        elif isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name) and len(parent.targets) == 1:
            for use in facts.names.uses_of(parent.targets[0]):
                yield from self._over(facts, use, depth)
        elif isinstance(parent, ast.Attribute):
            if parent.attr not in ("dataset", "batch_size"):
                raise _OutOfSightError
        elif isinstance(parent, ast.Call) and parent.func is not node:
            yield from self._passed(facts, parent, node, depth)
        else:
            raise _OutOfSightError

    def _passed(self, facts: Facts, call: ast.Call, node: ast.expr, depth: int) -> Iterator[tuple[Facts, ast.expr]]:
        name = facts.names.resolve(call.func)
        if name == "builtins.len":
            return
        if name in _THROUGH:
            for there, target in self._over(facts, call, depth):
                is_counted = name == "builtins.enumerate" and isinstance(target, ast.Tuple) and len(target.elts) == 2
                if name == "builtins.enumerate" and not is_counted:
                    raise _OutOfSightError
                yield there, target.elts[1] if is_counted and isinstance(target, ast.Tuple) else target
            return
        function = self.structure.run_by(facts, call) if depth < _MAX_DEPTH else None
        parameter = self.structure.parameter_of(call, function, node) if function is not None else None
        scope = function.facts.names.scope_of(function.node) if function is not None else None
        if function is None or parameter is None or scope is None:
            raise _OutOfSightError
        for use in function.facts.names.uses(scope, parameter):
            yield from self._over(function.facts, use, depth + 1)


def _uses(structure: Structure, facts: Facts, function: FunctionNode) -> Iterator[tuple[Facts, ast.expr]]:
    """Where a function is named; a method's uses may be anywhere."""
    parent = facts.module.parents[function]
    home = facts.names.scope(function).lookup(function.name)
    if isinstance(parent, ast.ClassDef) or home is None:
        raise _OutOfSightError
    yield from ((facts, use) for use in facts.names.uses(home, function.name))
    yield from structure.references(facts, function.name) if parent is facts.module.tree else ()


def _size(node: ast.expr | None) -> int | None:
    if not isinstance(node, ast.Tuple) or any(isinstance(e, ast.Starred) for e in node.elts):
        return None
    return len(node.elts)


def _is_unread(facts: Facts, target: ast.expr, place: int, size: int) -> bool:
    if _size(target) != size or not isinstance(target, ast.Tuple):
        return False
    element = target.elts[place]
    return isinstance(element, ast.Name) and not facts.names.uses_of(element)
