"""Scopes and bindings of one file, as Python's own scoping rules make them."""

from __future__ import annotations

import ast
import enum
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from xlaport.facts.module import FunctionNode, Module

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
ScopeNode = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | Comprehension

_DECLARING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class How(enum.Enum):
    """How a name gets its value."""

    IMPORT = enum.auto()
    ASSIGN = enum.auto()
    """``name = value``, with or without an annotation, or a walrus."""
    UNPACK = enum.auto()
    """One element of ``a, name = value``."""
    AUGMENT = enum.auto()
    """``name += value``."""
    PARAMETER = enum.auto()
    FOR = enum.auto()
    """The target, or a part of it, of a loop or a comprehension; the value is what is iterated."""
    WITH = enum.auto()
    FUNCTION = enum.auto()
    CLASS = enum.auto()
    OTHER = enum.auto()
    """``except … as name``, ``del``, ``match``: a value that the analysis does not follow."""


@dataclass(frozen=True, eq=False)
class Binding:
    """One place that binds a name."""

    name: str
    how: How
    node: ast.AST
    value: ast.expr | None = None
    qualified: str | None = None
    """For imports: the full name of what was imported; a relative import starts with a dot."""
    index: int | None = None
    """For ``UNPACK``: which element of the value it is; None where that is not sure."""
    elsewhere: bool = False
    """It runs at a time unknown: in another function (``global``, ``nonlocal``) or in a generator."""

    @property
    def given(self) -> ast.expr | None:
        """The expression that an assignment gives the name: also one of ``a, b = 0, 0``."""
        if self.how is How.UNPACK and isinstance(self.value, ast.Tuple | ast.List) and self.index is not None:
            return self.value.elts[self.index] if self.index < len(self.value.elts) else None
        return self.value if self.how is How.ASSIGN else None


