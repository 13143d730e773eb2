"""Names and scopes of one file: what each name is bound to, and the qualified name behind an expression."""

from __future__ import annotations

import ast
import builtins
import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

from xlaport.facts import reaching
from xlaport.facts.module import FunctionNode, Module

_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_ScopeNode = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | _Comprehension


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


@dataclass(eq=False)
class Scope:
    """A module, class, function, lambda or comprehension, with the names bound in it."""

    node: _ScopeNode
    parent: Scope | None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    uses: dict[str, list[ast.Name]] = field(default_factory=dict)
    """Loads of names that are bound in this scope, wherever they stand."""
    declared: dict[str, str] = field(default_factory=dict)
    """Names declared ``global`` or ``nonlocal`` here."""


class Names:
    """The scopes of a module. Ask `bindings`, `uses` and `resolve`."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.root = Scope(module.tree, None)
        self._scopes: dict[ast.AST, Scope] = {module.tree: self.root}
        self._loads: list[tuple[ast.Name, Scope]] = []
        self._home: dict[ast.Name, Scope | None] = {}
        self._reaching_memo: dict[ast.Name, tuple[Binding, ...]] = {}
        self._collect(module.tree.body, self.root)
        for name, scope in self._loads:
            home = self._lookup(name.id, scope)
            self._home[name] = home
            if home is not None:
                home.uses.setdefault(name.id, []).append(name)

    # -- questions -------------------------------------------------------------------------------------

    def bindings(self, name: ast.Name) -> tuple[Binding, ...]:
        """Everything that may have bound this use of a name; empty for builtins and unknown names."""
        home = self._home.get(name)
        if home is None and not isinstance(name.ctx, ast.Load):
            scope = self.scope(name)
            home = self._target_scope(name.id, scope)
        return tuple(home.bindings.get(name.id, ())) if home is not None else ()

    def reaching(self, name: ast.Name) -> tuple[Binding, ...]:
        """The bindings whose value may still be the name's where it is used.

        Sound for code that runs top to bottom with branches and loops; where the name belongs to another
        scope, all of its bindings.
        """
        found = self.bindings(name)
        if len(found) < 2:
            return found
        scope = self.scope(name)
        while isinstance(scope.node, _Comprehension) and scope.parent is not None:
            scope = scope.parent
        if scope is not self._home.get(name):
            return found
        if name not in self._reaching_memo:
            nodes = {binding.node: binding for binding in found}
            reached = reaching.definitions(self.module, name, list(nodes))
            self._reaching_memo[name] = tuple(b for node, b in nodes.items() if node in reached)
        return self._reaching_memo[name] or found

    def home(self, name: ast.Name) -> Scope | None:
        """The scope whose binding a name refers to."""
        if name in self._home:
            return self._home[name]
        return self._target_scope(name.id, self.scope(name))

    def scope(self, node: ast.AST) -> Scope:
        """The scope that a node's code runs in."""
        child = node
        for parent in self.module.ancestors(node):
            if parent in self._scopes and not self._runs_outside(child, parent):
                return self._scopes[parent]
            child = parent
        return self.root

    def scope_of(self, node: ast.AST) -> Scope | None:
        """The scope that a function, class or lambda opens."""
        return self._scopes.get(node)

    def uses(self, scope: Scope, name: str) -> list[ast.Name]:
        """All loads of a name bound in `scope`, in source order of discovery."""
        return scope.uses.get(name, [])

    def visible(self, name: str, node: ast.AST) -> tuple[Binding, ...]:
        """What `name` would mean if it were written where `node` stands."""
        home = self._lookup(name, self.scope(node))
        return tuple(home.bindings.get(name, ())) if home is not None else ()

    def is_free(self, name: str, node: ast.AST) -> bool:
        """Whether `name` means nothing yet where `node` stands, nor anywhere inside the same function."""
        if self.visible(name, node) or hasattr(builtins, name):
            return False
        return not any(n.id == name for n in self._home)

    def resolve(self, node: ast.AST | None) -> str | None:
        """The qualified name of an expression (``torch.cuda.amp.autocast``), or None where it is unsure.

        Follows imports, their aliases and names that are assigned exactly once to such an expression.
        """
        return self._resolve(node, 0)

    def _resolve(self, node: ast.AST | None, depth: int) -> str | None:
        if depth > 8:
            return None
        if isinstance(node, ast.Attribute):
            base = self._resolve(node.value, depth + 1)
            return f"{base}.{node.attr}" if base else None
        if not isinstance(node, ast.Name):
            return None
        found = self.bindings(node)
        if not found:
            known = self._home.get(node) is None and hasattr(builtins, node.id)
            return f"builtins.{node.id}" if known else None
        names = {self._bound_name(binding, len(found), depth) for binding in found}
        return names.pop() if len(names) == 1 else None

    def _bound_name(self, binding: Binding, count: int, depth: int) -> str | None:
        if binding.how is How.IMPORT:
            return binding.qualified
        if binding.how is How.ASSIGN and count == 1 and isinstance(binding.value, ast.Name | ast.Attribute):
            return self._resolve(binding.value, depth + 1)
        return None

    def function_called(self, call: ast.Call) -> FunctionNode | None:
        """The function of this file that a call runs: by name, or ``self.method`` of the class around."""
        func = call.func
        if isinstance(func, ast.Name):
            found = self.bindings(func)
            if len(found) == 1 and isinstance(found[0].node, ast.FunctionDef | ast.AsyncFunctionDef):
                return found[0].node
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
            owner = self.module.class_of(call)
            if owner is not None and func.value.id == self._self_name(call):
                return self.method(owner, func.attr)
        return None

    def _self_name(self, node: ast.AST) -> str | None:
        for parent in self.module.ancestors(node):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef) and isinstance(
                self.module.parents[parent], ast.ClassDef
            ):
                return parent.args.args[0].arg if parent.args.args else None
        return None

    def class_named(self, node: ast.expr) -> ast.ClassDef | None:
        """The class of this file that an expression names."""
        if isinstance(node, ast.Name):
            found = self.bindings(node)
            if len(found) == 1 and isinstance(found[0].node, ast.ClassDef):
                return found[0].node
        return None

    @staticmethod
    def method(owner: ast.ClassDef, name: str) -> FunctionNode | None:
        """The method of a class, looked up in its own body."""
        for statement in owner.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name == name:
                return statement
        return None

    # -- construction ----------------------------------------------------------------------------------

    def _runs_outside(self, child: ast.AST, scope_node: ast.AST) -> bool:
        """Decorators, defaults, annotations, bases and the first iterable run in the scope outside."""
        if isinstance(scope_node, ast.FunctionDef | ast.AsyncFunctionDef):
            return not any(child is statement for statement in scope_node.body)
        if isinstance(scope_node, ast.ClassDef):
            return not any(child is statement for statement in scope_node.body)
        if isinstance(scope_node, ast.Lambda):
            return child is not scope_node.body
        return False

    def _lookup(self, name: str, scope: Scope) -> Scope | None:
        start: Scope | None = scope
        first = True
        while start is not None:
            declared = start.declared.get(name)
            if declared == "global":
                return self.root if name in self.root.bindings else None
            if (first or not isinstance(start.node, ast.ClassDef)) and name in start.bindings:
                return start
            # A class body sees its own names, the functions in it do not.
            if not isinstance(start.node, _Comprehension):
                first = False
            start = start.parent
        return None

    def _target_scope(self, name: str, scope: Scope) -> Scope | None:
        declared = scope.declared.get(name)
        if declared == "global":
            return self.root
        if declared == "nonlocal" and scope.parent is not None:
            return self._lookup(name, scope.parent)
        return scope

    def _bind(
        self,
        scope: Scope,
        name: str,
        how: How,
        node: ast.AST,
        value: ast.expr | None = None,
        qualified: str | None = None,
    ) -> None:
        home = self._target_scope(name, scope) or scope
        home.bindings.setdefault(name, []).append(Binding(name, how, node, value, qualified))

    def _collect(self, statements: list[ast.stmt], scope: Scope) -> None:
        # Declarations first: they hold for the whole scope.
        for node in _own_nodes(statements):
            if isinstance(node, ast.Global):
                scope.declared.update(dict.fromkeys(node.names, "global"))
            elif isinstance(node, ast.Nonlocal):
                scope.declared.update(dict.fromkeys(node.names, "nonlocal"))
        for statement in statements:
            self._visit(statement, scope)

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        handler = getattr(self, f"_visit_{type(node).__name__}", None)
        if handler is not None:
            handler(node, scope)
        else:
            for child in ast.iter_child_nodes(node):
                self._visit(child, scope)

    def _visit_Name(self, node: ast.Name, scope: Scope) -> None:
        if isinstance(node.ctx, ast.Load):
            self._loads.append((node, scope))
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
            self._bind_target(target, node.value, How.ASSIGN, scope)

    def _visit_AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:
        self._visit(node.annotation, scope)
        if node.value is not None:
            self._visit(node.value, scope)
            self._bind_target(node.target, node.value, How.ASSIGN, scope)
        else:
            self._bind_target(node.target, None, How.OTHER, scope)

    def _visit_AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:
        self._visit(node.value, scope)
        self._bind_target(node.target, node.value, How.AUGMENT, scope)

    def _visit_NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> None:
        self._visit(node.value, scope)
        while isinstance(scope.node, _Comprehension) and scope.parent is not None:
            scope = scope.parent
        self._bind_target(node.target, node.value, How.ASSIGN, scope)

    def _visit_For(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        self._visit(node.iter, scope)
        self._bind_target(node.target, node.iter, How.FOR, scope)
        for statement in [*node.body, *node.orelse]:
            self._visit(statement, scope)

    _visit_AsyncFor = _visit_For

    def _visit_withitem(self, node: ast.withitem, scope: Scope) -> None:
        self._visit(node.context_expr, scope)
        if node.optional_vars is not None:
            self._bind_target(node.optional_vars, node.context_expr, How.WITH, scope)

    def _visit_ExceptHandler(self, node: ast.ExceptHandler, scope: Scope) -> None:
        if node.name:
            self._bind(scope, node.name, How.OTHER, node)
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope)

    def _visit_MatchAs(self, node: ast.MatchAs, scope: Scope) -> None:
        if node.name:
            self._bind(scope, node.name, How.OTHER, node)
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope)

    def _visit_MatchStar(self, node: ast.MatchStar, scope: Scope) -> None:
        if node.name:
            self._bind(scope, node.name, How.OTHER, node)

    def _visit_MatchMapping(self, node: ast.MatchMapping, scope: Scope) -> None:
        if node.rest:
            self._bind(scope, node.rest, How.OTHER, node)
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope)

    def _visit_FunctionDef(self, node: FunctionNode, scope: Scope) -> None:
        self._bind(scope, node.name, How.FUNCTION, node)
        for expression in [*node.decorator_list, *_outer_parts(node.args), *filter(None, [node.returns])]:
            self._visit(expression, scope)
        inner = self._open(node, scope)
        self._parameters(node.args, inner)
        self._collect(node.body, inner)

    _visit_AsyncFunctionDef = _visit_FunctionDef

    def _visit_Lambda(self, node: ast.Lambda, scope: Scope) -> None:
        for expression in _outer_parts(node.args):
            self._visit(expression, scope)
        inner = self._open(node, scope)
        self._parameters(node.args, inner)
        self._visit(node.body, inner)

    def _visit_ClassDef(self, node: ast.ClassDef, scope: Scope) -> None:
        self._bind(scope, node.name, How.CLASS, node)
        for child in [*node.decorator_list, *node.bases, *node.keywords]:
            self._visit(child, scope)
        self._collect(node.body, self._open(node, scope))

    def _visit_ListComp(self, node: _Comprehension, scope: Scope) -> None:
        inner = self._open(node, scope)
        for index, generator in enumerate(node.generators):
            self._visit(generator.iter, scope if index == 0 else inner)
            self._bind_target(generator.target, generator.iter, How.FOR, inner)
            for condition in generator.ifs:
                self._visit(condition, inner)
        if isinstance(node, ast.DictComp):
            self._visit(node.key, inner)
            self._visit(node.value, inner)
        else:
            self._visit(node.elt, inner)

    _visit_SetComp = _visit_DictComp = _visit_GeneratorExp = _visit_ListComp

    def _open(self, node: _ScopeNode, parent: Scope) -> Scope:
        scope = self._scopes[node] = Scope(node, parent)
        return scope

    def _parameters(self, arguments: ast.arguments, scope: Scope) -> None:
        for arg in all_parameters(arguments):
            self._bind(scope, arg.arg, How.PARAMETER, arg)

    def _bind_target(self, target: ast.expr, value: ast.expr | None, how: How, scope: Scope) -> None:
        if isinstance(target, ast.Name):
            self._bind(scope, target.id, how, target, value)
        elif isinstance(target, ast.Tuple | ast.List):
            matched = (
                value.elts
                if how is How.ASSIGN
                and isinstance(value, ast.Tuple | ast.List)
                and len(value.elts) == len(target.elts)
                and not any(isinstance(e, ast.Starred) for e in [*value.elts, *target.elts])
                else None
            )
            for index, element in enumerate(target.elts):
                if matched is not None:
                    self._bind_target(element, matched[index], How.ASSIGN, scope)
                else:
                    part = How.UNPACK if how in (How.ASSIGN, How.WITH) else how
                    self._bind_target(element, value, part, scope)
        elif isinstance(target, ast.Starred):
            self._bind_target(target.value, value, How.OTHER, scope)
        else:
            for child in ast.iter_child_nodes(target):
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


def _outer_parts(arguments: ast.arguments) -> list[ast.expr]:
    """Defaults and annotations, which run in the scope outside."""
    parts = [*arguments.defaults, *(d for d in arguments.kw_defaults if d is not None)]
    return parts + [arg.annotation for arg in all_parameters(arguments) if arg.annotation is not None]


def _own_nodes(statements: list[ast.stmt]) -> Iterator[ast.AST]:
    todo: list[ast.AST] = list(statements)
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            todo.extend(ast.iter_child_nodes(node))
