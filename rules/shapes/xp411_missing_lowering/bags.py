"""Embedding bags by offsets, whose indices may be another number in each batch."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.module import FunctionNode
from xlaport.facts.names import How
from xlaport.observed.placing import observed_in

_BAGS = frozenset({"torch.nn.EmbeddingBag", "torch.nn.modules.sparse.EmbeddingBag"})
_FUNCTIONS = frozenset({"torch.nn.functional.embedding_bag", "torch.embedding_bag"})
_PLACE = {"torch.nn.functional.embedding_bag": 2, "torch.embedding_bag": 2}
"""Where `offsets` stands among the arguments."""
_OFTEN, _SIZES = 3, 2
"""How often a run has to show the indices, and how many sizes they may have had."""


def have_changing_sizes(context: Context, call: ast.Call) -> bool:
    """Whether the bags that a call makes, or adds up, may be given by offsets, and another number of indices each time.

    Where a run has shown one number, or another one beside it for a smaller last batch, they have not.
    """
    name, seen = context.resolve(call.func) or "", observed_in(context.view.own)
    if name in _FUNCTIONS:
        given = len(call.args) > _PLACE[name] or any(k.arg in ("offsets", None) for k in call.keywords)
        calls = [call] if given or any(isinstance(argument, ast.Starred) for argument in call.args) else []
    else:
        calls = [other for other in context.module.calls if _takes_offsets(context, other)] if name in _BAGS else []
    shown = [seen.get(other.args[0]) if other.args else None for other in calls]
    return not all(each is not None and each.times >= _OFTEN and 0 < len(each.sizes) <= _SIZES for each in shown)


def _takes_offsets(context: Context, call: ast.Call) -> bool:
    """A call of what may be such a module, with more than its indices."""
    if any(k.arg == "offsets" for k in call.keywords):
        return context.resolve(call.func) not in _FUNCTIONS
    more = len(call.args) > 1 or any(isinstance(argument, ast.Starred) for argument in call.args)
    return more and _may_be_a_bag(context, call.func)


def _may_be_a_bag(context: Context, func: ast.expr) -> bool:
    """An attribute or a name that such a module is assigned to, or one of several, out of a list of modules."""
    if context.resolve(func) is not None:
        return False
    if isinstance(func, ast.Subscript):
        return True
    if isinstance(func, ast.Attribute):
        owner = context.names.self_class(func.value) if isinstance(func.value, ast.Name) else None
        values = context.roles.classes.attribute_values(owner, func.attr) if owner is not None else []
        return any(_makes_a_bag(context, value) for value in values if value is not None)
    if not isinstance(func, ast.Name):
        return False
    for binding in context.names.reaching(func):
        if binding.how in (How.FOR, How.UNPACK) or isinstance(binding.value, ast.Subscript):
            return not isinstance(binding.node, FunctionNode)
        if binding.value is not None and _makes_a_bag(context, binding.value):
            return True
    return False


def _makes_a_bag(context: Context, value: ast.expr) -> bool:
    return any(isinstance(n, ast.Call) and context.resolve(n.func) in _BAGS for n in ast.walk(value))
