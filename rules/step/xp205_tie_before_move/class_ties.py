"""Parameters that modules share through a name that outlives them: an attribute of a class, a global name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import vocabulary as torch_api
from xlaport.facts.program import Facts
from xlaport.facts.roles import dotted
from xlaport.facts.structure import Class

from ..._lib.step.parts import Parts
from ..._lib.step.ties import is_parameter_name


@dataclass(frozen=True)
class SharedParameter:
    """A statement that gives a layer the parameter that a class, or the file, keeps for all."""

    statement: ast.Assign
    kept: str
    """What it is kept as: ``Memory.VALUES``."""
    owner: Class | None
    """The class of the modules that share it; None where that does not show."""
    way: str
    """The way from such a module to the parameter: ``values.weight``."""


def shared_parameters(context: Context) -> Iterator[SharedParameter]:
    """The statements of a file that do so, unless the program ties such parameters elsewhere, too."""
    for statement in context.module.of_type(ast.Assign):
        target, value = statement.targets[0], statement.value
        if len(statement.targets) > 1 or not isinstance(target, ast.Attribute) or not is_parameter_name(target.attr):
            continue
        way = dotted(target)
        if way is None or not isinstance(value, ast.Name | ast.Attribute):
            continue
        kept = [(where, v) for where, v in _kept(context, value) if _may_be_parameter(where, v)]
        if not any(_is_parameter(context, *end) for end in [*kept, (context.view.own, target)] if kept):
            continue
        rest = way.partition(".")[2]
        owner = _owner(context.view.own, target)
        if owner is None or not _is_tied_again(context, owner, rest):
            yield SharedParameter(statement, dotted(value) or ast.unparse(value), owner, rest)


def _owner(facts: Facts, node: ast.expr) -> Class | None:
    """The class of ``self`` in ``self.values.weight``."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return _self_class(facts, node)


def _kept(context: Context, value: ast.Name | ast.Attribute) -> list[tuple[Facts, ast.expr]]:
    """What a global name of the file, or an attribute of a class, is given, with the file that it is in."""
    facts, structure = context.view.own, context.flow.structure
    if isinstance(value, ast.Name):
        root = facts.names.root
        if facts.names.home(value) is not root or facts.module.function(value) is None:
            return []
        return [(facts, b.value) for b in root.bindings.get(value.id, []) if b.value is not None]
    itself = _self_class(facts, value.value)
    if itself is not None and not Parts(structure).is_kept_by_class(itself, value.attr):
        return []
    owner = itself or _class_itself(context, facts, value.value)
    return [
        (base.facts, stored)
        for base in (structure.bases(owner) if owner is not None else ())
        for stored in _kept_by(context, base, value.attr)
        if stored is not None
    ]


def _kept_by(context: Context, owner: Class, name: str) -> list[ast.expr | None]:
    """What an attribute of a class itself is given."""
    facts = owner.facts
    scope = facts.names.scope_of(owner.node)
    stored = [b.value for b in scope.bindings.get(name, [])] if scope is not None else []
    for node in facts.module.attributes.get(name, []):
        parent = facts.module.parents[node]
        if isinstance(node.ctx, ast.Store) and isinstance(parent, ast.Assign):
            if _class_itself(context, facts, node.value) == owner:
                stored.append(parent.value)
    return stored


def _class_itself(context: Context, facts: Facts, node: ast.expr) -> Class | None:
    """The class that ``Memory``, ``self.__class__`` and ``type(self)`` stand for."""
    if isinstance(node, ast.Attribute) and node.attr == "__class__":
        return _self_class(facts, node.value)
    if isinstance(node, ast.Call) and facts.names.resolve(node.func) == "builtins.type" and len(node.args) == 1:
        return _self_class(facts, node.args[0])
    return context.flow.structure.class_named(facts, node)


def _self_class(facts: Facts, node: ast.expr) -> Class | None:
    own = facts.names.self_class(node) if isinstance(node, ast.Name) else None
    return Class(facts, own) if own is not None else None


def _may_be_parameter(facts: Facts, value: ast.expr) -> bool:
    if isinstance(value, ast.Attribute):
        return is_parameter_name(value.attr)
    return _makes_parameter(facts, value)


def _makes_parameter(facts: Facts, value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and facts.names.resolve(value.func) in torch_api.PARAMETERS


def _is_parameter(context: Context, facts: Facts, value: ast.expr) -> bool:
    """Whether a value is seen to be a parameter: made as one, or that of a layer."""
    if _makes_parameter(facts, value):
        return True
    owner, way = _owner(facts, value), dotted(value)
    if owner is None or way is None:
        return False
    inside = f".{way.partition('.')[2]}"
    parts = Parts(context.flow.structure)
    return parts.is_parameter(owner, inside) or parts.is_layer(owner, inside.rpartition(".")[0])


def _is_tied_again(context: Context, owner: Class, way: str) -> bool:
    """Whether a statement outside of the class puts a parameter there: behind a move, as a rule."""
    last = way.rpartition(".")[2]
    return any(
        isinstance(node.ctx, ast.Store)
        and f".{dotted(node)}".endswith(f".{way}")
        and facts.module.class_of(node) is not owner.node
        for facts in context.flow.structure.files_with(owner, last)
        for node in facts.module.attributes.get(last, [])
    )
