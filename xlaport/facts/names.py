"""Names of one file: what each name is bound to, and the qualified name behind an expression.

What an import of another file of the project leads to is asked of that project (`Elsewhere`).
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from functools import cached_property
from typing import Protocol

from xlaport.facts import reaching, scopes
from xlaport.facts.module import FunctionNode, Module
from xlaport.facts.scopes import Binding, Comprehension, How, Scope

__all__ = ["Binding", "How", "Names", "Scope"]

_STAR = "*"
_NAMES = frozenset({ast.Name, ast.Attribute})


class Elsewhere(Protocol):
    """The other files, as seen from one: where the names lead that it imports."""

    def leads_to(self, qualified: str) -> str:
        """The qualified name where something is defined, for the one under which this file imports it."""

    def holds(self, module: str, name: str) -> bool:
        """Whether ``from module import *`` binds a name, as far as that can be known."""

    def binds(self, module: str, name: str) -> bool:
        """The same, for what a module binds itself, and does not get by ``import *`` from another one."""


class _Nowhere:
    """The other files of a file that is alone."""

    def leads_to(self, qualified: str) -> str:
        return qualified

    def holds(self, module: str, name: str) -> bool:
        return False

    def binds(self, module: str, name: str) -> bool:
        return False


class Names:
    """The scopes of a module. Ask `bindings`, `reaching`, `uses`, `uses_of`, `assigned` and `resolve`."""

    def __init__(self, module: Module, elsewhere: Elsewhere | None = None) -> None:
        self.module = module
        self._elsewhere = elsewhere or _Nowhere()
        found = scopes.collect(module)
        self.root = found.root
        self._scopes = found.by_node
        self._home = found.home
        self._reaching: dict[Scope, dict[ast.Name, set[ast.AST]]] = {}
        self._resolved: dict[ast.AST, str | None] = {}
        self._qualified: dict[tuple[Scope | None, str], tuple[str, ...]] = {}
        self._spelled_at: dict[ast.Name, tuple[str, ...]] = {}

    # -- questions -------------------------------------------------------------------------------------

    def bindings(self, name: ast.Name) -> tuple[Binding, ...]:
        """Everything that may have bound this use of a name; empty for builtins and unknown names."""
        home = self.home(name)
        return tuple(home.bindings.get(name.id, ())) if home is not None else ()

    def reaching(self, name: ast.Name) -> tuple[Binding, ...]:
        """The bindings whose value may still be the name's where it is used, or augmented (``name += …``).

        Where the name belongs to another scope, or the use runs at a time unknown: all of its bindings.
        """
        found = self.bindings(name)
        if len(found) < 2:
            return found
        scope, home = self.scope(name), self.home(name)
        while isinstance(scope.node, Comprehension) and scope.parent is not None and scope is not home:
            scope = scope.parent
        if scope is not home or isinstance(scope.node, Comprehension | ast.Lambda):
            return found
        reached = self._definitions(scope).get(name)
        if reached is None:
            return found
        return tuple(b for b in found if b.elsewhere or b.node in reached)

    def _definitions(self, scope: Scope) -> dict[ast.Name, set[ast.AST]]:
        if scope not in self._reaching:
            assert isinstance(scope.node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            several = [b for found in scope.bindings.values() if len(found) > 1 for b in found if not b.elsewhere]
            places = {binding.node: binding.name for binding in several}
            entry = [binding.node for binding in several if binding.how is How.PARAMETER]
            self._reaching[scope] = reaching.definitions(scope.node.body, places, entry)
        return self._reaching[scope]

    def home(self, name: ast.Name) -> Scope | None:
        """The scope whose binding a name refers to."""
        if name in self._home:
            return self._home[name]
        return self.scope(name).home(name.id)

    def scope(self, node: ast.AST) -> Scope:
        """The scope that a node's code runs in."""
        path = [node]
        for parent in self.module.ancestors(node):
            if parent in self._scopes and not _runs_outside(path, parent):
                scope = self._scopes[parent]
                if isinstance(scope.node, Comprehension) and _is_walrus_target(path):
                    path.append(parent)
                    continue
                return scope
            path.append(parent)
        return self.root

    def scope_of(self, node: ast.AST) -> Scope | None:
        """The scope that a function, class or lambda opens."""
        return self._scopes.get(node)

    def uses(self, scope: Scope, name: str) -> list[ast.Name]:
        """All loads of a name bound in `scope`, in source order."""
        return scope.uses.get(name, [])

    def uses_of(self, target: ast.expr | None) -> list[ast.Name]:
        """The loads that may have the value which `target` is bound to where it stands; none of what is no name."""
        if not isinstance(target, ast.Name) or (home := self.home(target)) is None:
            return []
        return [use for use in self.uses(home, target.id) if any(b.node is target for b in self.reaching(use))]

    def only_uses_of(self, target: ast.expr) -> list[ast.Name] | None:
        """The same; None where one of them may have another value, too, or runs in another function."""
        uses, function = self.uses_of(target), self.module.function(target)
        is_sure = all(len(self.reaching(use)) == 1 and self.module.function(use) is function for use in uses)
        return uses if is_sure else None

    def assigned(self, name: ast.expr | None) -> ast.expr | None:
        """What a name has been assigned, where it has that one value alone; None for all else."""
        found = self.reaching(name) if isinstance(name, ast.Name) else ()
        return found[0].value if len(found) == 1 and found[0].how is How.ASSIGN else None

    def visible(self, name: str, node: ast.AST) -> tuple[Binding, ...]:
        """What `name` would mean if it were written where `node` stands."""
        home = self.scope(node).lookup(name)
        return tuple(home.bindings.get(name, ())) if home is not None else ()

    def is_free(self, name: str, node: ast.AST) -> bool:
        """Whether `name` means nothing yet where `node` stands, and is used nowhere in the file."""
        if self.scope(node).lookup(name) is not None or hasattr(builtins, name):
            return False
        return name not in self._loaded

    @cached_property
    def _loaded(self) -> frozenset[str]:
        return frozenset(name.id for name in self._home)

    def resolve(self, node: ast.AST | None) -> str | None:
        """The qualified name of an expression (``torch.cuda.amp.autocast``), or None where it is unsure.

        Follows imports, also through other files of the project, their aliases, and names that are only ever
        assigned such an expression.
        """
        if node is None or type(node) not in _NAMES:
            return None
        if node not in self._resolved:
            spelled = self.spelled(node)
            found = {self._elsewhere.leads_to(name) for name in spelled} if spelled else ()
            self._resolved[node] = next(iter(found)) if len(found) == 1 else None
        return self._resolved[node]

    def spelled(self, node: ast.AST | None) -> tuple[str, ...]:
        """The qualified names that this file's own imports give an expression: several where it has a choice.

        Empty where something else than an import may be behind it.
        """
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ()
        bases = self._spelled_here(node)
        if not bases or not attributes:
            return bases
        rest = ".".join(reversed(attributes))
        return tuple([f"{base}.{rest}" for base in bases])

    def _spelled_here(self, name: ast.Name) -> tuple[str, ...]:
        """What a use of a name can mean: where imports bind it several times, those that reach it alone."""
        home = self.home(name)
        bases = self._spelled_name(home, name.id)
        if len(bases) == 1 or home is None or not any(b.how is How.IMPORT for b in home.bindings.get(name.id, ())):
            return bases
        if name not in self._spelled_at:
            self._spelled_at[name] = ()
            self._spelled_at[name] = self._spelled_bindings([*self.reaching(name)])
        return self._spelled_at[name]

    def spelled_at_top(self, name: str) -> tuple[str, ...]:
        """The same for a name at the top level of the file, as another file sees it."""
        if name in self.root.bindings:
            return self._spelled_name(self.root, name)
        return self._starred(name, self._elsewhere.holds)

    def _spelled_name(self, home: Scope | None, name: str) -> tuple[str, ...]:
        key = home, name
        if key not in self._qualified:
            self._qualified[key] = ()  # names that stand for each other stand for no import
            own = home.bindings.get(name, []) if home is not None else []
            self._qualified[key] = self._unbound(name) if home is None else self._spelled_bindings(own)
        return self._qualified[key]

    def _spelled_bindings(self, found_bindings: list[Binding]) -> tuple[str, ...]:
        bindings = self._meaningful(found_bindings)
        # First what can be seen of each: one that is no import and no other name is enough.
        if not all(b.how is How.IMPORT or _is_other_name(b) for b in bindings):
            return ()
        found: dict[str, None] = {}
        for binding in bindings:
            if binding.how is not How.IMPORT:
                spelled = self.spelled(binding.value)
            else:
                spelled = (binding.qualified,) if binding.qualified else ()
            if not spelled:
                return ()
            found |= dict.fromkeys(spelled)
        return tuple(found)

    def _meaningful(self, bindings: list[Binding]) -> list[Binding]:
        """The bindings of a name that say what it is.

        ``torch = None`` beside an import only says that the import failed; and where a ``try`` holds nothing but
        imports of torch, which a target's torch has, or names for what it has, its handlers do not run.
        """
        tried = {parent for b in bindings if (parent := self._tried(b)) is not None}
        if not tried and not any(binding.how is How.IMPORT for binding in bindings):
            return bindings
        return [b for b in bindings if not _is_nothing(b) and (not tried or self._handles(b) not in tried)]

    def _tried(self, binding: Binding) -> ast.Try | None:
        """The ``try`` that holds an import of torch, or a name for what it has, and nothing but such."""
        is_one = binding.how is How.IMPORT or _is_other_name(binding)
        statement = self.module.parents.get(binding.node) if is_one else None
        owner = self.module.parents.get(statement) if statement is not None else None
        if not isinstance(owner, ast.Try) or statement not in owner.body:
            return None
        return owner if all(_is_import_of_torch(part) or self._is_of_torch(part) for part in owner.body) else None

    def _is_of_torch(self, statement: ast.stmt) -> bool:
        """``autocast = torch.cuda.amp.autocast``."""
        value = statement.value if isinstance(statement, ast.Assign) else None
        found = self.spelled(value) if isinstance(value, ast.Attribute) else ()
        return bool(found) and all(name.startswith("torch.") for name in found)

    def _handles(self, binding: Binding) -> ast.AST | None:
        """The ``try`` whose exceptions lead to a binding."""
        around = [binding.node, *self.module.ancestors(binding.node)]
        handler = next((node for node in around if isinstance(node, ast.ExceptHandler)), None)
        return self.module.parents[handler] if handler is not None else None

    def _unbound(self, name: str) -> tuple[str, ...]:
        """What a name means that the file itself does not bind."""
        if hasattr(builtins, name):
            # What hides one of Python's own names stands near by: all files of a package would be searched for `set`.
            return self._starred(name, self._elsewhere.binds) or (f"builtins.{name}",)
        return self._starred(name, self._elsewhere.holds)

    def _starred(self, name: str, is_in: Callable[[str, str], bool]) -> tuple[str, ...]:
        for binding in self.root.bindings.get(_STAR, ()):
            qualified = binding.qualified or ""
            if is_in(starred_module(qualified), name):
                return (qualified.removesuffix(_STAR) + name,)
        return ()

    # -- functions and classes -------------------------------------------------------------------------

    def self_class(self, name: ast.Name) -> ast.ClassDef | None:
        """The class whose instance a name is, as the first parameter of a method (``self``)."""
        found = self.bindings(name)
        if len(found) != 1 or found[0].how is not How.PARAMETER:
            return None
        function = self.module.function_of(found[0].node)
        owner = self.module.parents[function] if function is not None else None
        if function is None or not isinstance(owner, ast.ClassDef):
            return None
        positional = [*function.args.posonlyargs, *function.args.args]
        if not positional or positional[0] is not found[0].node or self.is_static(function):
            return None
        return owner

    def is_static(self, function: FunctionNode) -> bool:
        """Whether a method is a ``staticmethod``: it gets no instance."""
        return any(self.resolve(decorator) == "builtins.staticmethod" for decorator in function.decorator_list)

    def class_named(self, node: ast.expr) -> ast.ClassDef | None:
        """The class of this file that an expression names."""
        if isinstance(node, ast.Name):
            found = self.bindings(node)
            if len(found) == 1 and isinstance(found[0].node, ast.ClassDef):
                return found[0].node
        return None

    def method(self, owner: ast.ClassDef, name: str) -> FunctionNode | None:
        """The method of a class: its own, or that of a base class in this file."""
        for candidate in self.bases(owner):
            found = [
                statement
                for statement in candidate.body
                if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name == name
            ]
            if found:
                return found[-1]
        return None

    def bases(self, owner: ast.ClassDef) -> list[ast.ClassDef]:
        """A class and its base classes in this file, nearest first."""
        found = [owner]
        for current in found:
            found += [c for base in current.bases if (c := self.class_named(base)) is not None and c not in found]
        return found


