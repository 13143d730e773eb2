"""Functions and classes of one file: what a call runs, what it passes, what an attribute holds."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from xlaport.facts import vocabulary as torch_api
from xlaport.facts.module import Module
from xlaport.facts.names import How, Names
from xlaport.facts.rebound import bound
from xlaport.facts.role import but_none


class Classes:
    """The structure of the code in one file, as far as it can be told without running it."""

    def __init__(self, module: Module, names: Names) -> None:
        self.module = module
        self.names = names
        self._declared: dict[ast.ClassDef, dict[str, ast.expr]] = {}

    # -- classes ---------------------------------------------------------------------------------------

    @cached_property
    def definitions(self) -> list[ast.ClassDef]:
        """The classes of this file."""
        return self.module.of_type(ast.ClassDef)

    def instance_class(self, node: ast.expr) -> ast.ClassDef | None:
        """The class of this file that an expression is an instance of: ``self``, or ``x = Trainer(…)``."""
        if isinstance(node, ast.Call):
            return self._made_by(node)
        if not isinstance(node, ast.Name):
            return None
        owner = self.names.self_class(node)
        if owner is not None:
            return owner
        found = bound(self.names, node)
        value = found.bindings[0].value if len(found.bindings) == 1 and found.bindings[0].how is How.ASSIGN else None
        value = but_none(value) if value is not None else None
        made = self._made_by(value) if isinstance(value, ast.Call) else None
        return made if made is None or not found.again or self._keeps(made, found.methods) else None

    def _keeps(self, owner: ast.ClassDef, methods: Iterable[str]) -> bool:
        """Whether methods that a module has by itself give the module back: the class has none of its own."""
        return self.is_module_class(owner) and all(self.names.method(owner, method) is None for method in methods)

    def _made_by(self, call: ast.Call) -> ast.ClassDef | None:
        """The class of ``Net()``, and of ``Net().to(device)``, which is the same module."""
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr in torch_api.MODULE_KEEPING_METHODS:
            made = self._made_by(func.value) if isinstance(func.value, ast.Call) else None
            if made is not None and self._keeps(made, {func.attr}):
                return made
        return self.names.class_named(func)

    def is_module_class(self, node: ast.ClassDef) -> bool:
        """Whether a class derives from ``torch.nn.Module``, directly or through classes of this file."""
        return self.derives(node, torch_api.MODULE_BASES)

    def derives(self, node: ast.ClassDef, bases: frozenset[str]) -> bool:
        """Whether a class derives from one of the named classes."""
        return any(self.names.resolve(base) in bases for owner in self.names.bases(node) for base in owner.bases)

    def attribute_values(self, owner: ast.ClassDef, name: str) -> list[ast.expr | None]:
        """Everything that is assigned to an attribute of a class or its bases here; None: something else.

        A value that is added (``self.x += v``) is given by the target of the ``+=``.
        """
        return [value for base in self.names.bases(owner) for value in self._attributes.get((base, name), [])]

    def attributes_of(self, owner: ast.ClassDef) -> list[str]:
        """The names of all that is assigned to an attribute of a class or its bases here."""
        bases = self.names.bases(owner)
        return [name for (base, name), values in self._attributes.items() if base in bases and values]

    def declared(self, owner: ast.ClassDef, name: str) -> ast.expr | None:
        """The annotation that a class gives an attribute in its body: ``model: Net``."""
        if owner not in self._declared:
            fields = [s for s in reversed(owner.body) if isinstance(s, ast.AnnAssign)]
            self._declared[owner] = {s.target.id: s.annotation for s in fields if isinstance(s.target, ast.Name)}
        return self._declared[owner].get(name)

    def is_buffer(self, owner: ast.ClassDef, name: str) -> bool:
        """Whether a class, or a base of it here, registers an attribute as a buffer: ``register_buffer("mean", …)``."""
        return self.buffer_value(owner, name) is not None

    def buffer_value(self, owner: ast.ClassDef, name: str) -> ast.expr | None:
        """What a class, or a base of it here, registers as a buffer; None where it registers none by this name."""
        return next(
            (self._buffers[base, name] for base in self.names.bases(owner) if (base, name) in self._buffers), None
        )

    @cached_property
    def _buffers(self) -> dict[tuple[ast.ClassDef, str], ast.expr]:
        found: dict[tuple[ast.ClassDef, str], ast.expr] = {}
        for call in self.module.calls:
            func, name = call.func, call.args[0] if call.args else None
            if not isinstance(func, ast.Attribute) or func.attr != "register_buffer" or len(call.args) < 2:
                continue
            owner = self.instance_class(func.value)
            if owner is not None and isinstance(name, ast.Constant) and isinstance(name.value, str):
                found[owner, name.value] = call.args[1]
        return found

    @cached_property
    def _attributes(self) -> dict[tuple[ast.ClassDef, str], list[ast.expr | None]]:
        found: dict[tuple[ast.ClassDef, str], list[ast.expr | None]] = {}
        for node in self.module.of_type(ast.Attribute, ast.ClassDef):
            if isinstance(node, ast.Attribute):
                if isinstance(node.ctx, ast.Load):
                    continue
                owner = self.instance_class(node.value)
                if owner is not None:
                    found.setdefault((owner, node.attr), []).append(self._stored(node))
            else:
                scope = self.names.scope_of(node)
                for name, bindings in scope.bindings.items() if scope is not None else ():
                    values = [b.value if b.how is How.ASSIGN else None for b in bindings if b.how is not How.FUNCTION]
                    found.setdefault((node, name), []).extend(values)
        return found

    def _stored(self, target: ast.Attribute) -> ast.expr | None:
        parent = self.module.parents[target]
        if isinstance(parent, ast.Assign | ast.AnnAssign):
            return parent.value
        if isinstance(parent, ast.AugAssign):
            return target
        outer = self.module.parents[parent]
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


def dotted(node: ast.AST) -> str | None:
    """``a.b.c`` for a chain of plain attributes on a name, else None."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])
