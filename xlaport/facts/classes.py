"""Classes of one file: what is assigned to their attributes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cached_property

from xlaport.facts.module import Module
from xlaport.facts.names import How, Names


class Classes:
    """What the classes of one file hold. See `Structure.classes`."""

    def __init__(self, module: Module, names: Names, instance_class: Callable[[ast.expr], ast.ClassDef | None]) -> None:
        """`instance_class` gives the class of the file that an expression is an instance of."""
        self.module = module
        self.names = names
        self.instance_class = instance_class

    def attribute_values(self, owner: ast.ClassDef, name: str) -> list[ast.expr | None]:
        """Everything that is assigned to an attribute of a class or its bases here; None: something else.

        A value that is added (``self.x += v``) is given by the target of the ``+=``.
        """
        return [value for base in self.names.bases(owner) for value in self._attributes.get((base, name), [])]

    def attributes_of(self, owner: ast.ClassDef) -> list[str]:
        """The names of all that is assigned to an attribute of a class or its bases here."""
        bases = self.names.bases(owner)
        return [name for (base, name), values in self._attributes.items() if base in bases and values]

    def is_buffer(self, owner: ast.ClassDef, name: str) -> bool:
        """Whether a class, or a base of it here, registers an attribute as a buffer: ``register_buffer("mean", …)``."""
        return any((base, name) in self._buffers for base in self.names.bases(owner))

    @cached_property
    def _buffers(self) -> frozenset[tuple[ast.ClassDef, str]]:
        found: set[tuple[ast.ClassDef, str]] = set()
        for call in self.module.calls:
            func, name = call.func, call.args[0] if call.args else None
            if not isinstance(func, ast.Attribute) or func.attr != "register_buffer" or len(call.args) < 2:
                continue
            owner = self.instance_class(func.value)
            if owner is not None and isinstance(name, ast.Constant) and isinstance(name.value, str):
                found.add((owner, name.value))
        return frozenset(found)

    @cached_property
    def _attributes(self) -> dict[tuple[ast.ClassDef, str], list[ast.expr | None]]:
        found: dict[tuple[ast.ClassDef, str], list[ast.expr | None]] = {}
        for node in self.module.of_type(ast.Attribute, ast.ClassDef):
            if isinstance(node, ast.Attribute):
                if isinstance(node.ctx, ast.Load):
                    continue
                owner = self.instance_class(node.value)
                if owner is not None:
                    found.setdefault((owner, node.attr), []).append(stored(self.module, node))
            else:
                scope = self.names.scope_of(node)
                for name, bindings in scope.bindings.items() if scope is not None else ():
                    values = [b.value if b.how is How.ASSIGN else None for b in bindings if b.how is not How.FUNCTION]
                    found.setdefault((node, name), []).extend(values)
        return found


def stored(module: Module, target: ast.expr) -> ast.expr | None:
    """What an assignment gives an attribute or a name; of a ``+=``, that itself; None of something else."""
    parent = module.parents[target]
    if isinstance(parent, ast.Assign | ast.AnnAssign):
        return parent.value
    if isinstance(parent, ast.AugAssign):
        return target
    outer = module.parents[parent]
    if isinstance(parent, ast.Tuple | ast.List) and isinstance(outer, ast.Assign):
        value = outer.value
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(parent.elts):
            pairs = zip(parent.elts, value.elts, strict=True)
            if not any(isinstance(e, ast.Starred) for pair in pairs for e in pair):
                return value.elts[parent.elts.index(target)]
    return None


def default(arguments: ast.arguments, parameter: str) -> ast.expr | None:
    """The default value of a parameter."""
    positional = [*arguments.posonlyargs, *arguments.args]
    for arg, value in zip(reversed(positional), reversed(arguments.defaults), strict=False):
        if arg.arg == parameter:
            return value
    for arg, only in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if arg.arg == parameter:
            return only
    return None
