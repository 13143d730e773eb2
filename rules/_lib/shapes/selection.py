"""Selections: what a mask lets through of a tensor, packed together, `x[mask]` and `x.masked_select(mask)`."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts.elementwise import is_of_same_rank
from xlaport.facts.held import Kind
from xlaport.facts.names import How
from xlaport.facts.role import Role


@dataclass(frozen=True)
class Selection:
    """The elements of a tensor where a mask is true: as many as the mask has true places, which the host asks for."""

    node: ast.expr
    tensor: ast.expr
    mask: ast.expr
    is_index: bool
    """Whether it is `x[mask]`, where the mask has the leading dimensions of x; else the two are broadcast."""


def selection(context: Context, node: ast.AST) -> Selection | None:
    """The selection that an expression is; None where the mask is not known to be one of truth values."""
    if isinstance(node, ast.Subscript):
        mask = mask_of(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(mask, ast.Slice | ast.Tuple | ast.Constant):
            return None
        found = Selection(node, node.value, mask, True)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
        if node.func.attr != "masked_select":
            return None
        if context.resolve(node.func) == "torch.masked_select" and len(node.args) == 2:
            found = Selection(node, node.args[0], node.args[1], False)
        elif context.resolve(node.func) is None and len(node.args) == 1:
            found = Selection(node, node.func.value, node.args[0], False)
        else:
            return None
    else:
        return None
    if not found.is_index and context.roles.is_(found.tensor, Role.TENSOR) and context.roles.of(found.mask) is None:
        return found  # it takes nothing else than truth values, and where the tensor lies
    on_device = context.roles.is_(found.tensor, Role.TENSOR) and context.roles.is_(found.mask, Role.TENSOR)
    if on_device and is_mask(context, found.mask):
        return found
    return found if _is_spread(found) and (on_device or _is_of_a_model(context, found)) else None


def mask_of(node: ast.Subscript) -> ast.expr:
    """What indexes: ``mask`` of ``x[mask]``, and of ``x[mask, :]``, which is the same."""
    index = node.slice
    if not isinstance(index, ast.Tuple) or not index.elts or not all(map(is_whole, index.elts[1:])):
        return index
    return index.elts[0]


def is_whole(part: ast.expr) -> bool:
    """``:``, which takes all of a dimension."""
    return isinstance(part, ast.Slice) and part.lower is part.upper is part.step is None


def _is_spread(found: Selection) -> bool:
    """``x[mask.unsqueeze(-1).expand_as(x)]``: an index of the same shape as what it takes from is a mask."""
    mask = found.mask
    if not isinstance(mask, ast.Call) or not isinstance(mask.func, ast.Attribute) or mask.func.attr != "expand_as":
        return False
    return [ast.dump(argument) for argument in mask.args] == [ast.dump(found.tensor)]


def _is_of_a_model(context: Context, found: Selection) -> bool:
    """Whether a method of a module does it to what it is given, of which nothing else is known."""
    owner, tensor = context.module.class_of(found.node), found.tensor
    bound = context.names.reaching(tensor) if isinstance(tensor, ast.Name) else ()
    is_given = bool(bound) and all(binding.how is How.PARAMETER for binding in bound)
    is_unknown = context.roles.of(tensor) is None and context.roles.of(found.mask) is None
    return is_given and is_unknown and owner is not None and context.roles.is_module_class(owner)


def is_mask(context: Context, node: ast.expr) -> bool:
    """Whether a tensor is known to hold truth values."""
    return context.tensors.held(context.view.own, node).kind is Kind.BOOL


def is_number(context: Context, node: ast.expr) -> bool:
    """Whether an expression is one of Python's numbers."""
    return context.roles.is_(node, Role.NUMBER) or (
        isinstance(node, ast.Constant) and type(node.value) in (bool, int, float)
    )


def rows_behind(context: Context, tensor: ast.expr, mask: ast.expr) -> int | None:
    """How many dimensions a tensor has more than a mask that indexes it; None: not known."""
    own = context.view.own
    if is_of_same_rank(own, mask, tensor):
        return 0
    whole, part = context.tensors.held(own, tensor).rank, context.tensors.held(own, mask).rank
    return whole - part if whole is not None and part is not None and 0 < part <= whole else None