@dataclass(eq=False)
class Scope:
    """A module, class, function, lambda or comprehension, with the names bound in it."""

    node: ScopeNode
    parent: Scope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    uses: dict[str, list[ast.Name]] = field(default_factory=dict)
    """Loads of names that are bound in this scope, wherever they stand."""
    declared: dict[str, str] = field(default_factory=dict)
    """Names declared ``global`` or ``nonlocal`` here."""

    def lookup(self, name: str) -> Scope | None:
        """The scope that a name used in this one belongs to; None for builtins and unknown names."""
        scope: Scope | None = self
        while scope is not None:
            if scope.declared.get(name) == "global":
                root = scope.root()
                return root if name in root.bindings else None
            # A class body sees its own names; the functions and comprehensions in it do not.
            if name in scope.bindings and (scope is self or not isinstance(scope.node, ast.ClassDef)):
                return scope
            scope = scope.parent
        return None

    def home(self, name: str) -> Scope:
        """The scope in which code of this one binds a name."""
        declared = self.declared.get(name)
        if declared == "global":
            return self.root()
        if declared == "nonlocal" and self.parent is not None:
            return self.parent.lookup(name) or self
        return self

    def root(self) -> Scope:
        """The module's scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


@dataclass
class Scopes:
    """All scopes of a file: by the node that opens them, and for each use of a name."""

    root: Scope
    by_node: dict[ast.AST, Scope]
    home: dict[ast.Name, Scope | None]


def collect(module: Module) -> Scopes:
    """Find the scopes of a file, what is bound in them and where each name belongs."""
    collector = _Collector(module)
    for name, scope in sorted(collector.loads, key=lambda load: module.order[load[0]]):
        home = scope.lookup(name.id)
        collector.scopes.home[name] = home
        if home is not None:
            home.uses.setdefault(name.id, []).append(name)
    return collector.scopes


class _Collector:
    def __init__(self, module: Module) -> None:
        root = Scope(module.tree, None)
        self.scopes = Scopes(root, {module.tree: root}, {})
        self.loads: list[tuple[ast.Name, Scope]] = []
        # Bodies of functions come after the code around them: `nonlocal x` may stand above the `x = …` it means.
        self._bodies: deque[Callable[[], None]] = deque()
        self._handlers: dict[type, Any] = {}
        self._children = module.children
        self._declarations: dict[ast.AST, list[ast.Global | ast.Nonlocal]] = {}
        for node in module.of_type(ast.Global, ast.Nonlocal):
            owner = next(p for p in module.ancestors(node) if isinstance(p, _DECLARING))
            self._declarations.setdefault(owner, []).append(node)
        self._statements(module.tree.body, root)
        while self._bodies:
            self._bodies.popleft()()

    def _bind(
        self,
        scope: Scope,
        name: str,
        how: How,
        node: ast.AST,
        value: ast.expr | None = None,
        qualified: str | None = None,
        index: int | None = None,
        late: bool = False,
    ) -> None:
        home = scope.home(name)
        binding = Binding(name, how, node, value, qualified, index, elsewhere=late or home is not scope)
        home.bindings.setdefault(name, []).append(binding)

    def _statements(self, statements: list[ast.stmt], scope: Scope) -> None:
        # Declarations first: they hold for the whole scope.
        for node in self._declarations.get(scope.node, ()):
            word = "global" if isinstance(node, ast.Global) else "nonlocal"
            scope.declared.update(dict.fromkeys(node.names, word))
        for statement in statements:
            self._visit(statement, scope)

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        kind = type(node)
        if kind not in self._handlers:
            self._handlers[kind] = getattr(self, f"_visit_{kind.__name__}", None)
        handler = self._handlers[kind]
        if handler is not None:
            handler(node, scope)
        else:
            for child in self._children[node]:
                self._visit(child, scope)

    def _visit_Name(self, node: ast.Name, scope: Scope) -> None:
        if isinstance(node.ctx, ast.Load):
            self.loads.append((node, scope))
        elif isinstance(node.ctx, ast.Del):
            self._bind(scope, node.id, How.OTHER, node)

    def _visit_Import(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.split(".")[0]
            qualified = alias.name if alias.asname else name
            self._bind(scope, name, How.IMPORT, alias, qualified=qualified)

    def _visit_ImportFrom(self, node: ast.ImportFrom, scope: Scope) -> None:
        base = "." * node.level + (node.module or "")
        for alias in node.names:
            qualified = base + alias.name if base.endswith(".") else f"{base}.{alias.name}"
            self._bind(scope, alias.asname or alias.name, How.IMPORT, alias, qualified=qualified)

    def _visit_Assign(self, node: ast.Assign, scope: Scope) -> None:
        self._visit(node.value, scope)
        for target in node.targets:
            self._target(target, node.value, How.ASSIGN, scope)

    def _visit_AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:
        self._visit(node.annotation, scope)
        if node.value is not None:
            self._visit(node.value, scope)
            self._target(node.target, node.value, How.ASSIGN, scope)
        elif isinstance(node.target, ast.Name):
            # Declared, not bound; but the name belongs to this scope from now on.
            scope.home(node.target.id).bindings.setdefault(node.target.id, [])
        else:
            self._visit(node.target, scope)

    def _visit_AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:
        self._visit(node.value, scope)
        self._target(node.target, node.value, How.AUGMENT, scope)

    def _visit_NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> None:
        self._visit(node.value, scope)
        late = False
        while isinstance(scope.node, Comprehension) and scope.parent is not None:
            late = late or isinstance(scope.node, ast.GeneratorExp)
            scope = scope.parent
        assert isinstance(node.target, ast.Name)
        self._bind(scope, node.target.id, How.ASSIGN, node.target, node.value, late=late)

    def _visit_For(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        self._visit(node.iter, scope)
        self._target(node.target, node.iter, How.FOR, scope)
        for statement in [*node.body, *node.orelse]:
            self._visit(statement, scope)

    _visit_AsyncFor = _visit_For

    def _visit_withitem(self, node: ast.withitem, scope: Scope) -> None:
        self._visit(node.context_expr, scope)
        if node.optional_vars is not None:
            self._target(node.optional_vars, node.context_expr, How.WITH, scope)

    def _visit_binder(self, node: Any, scope: Scope) -> None:
        """``except … as name`` and the patterns of ``match`` that bind a name."""
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name:
            self._bind(scope, name, How.OTHER, node)
        for child in self._children[node]:
            self._visit(child, scope)

    _visit_ExceptHandler = _visit_MatchAs = _visit_MatchStar = _visit_MatchMapping = _visit_binder

    def _visit_TypeAlias(self, node: Any, scope: Scope) -> None:
        self._bind(scope, node.name.id, How.OTHER, node.name)
        self._visit(node.value, scope)

    def _visit_FunctionDef(self, node: FunctionNode, scope: Scope) -> None:
        self._bind(scope, node.name, How.FUNCTION, node)
        for expression in [*node.decorator_list, *_outer_parts(node.args), *filter(None, [node.returns])]:
            self._visit(expression, scope)
        inner = self._open(node, scope)
        self._parameters(node.args, inner)
        self._bodies.append(lambda: self._statements(node.body, inner))

    _visit_AsyncFunctionDef = _visit_FunctionDef

    def _visit_Lambda(self, node: ast.Lambda, scope: Scope) -> None:
        for expression in _outer_parts(node.args):
            self._visit(expression, scope)
        inner = self._open(node, scope)
        self._parameters(node.args, inner)
        self._bodies.append(lambda: self._visit(node.body, inner))

    def _visit_ClassDef(self, node: ast.ClassDef, scope: Scope) -> None:
        self._bind(scope, node.name, How.CLASS, node)
        for child in [*node.decorator_list, *node.bases, *node.keywords]:
            self._visit(child, scope)
        self._statements(node.body, self._open(node, scope))

    def _visit_ListComp(self, node: Comprehension, scope: Scope) -> None:
        inner = self._open(node, scope)
        for index, generator in enumerate(node.generators):
            self._visit(generator.iter, scope if index == 0 else inner)
            self._target(generator.target, generator.iter, How.FOR, inner)
            for condition in generator.ifs:
                self._visit(condition, inner)
        if isinstance(node, ast.DictComp):
            self._visit(node.key, inner)
            self._visit(node.value, inner)
        else:
            self._visit(node.elt, inner)

    _visit_SetComp = _visit_DictComp = _visit_GeneratorExp = _visit_ListComp

    def _open(self, node: ScopeNode, parent: Scope) -> Scope:
        scope = self.scopes.by_node[node] = Scope(node, parent)
        return scope

    def _parameters(self, arguments: ast.arguments, scope: Scope) -> None:
        for arg in all_parameters(arguments):
            self._bind(scope, arg.arg, How.PARAMETER, arg)

    def _target(
        self, target: ast.expr, value: ast.expr | None, how: How, scope: Scope, index: int | None = None
    ) -> None:
        if isinstance(target, ast.Name):
            self._bind(scope, target.id, how, target, value, index=index)
        elif isinstance(target, ast.Tuple | ast.List):
            matched = _matched(target, value) if how is How.ASSIGN else None
            part = How.UNPACK if how in (How.ASSIGN, How.WITH) else how
            starred = any(isinstance(element, ast.Starred) for element in target.elts)
            for position, element in enumerate(target.elts):
                if matched is not None:
                    self._target(element, matched[position], How.ASSIGN, scope)
                else:
                    known = how is How.ASSIGN and not starred
                    self._target(element, value, part, scope, position if known else None)
        elif isinstance(target, ast.Starred):
            self._target(target.value, value, How.OTHER, scope)
        else:
            for child in self._children[target]:
                self._visit(child, scope)


def all_parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    """Every parameter of a function, in the order of the signature."""
    yield from arguments.posonlyargs
    yield from arguments.args
    if arguments.vararg:
        yield arguments.vararg
    yield from arguments.kwonlyargs
    if arguments.kwarg:
        yield arguments.kwarg


def _matched(target: ast.Tuple | ast.List, value: ast.expr | None) -> list[ast.expr] | None:
    """The parts of a display that the elements of a target get, one by one."""
    if not isinstance(value, ast.Tuple | ast.List) or len(value.elts) != len(target.elts):
        return None
    if any(isinstance(element, ast.Starred) for element in [*value.elts, *target.elts]):
        return None
    return value.elts


def _outer_parts(arguments: ast.arguments) -> list[ast.expr]:
    """Defaults and annotations, which run in the scope outside."""
    parts = [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
    return parts + [arg.annotation for arg in all_parameters(arguments) if arg.annotation is not None]