def starred_module(qualified: str) -> str:
    """The module of ``from module import *``, by the qualified name that it binds: ``module.*``, ``..*``."""
    module = qualified.removesuffix(_STAR)
    return module.removesuffix(".") if module.strip(".") else module


def _is_other_name(binding: Binding) -> bool:
    return binding.how is How.ASSIGN and isinstance(binding.value, ast.Name | ast.Attribute)


def _is_import_of_torch(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.ImportFrom) or statement.level:
        return False
    return statement.module is not None and statement.module.partition(".")[0] == "torch"


def _is_nothing(binding: Binding) -> bool:
    value = binding.value
    return binding.how is How.ASSIGN and isinstance(value, ast.Constant) and value.value in (None, False)


def _runs_outside(path: list[ast.AST], scope_node: ast.AST) -> bool:
    """Decorators, defaults, annotations, bases and the first iterable run in the scope outside.

    `path` leads from a node up to the child of `scope_node` that holds it.
    """
    child = path[-1]
    if isinstance(scope_node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return not isinstance(child, ast.stmt)
    if isinstance(scope_node, ast.Lambda):
        return child is not scope_node.body
    if isinstance(scope_node, Comprehension):
        first = scope_node.generators[0]
        return child is first and len(path) > 1 and path[-2] is first.iter
    return False


def _is_walrus_target(path: list[ast.AST]) -> bool:
    return len(path) > 1 and isinstance(path[1], ast.NamedExpr) and path[1].target is path[0]
