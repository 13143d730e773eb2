"""XP426: a mask that is multiplied with an infinite value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import TENSORS
from xlaport.rule import Applicability, Finding, Harm, Rule

from .._lib.one_line import one_line
from .._lib.shapes.saying import say

_INFINITE = frozenset({"math.inf", "numpy.inf", "numpy.infty", "torch.inf", "numpy.Inf"})


class InfiniteProduct(Rule):
    """Report masks that are multiplied with an infinite value.

    ## What it does
    Finds `mask * float("-inf")` and its like, where the other side is a tensor.

    ## Why
    Written by hand instead of `x[mask] = -inf`, so that shapes stay the same, it gives NaN wherever the mask is 0:
    infinity times 0 is NaN. `masked_fill_()` and `torch.where()` choose, and keep the shapes, too.

    ## Example
        def fill(x: torch.Tensor, mask: torch.Tensor):
            return x * ~mask + float("-inf") * mask

    is reported. Choose, and do not multiply:

        def fill(x: torch.Tensor, mask: torch.Tensor):
            return x.masked_fill(mask, float("-inf"))

    ## When it is wrong
    Where the tensor is nowhere 0.

    ## When it is left alone
    Products with a finite number, and products of two Python numbers.

    ## Sources
    - IEEE 754: infinity times zero is not a number.

    ## Related
    XP406, XP408.
    """

    code = "XP426"
    name = "infinite-product"
    summary = "infinity times a mask is NaN where the mask is 0"
    applicability = Applicability.MANUAL
    harm = Harm.WRONG
    words = ("inf",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each product."""
        for node in context.module.of_type(ast.BinOp):
            if not isinstance(node.op, ast.Mult):
                continue
            for value, other in ((node.left, node.right), (node.right, node.left)):
                if _is_infinite(context, value) and _is_mask(context, other):
                    mask, shown = one_line(context, _bare(other)), one_line(context, value)
                    yield self.finding(context.place(node), say("XP426.product", mask=mask, value=shown))
                    break


_CONVERSIONS = ("float", "bool", "to", "half", "bfloat16", "long", "type_as")


def _bare(node: ast.expr) -> ast.expr:
    """``mask`` of ``mask.float()``."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CONVERSIONS:
        node = node.func.value
    return node


def _is_infinite(context: Context, node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return _is_infinite(context, node.operand)
    if isinstance(node, ast.Call) and context.resolve(node.func) == "builtins.float" and len(node.args) == 1:
        value = node.args[0]
        return isinstance(value, ast.Constant) and str(value.value).strip().lower().lstrip("+-") in ("inf", "infinity")
    return context.resolve(node) in _INFINITE


def _is_mask(context: Context, node: ast.expr) -> bool:
    """A comparison, a negated mask, or a tensor."""
    if isinstance(node, ast.Compare):
        return any(context.roles.role(side) in TENSORS for side in (node.left, *node.comparators))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert):
        return _is_mask(context, node.operand)
    if _bare(node) is not node:
        return _is_mask(context, _bare(node))
    return context.roles.role(node) in TENSORS
