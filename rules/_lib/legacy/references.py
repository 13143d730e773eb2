"""Where a file speaks of torch_xla, and how to write another name there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import Binding, How
from xlaport.rule import Applicability, Edit, Import, InsertStatement, Replace
from xlaport.target import Symbol

_MAX_ALIASES = 4


@dataclass(frozen=True)
class Reference:
    """A use of a name of torch_xla."""

    node: ast.Name | ast.Attribute
    name: str
    """Its qualified name."""
    imports: tuple[Binding, ...]
    """The imports that it rests on: one, or several of the same thing."""
    is_passed_on: bool = False
    """Whether another file of the project imports it from torch_xla, and this one from there."""

    def applicability(self, usual: Applicability) -> Applicability:
        """A name that another file passes on may be missing, on purpose, where there is no torch_xla."""
        return Applicability.UNSAFE if self.is_passed_on and usual is Applicability.SAFE else usual


def references(context: Context) -> tuple[Reference, ...]:
    """Every use of a name that an import of torch_xla gives, in source order, parts of longer names included.

    A name that is imported, or else None, counts: where it is used, it is the import.
    """
    return context.view.own.once("XP9", lambda: tuple(_references(context)))


def _references(context: Context) -> Iterator[Reference]:
    for node in context.module.of_type(ast.Name, ast.Attribute):
        if not isinstance(node.ctx, ast.Load):
            continue
        root, attributes = _root(node)
        for _ in range(_MAX_ALIASES):
            value = _alias(context, root) if attributes else None  # `m = xm`: what is used of m is used of xm
            if value is None:
                break
            root, before = _root(value)
            attributes += before
        imports = _imports(context, root) if isinstance(root, ast.Name) else ()
        if not imports:
            continue
        base = imports[0].qualified or ""
        is_passed_on = not _is_of_torch_xla(base)
        if is_passed_on:
            base = context.resolve(root) or ""
        if _is_of_torch_xla(base):
            yield Reference(node, ".".join([base, *reversed(attributes)]), imports, is_passed_on)


def _root(node: ast.expr) -> tuple[ast.expr, list[str]]:
    """What a dotted name begins with, and the attributes behind it, the last one first."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    return node, attributes


def _alias(context: Context, root: ast.expr) -> ast.expr | None:
    """The dotted name that a name is only ever assigned."""
    found = context.names.bindings(root) if isinstance(root, ast.Name) else ()
    if len(found) != 1 or found[0].how is not How.ASSIGN:
        return None
    return found[0].value if isinstance(found[0].value, ast.Name | ast.Attribute) else None


def _imports(context: Context, root: ast.Name) -> tuple[Binding, ...]:
    """The imports that give a name its value, if nothing else does."""
    found = context.names.bindings(root)
    imports = tuple(binding for binding in found if binding.how is How.IMPORT)
    if not all(binding in imports or _is_nothing(binding) for binding in found):
        return ()
    return imports if len({binding.qualified for binding in imports}) == 1 else ()


def _is_of_torch_xla(name: str) -> bool:
    return name.split(".")[0] == "torch_xla"


def _is_nothing(binding: Binding) -> bool:
    value = binding.value
    return binding.how is How.ASSIGN and isinstance(value, ast.Constant) and value.value in (None, False)


def spelled(context: Context, symbol: Symbol, reference: Reference) -> tuple[str, tuple[Import, ...], tuple[Edit, ...]]:
    """How to write a symbol in the place of a reference, with the imports and the edits that this needs.

    The new import stands where the old one stands: code that imports torch_xla only where there is one, or only
    when it is called, goes on doing so.
    """
    statements = [context.module.statement(binding.node) for binding in reference.imports]
    text, imports = context.spell(symbol, reference.node)
    if not imports or any(statement in context.module.tree.body for statement in statements):
        return text, imports, ()
    present = {_name_beside(context, statement, symbol.imports.module) for statement in statements}
    if len(present) == 1 and (name := present.pop()) is not None:
        return f"{name}.{symbol.attribute}", (), ()
    name = context.free_name(symbol.imports)
    if name == "torch_xla" and any(_is_in_branch_of_function(context, statement) for statement in statements):
        # There, the name would be the function's own, and unbound in its other branches.
        name = context.free_name(Import("torch_xla", "xla"))
    code = Import(symbol.imports.module, name).statement()
    edits = tuple(InsertStatement(context.span(statement), code) for statement in statements)
    return f"{name}.{symbol.attribute}", (), edits


def _is_in_branch_of_function(context: Context, statement: ast.stmt) -> bool:
    parent = context.module.parents[statement]
    return context.module.function(statement) is not None and not isinstance(parent, FunctionNode)


def _name_beside(context: Context, statement: ast.stmt, module: str) -> str | None:
    """The name by which the block of a statement imports a module."""
    for other in context.module.block(statement):
        for alias in other.names if isinstance(other, ast.Import) else ():
            if alias.name == module and alias.asname:
                return alias.asname
            if not alias.asname and (alias.name == module or alias.name.startswith(f"{module}.")):
                return module
    return None


def replaced(context: Context, node: ast.expr, text: str) -> Replace | None:
    """The edit that writes `text` for a node; None where an f-string prints the node as it is written."""
    return Replace(context.span(node), text) if context.editable(node) else None
