"""Questions for the type of a device: ``device.type == "cuda"``, ``"cuda" in str(x.device)``, ``match device.type``."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.roles import Role, dotted


@dataclass(frozen=True)
class Question:
    """What a device's type is compared with."""

    answers: tuple[ast.expr, ...]
    known: bool
    """Whether it is a device for certain, and not merely called one in a file with a `type` of its own."""


def question(context: Context, node: ast.AST) -> Question | None:
    """The question that a comparison, or a ``match``, asks of a device."""
    if isinstance(node, ast.Match):
        known = _is_type(context, node.subject)
        return Question(tuple(cases(node)), known) if known is not None else None
    if not isinstance(node, ast.Compare):
        return None
    sides = [node.left, *node.comparators]
    member = isinstance(node.ops[0], ast.In | ast.NotIn)
    found = [known for side in sides if (known := _is_type(context, side)) is not None]
    found += [known for side in sides if member and (known := _is_text(context, side)) is not None]
    return Question(tuple(_elements(sides)), any(found)) if found else None


def cases(node: ast.Match) -> list[ast.expr]:
    """The values that the cases of a ``match`` name."""
    return [n.value for case in node.cases for n in ast.walk(case.pattern) if isinstance(n, ast.MatchValue)]


def _elements(sides: list[ast.expr]) -> list[ast.expr]:
    """The sides of a comparison, and what stands in a tuple, list or set among them."""
    return [e for s in sides for e in (s.elts if isinstance(s, ast.Tuple | ast.List | ast.Set) else [s])]


def _is_type(context: Context, node: ast.expr) -> bool | None:
    """``device.type``: whether that is sure; None where it is something else."""
    return _is_device(context, node.value) if isinstance(node, ast.Attribute) and node.attr == "type" else None


def _is_text(context: Context, node: ast.expr) -> bool | None:
    """``str(device)``, which is "xla:0": "xla" is in it, but not equal to it."""
    if not isinstance(node, ast.Call) or context.resolve(node.func) != "builtins.str" or len(node.args) != 1:
        return None
    if isinstance(node.args[0], ast.Name) and not context.roles.is_(node.args[0], Role.DEVICE):
        return None  # may be a string, which is followed by its value
    return _is_device(context, node.args[0])


def _is_device(context: Context, node: ast.expr) -> bool | None:
    """What is a device, or is called one. Only a file whose objects have a `type` of their own leaves a doubt."""
    if context.roles.is_(node, Role.DEVICE):
        return True
    path = dotted(node)
    if path is None or context.roles.role(node) is not None or not path.rpartition(".")[2].lower().endswith("device"):
        return None
    return not any(_is_own_type(context, n) for n in context.module.nodes)


def _is_own_type(context: Context, node: ast.AST) -> bool:
    """``self.type = …``, a field or a property `type`."""
    if isinstance(node, ast.Attribute):
        return node.attr == "type" and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.FunctionDef):
        return node.name == "type"
    if isinstance(node, ast.Name) and node.id == "type" and isinstance(node.ctx, ast.Store):
        return isinstance(context.names.scope(node).node, ast.ClassDef)
    return False
