"""What the text of a file says before anything runs: the names that each scope binds, and how it uses names.

One walk over a file.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

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
    uses: Uses = field(default_factory=dict)
    """How it and all within it use names."""

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
        module = self.of[tree] = Scope()
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

    def _opened(self, node: _Opening, around: Scope) -> Scope:
        scope = self.of[node] = Scope()
        if not isinstance(node, ast.Lambda):
            around.bound.add(node.name)
        if not isinstance(node, ast.ClassDef):
            given = node.args
            every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            scope.bound |= {parameter.arg for parameter in every if parameter is not None}
        return scope

    def _noted(self, node: ast.AST, scope: Scope, around: tuple[Scope, ...], is_inner: bool) -> None:
        if isinstance(node, ast.Attribute):
            if node.attr == "param_groups":
                _note(around, node.value, node.attr)
        elif isinstance(node, ast.Call):
            _note_call(around, node)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for side in sides if any(map(_is_of_texts, sides)) else ():
                _note(around, side, COMPARED)
        elif isinstance(node, ast.Assign):
            target = node.targets[0]
            if isinstance(target, ast.Subscript) and _is_moved(node.value, target):
                _note(around, target.value, MOVED_IN_PARTS)
        elif isinstance(node, ast.alias):
            scope.bound.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.NamedExpr):
            scope.bound.add(node.target.id)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            scope.elsewhere |= set(node.names)
            if isinstance(node, ast.Global):
                scope.of_module |= set(node.names)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            scope.bound.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            scope.bound.add(node.rest)


def dotted(node: ast.expr) -> str | None:
    """``self.model`` of such an expression; None where it is no path of names."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


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
