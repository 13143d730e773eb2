"""Selections whose packed form is needed: split into rows, padded by their own length, or indexed by numbers."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.derived import Derived
from xlaport.facts.held import Kind
from xlaport.facts.literals import integer
from xlaport.facts.module import last_name
from xlaport.facts.role import TENSORS, Role

from ..one_line import one_line
from .saying import say
from .selection import selection
from .true_places import texts

_KEEPING = frozenset("to float half double long int bool clone detach contiguous squeeze cuda".split())
"""Methods that keep the order of what is selected, and how many there are."""
_PADDING = frozenset("zeros ones full empty new_zeros new_ones new_full new_empty pad".split())
_MAX_DEPTH = 4


class Need(enum.Enum):
    """What the packed form is needed for."""

    ROWS = "it is split into rows"
    ORDER = "it is padded by its own length, or other numbers index it"


def need(context: Context, selected: ast.expr, mask: ast.expr) -> Need | None:
    """What becomes of a selection that takes its elements packed together; None where all places will do."""
    for use in uses(context, selected):
        parent = context.module.parents[use]
        outer = context.module.parents.get(parent)
        if _splits(context, use):
            return Need.ROWS
        is_method = isinstance(parent, ast.Attribute) and isinstance(outer, ast.Call) and outer.func is parent
        if isinstance(parent, ast.Attribute) and (parent.attr == "shape" or (is_method and parent.attr == "size")):
            if _pads(context, parent, use):
                return Need.ORDER
        elif isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.len":
            if _pads(context, parent, use):
                return Need.ORDER
        elif isinstance(parent, ast.Subscript) and parent.value is use and _is_looked_up(context, parent, mask):
            return Need.ORDER
    return None


def uses(context: Context, selected: ast.expr, depth: int = 0) -> Iterator[ast.expr]:
    """The expressions that stand for a selection: its own, and names that are bound to it."""
    node = selected
    while True:
        method = context.module.parents[node]
        call = context.module.parents.get(method)
        if not isinstance(method, ast.Attribute) or method.attr not in _KEEPING or not isinstance(call, ast.Call):
            break
        node = call
    parent = context.module.parents[node]
    target = parent.targets[0] if isinstance(parent, ast.Assign) and parent.value is node else None
    if not isinstance(target, ast.Name):
        yield node
        return
    for use in context.names.uses_of(target) if depth < _MAX_DEPTH else ():
        yield from uses(context, use, depth + 1)


def split_selection(context: Context, split: ast.Call) -> ast.expr | None:
    """What ``x[mask].split(lengths)`` and ``torch.split(x[mask], lengths)`` take apart."""
    if context.resolve(split.func) == "torch.split":
        return split.args[0] if split.args else None
    return split.func.value if isinstance(split.func, ast.Attribute) and split.func.attr == "split" else None


def split_rows(context: Context, split: ast.Call) -> str | None:
    """What to do about the split of what a mask selects; None for other tensors."""
    whole = split_selection(context, split)
    found = selection(context, whole) if whole is not None else None
    if found is None:
        return None
    recipe, snippet = packed(context, found.tensor, found.mask, Need.ROWS)
    return f"{recipe} `{'; '.join(snippet.splitlines())}`"


def _splits(context: Context, use: ast.expr) -> bool:
    """Whether a use is split into parts of several sizes."""
    parent = context.module.parents[use]
    call = parent if isinstance(parent, ast.Call) else context.module.parents.get(parent)
    if not isinstance(call, ast.Call) or split_selection(context, call) is not use:
        return False
    given = call.args[1:] if context.resolve(call.func) == "torch.split" else call.args
    sizes = next((k.value for k in call.keywords if k.arg == "split_size_or_sections"), given[0] if given else None)
    return sizes is not None and integer(sizes) is None and not context.roles.is_(sizes, Role.NUMBER)


def _pads(context: Context, asked: ast.AST, use: ast.expr) -> bool:
    """Whether a size says how much padding is made, or how far a buffer is filled with the same value."""
    for parent in context.module.ancestors(asked):
        if isinstance(parent, ast.Call) and last_name(parent.func) in _PADDING:
            return True
        if isinstance(parent, ast.stmt):
            target = parent.targets[0] if isinstance(parent, ast.Assign) else None
            fills = isinstance(target, ast.Subscript) and asked in set(ast.walk(target.slice))
            value = parent.value if isinstance(parent, ast.Assign) else None
            return fills and value is not None and ast.dump(value) == ast.dump(use)
    return False


def _is_looked_up(context: Context, part: ast.Subscript, mask: ast.expr) -> bool:
    """Whether a selection is indexed by a tensor of numbers that does not come of what the same mask selects."""
    if not isinstance(part.ctx, ast.Load):
        return False
    index = part.slice.elts[0] if isinstance(part.slice, ast.Tuple) and part.slice.elts else part.slice
    if isinstance(index, ast.Slice | ast.Constant | ast.Compare) or not context.roles.is_(index, *TENSORS):
        return False
    if context.tensors.held(context.view.own, index).kind is not Kind.INT:
        return False
    same = [
        node
        for node in context.module.nodes
        if isinstance(node, ast.Subscript) and ast.dump(node.slice) == ast.dump(mask) and isinstance(node.ctx, ast.Load)
    ]
    return not any(Derived(context.view.own, node).has(index) for node in same)


# -- words ---------------------------------------------------------------------------------------------


def packed(context: Context, tensor: ast.expr, mask: ast.expr, reason: Need, is_flat: bool = False) -> tuple[str, str]:
    """How to pack what a mask lets through at a length that stays the same: the recipe and its snippet.

    `is_flat` says that the mask has one dimension.
    """
    names = texts(context, mask)
    text, whole = one_line(context, tensor), names["operand"]
    is_bool = names["true"] == "true"
    if reason is Need.ROWS:
        plain = whole if is_bool else f"({names['mask']})"
        return say.phrase("pack_rows", mask=plain), say.phrase("pack_rows_code", mask=plain, tensor=text)
    is_flat = is_flat or context.tensors.held(context.view.own, mask).rank == 1
    code = say.phrase(
        "pack_code",
        negated=names["negated"] if is_flat else f"{names['negated']}.flatten()",
        values=text if is_flat else f"{text}.flatten(0, {whole}.dim() - 1)",
        count=names["count"],
    )
    return say.phrase("pack"), code
