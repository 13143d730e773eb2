"""What the text of a file says before anything runs: the names that each scope binds, and how it uses names.

One walk over a file.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from xlaport.facts.module import dotted
from xlaport.facts.vocabulary import MOVING_METHODS

Uses = dict[str, set[str]]
"""By dotted path: the methods that are called on it, and `CALLED` and the like."""

CALLED = "called"
COMPARED = "compared with a text"
MOVED_IN_PARTS = "moved in parts"
"""``batch[0] = batch[0].cuda()``: a list or a dict of tensors; a tensor of the host would stay there."""
DIFFERENTIATED = "backward()"
UNSCALED = "unscaled by a scaler"

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_Opening = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


@dataclass
class Scope:
    """A module, a class, a function or a lambda."""

    bound: set[str] = field(default_factory=set)
    """The names that are variables of its own."""
    of_module: set[str] = field(default_factory=set)
    """Those that it declares to be the module's, with ``global``."""
    elsewhere: set[str] = field(default_factory=set)
    """Those that it declares to be of a function around it, or the module's."""
    rebound: set[str] = field(default_factory=set)
    """Those of its own that functions within it may bind, with ``global`` or ``nonlocal``, or put something into."""
    uses: Uses = field(default_factory=dict)
    """How it and all within it use names."""

    losses: set[str] = field(default_factory=set)
    """What backward() is called on, and what that is added up from: each is one float."""
    sums: dict[str, set[str]] = field(default_factory=dict)
    """What variables are added up from."""
    loss_names: set[str] = field(default_factory=set)
    """The last names of all losses of the file."""

    def note_loss(self, path: str) -> bool:
        """Note a loss, with what it is added up from; whether that is new."""
        if path in self.losses:
            return False
        self.losses.add(path)
        self.loss_names.add(path.rpartition(".")[2])
        for part in self.sums.get(path, ()):
            self.note_loss(part)
        return True

    def note(self, path: str, use: str) -> bool:
        """Note how a name is used; whether that is new."""
        uses = self.uses.setdefault(path, set())
        is_new = use not in uses
        uses.add(use)
        return is_new

    @cached_property
    def called(self) -> frozenset[str]:
        """The last names of what they call."""
        return frozenset(path.rpartition(".")[2] for path, uses in self.uses.items() if CALLED in uses)


class Scopes:
    """The scopes of a file, by their nodes."""

    def __init__(self, tree: ast.Module, children: Mapping[ast.AST, Sequence[ast.AST]]) -> None:
        self.of: dict[ast.AST, Scope] = {}
        self._loss_names: set[str] = set()
        self._losses: list[tuple[str, tuple[Scope, ...]]] = []
        module = self.of[tree] = Scope(loss_names=self._loss_names)
        todo: list[tuple[ast.AST, Scope, tuple[Scope, ...], bool]] = [(tree, module, (module,), False)]
        while todo:
            node, scope, around, is_inner = todo.pop()
            if isinstance(node, _Opening) and node not in self.of:
                scope = self._opened(node, scope)
                around = (*around, scope)
            elif isinstance(node, _COMPREHENSIONS):
                is_inner = True
            else:
                self._noted(node, scope, around, is_inner)
            for child in children[node]:
                if isinstance(child, ast.Name):
                    if not is_inner and not isinstance(child.ctx, ast.Load):
                        scope.bound.add(child.id)
                elif not isinstance(child, ast.Constant):
                    todo.append((child, scope, around, is_inner))
        for scope in self.of.values():
            scope.bound -= scope.elsewhere
        for path, around in self._losses:
            if path.startswith("self."):  # the same in every method of a class
                own = around
            else:
                name = path.partition(".")[0]
                own = tuple(scope for scope in reversed(around) if name in scope.bound)[:1]
            for scope in own:
                scope.note_loss(path)

    def _opened(self, node: _Opening, around: Scope) -> Scope:
        scope = self.of[node] = Scope(loss_names=self._loss_names)
        if not isinstance(node, ast.Lambda):
            around.bound.add(node.name)
        if not isinstance(node, ast.ClassDef):
            given = node.args
            every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            scope.bound |= {parameter.arg for parameter in every if parameter is not None}
        return scope

    def _noted(self, node: ast.AST, scope: Scope, around: tuple[Scope, ...], is_inner: bool) -> None:
        if isinstance(node, ast.Subscript):
            if isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
                for outer in around[:-1]:
                    outer.rebound.add(node.value.id)
        elif isinstance(node, ast.Attribute):
            if node.attr == "param_groups":
                _note(around, node.value, node.attr)
        elif isinstance(node, ast.Call):
            _note_call(around, node)
            self._losses += [(path, around) for loss in _differentiated(node) for path in addends(loss)]
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for side in sides if any(map(_is_of_texts, sides)) else ():
                _note(around, side, COMPARED)
        elif isinstance(node, ast.AugAssign):
            _note_sum(scope, node.target, node.value)
        elif isinstance(node, ast.Assign):
            target = node.targets[0]
            _note_sum(scope, target, node.value)
            if isinstance(target, ast.Subscript) and _is_moved(node.value, target):
                _note(around, target.value, MOVED_IN_PARTS)
        elif isinstance(node, ast.alias):
            scope.bound.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.NamedExpr):
            scope.bound.add(node.target.id)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            scope.elsewhere |= set(node.names)
            for outer in around[:1] if isinstance(node, ast.Global) else around[1:-1]:
                outer.rebound |= set(node.names)
            if isinstance(node, ast.Global):
                scope.of_module |= set(node.names)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            scope.bound.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            scope.bound.add(node.rest)


def addends(node: ast.expr) -> Iterator[str]:
    """The paths of which a value is made by arithmetic: if it is a single number, so are they."""
    todo = [node]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
            todo += [part.right, part.left]
        elif isinstance(part, ast.UnaryOp):
            todo.append(part.operand)
        elif (path := dotted(part)) is not None:
            yield path


def _differentiated(call: ast.Call) -> list[ast.expr]:
    """What ``loss.backward()`` and ``scaler.scale(loss).backward()`` call it on."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "backward" or call.args:
        return []
    base = call.func.value
    return [base, *(base.args[:1] if isinstance(base, ast.Call) else [])]


def _note_sum(scope: Scope, target: ast.expr, value: ast.expr) -> None:
    if isinstance(target, ast.Name):
        scope.sums.setdefault(target.id, set()).update(addends(value))


def _note(around: tuple[Scope, ...], node: ast.expr, use: str) -> None:
    path = dotted(node)
    if path is not None:
        for scope in around:
            scope.uses.setdefault(path, set()).add(use)


def _note_call(around: tuple[Scope, ...], node: ast.Call) -> None:
    func = node.func
    _note(around, func, CALLED)
    if not isinstance(func, ast.Attribute):
        return
    if func.attr != "backward":
        _note(around, func.value, func.attr)
    elif not node.args:  # with an argument it is the method of a trainer: accelerator.backward(loss)
        _note(around, func.value, DIFFERENTIATED)
    if func.attr == "unscale_" and len(node.args) == 1:
        _note(around, node.args[0], UNSCALED)


def _is_moved(value: ast.expr, part: ast.Subscript) -> bool:
    """Whether a value is some part, moved."""
    func = value.func if isinstance(value, ast.Call) else None
    if not isinstance(func, ast.Attribute) or func.attr not in MOVING_METHODS:
        return False
    return ast.unparse(func.value) == ast.unparse(part)


def _is_of_texts(node: ast.expr) -> bool:
    """Whether an expression is a text, or a display of texts."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    return bool(parts) and all(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts)
