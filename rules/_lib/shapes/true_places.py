"""What becomes of the places where a mask is true, which `nonzero()` and `torch.where(mask)` list."""

from __future__ import annotations

import ast
import enum
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.facts import known
from xlaport.facts.elementwise import is_of_same_rank
from xlaport.facts.names import How
from xlaport.facts.role import Role
from xlaport.facts.vocabulary import VIEW_METHODS
from xlaport.rule import Edit, Replace

from ..host_reads.device_values import spelled
from ..one_line import one_line
from ..parentheses import factor
from .selection import is_mask, is_number

_FORMING = frozenset("squeeze view reshape flatten t long int tolist cpu detach numpy".split())
"""Methods that give the same places in another form."""
_COUNTING = frozenset({"numel", "nelement"})


class Use(enum.Enum):
    """What a program does with places."""

    COUNTED = "counted"
    READ = "indexes what is read"
    WRITTEN = "indexes what is written"
    LOOPED = "looped over"
    FIRST = "one of them is taken"
    OTHER = "something else"


_BY_INDEX = {
    "index_select": Use.READ,
    "index_copy_": Use.WRITTEN,
    "index_fill_": Use.WRITTEN,
    "index_add_": Use.WRITTEN,
}


@dataclass(frozen=True)
class Used:
    """One use: `node` is the count, the subscript or the call, the loop."""

    how: Use
    node: ast.AST


@dataclass(frozen=True)
class Places:
    """A call that lists the places where `mask` is not zero."""

    call: ast.Call
    mask: ast.expr
    is_tuple: bool
    """Whether it gives one tensor for each dimension, as an index takes them."""


def places_of(context: Context, call: ast.Call, mask: ast.expr) -> Places:
    """What a call of `nonzero`, `argwhere` or `where` gives."""
    name = context.resolve(call.func) or ""
    as_tuple = next((k.value for k in call.keywords if k.arg == "as_tuple"), None)
    return Places(call, mask, name == "torch.where" or (isinstance(as_tuple, ast.Constant) and as_tuple.value is True))


def uses_of(context: Context, places: Places) -> list[Used]:
    """How the places are used, directly or by a name that is bound to them alone."""
    whole = formed(context, places)
    parent = context.module.parents[whole]
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        names = context.names.only_uses_of(parent.targets[0])
        return [_used(context, name, places, whole) for name in names] if names else [Used(Use.OTHER, whole)]
    return [_used(context, whole, places, whole)]


def formed(context: Context, places: Places) -> ast.expr:
    """``torch.where(mask)[0].view(-1)``: all of what gives the places, in whatever form."""
    node: ast.expr = places.call
    while True:
        parent = context.module.parents[node]
        if isinstance(parent, ast.Attribute) and parent.attr in _FORMING:
            call = context.module.parents[parent]
            if isinstance(call, ast.Call) and call.func is parent:
                node = call
                continue
        if isinstance(parent, ast.Subscript) and parent.value is node and places.is_tuple and node is places.call:
            node = parent
            continue
        return node


def _indexing(node: ast.Subscript) -> Used:
    """The use of places in a subscript of their own."""
    return Used(Use.READ if isinstance(node.ctx, ast.Load) else Use.WRITTEN, node)


def _is_plain_index(element: ast.expr) -> bool:
    """``:``, ``:4``, ``None`` and ``...``."""
    return isinstance(element, ast.Slice) or (isinstance(element, ast.Constant) and element.value in (None, ...))


def _by_index(context: Context, call: ast.Call, node: ast.expr) -> Used | None:
    """The use in ``x.index_select(0, places)``, ``x.index_add_(0, places, v)`` and the like."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _BY_INDEX:
        return None
    name = context.resolve(call.func)
    given = call.args if name is not None and name.startswith("torch.") else [call.func.value, *call.args]
    if len(given) < 3 or given[2] is not node:
        return None
    return Used(_BY_INDEX[call.func.attr], call)


def _used(context: Context, node: ast.expr, places: Places, whole: ast.expr) -> Used:
    """How the places `whole` are used where `node` stands for them."""
    parent = context.module.parents[node]
    outer = context.module.parents.get(parent)
    if isinstance(parent, ast.Subscript) and parent.slice is node:
        return _indexing(parent)
    if places.is_tuple and whole is places.call:
        if isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant):
            used = _used(context, parent, places, parent)
            return used if used.how is Use.COUNTED else Used(Use.OTHER, node)
        return Used(Use.OTHER, node)  # its elements are dimensions
    if isinstance(parent, ast.Tuple) and isinstance(outer, ast.Subscript) and outer.slice is parent:
        rest = [e for e in parent.elts if e is not node]
        return _indexing(outer) if all(_is_plain_index(e) for e in rest) else Used(Use.OTHER, node)
    if isinstance(parent, ast.Call) and (method := _by_index(context, parent, node)) is not None:
        return method
    if isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.len":
        return Used(Use.COUNTED, parent)
    if isinstance(parent, ast.Attribute):
        if parent.attr == "shape" and isinstance(outer, ast.Subscript) and _is_zero(outer.slice):
            return Used(Use.COUNTED, outer)
        if isinstance(outer, ast.Call) and outer.func is parent:
            if parent.attr == "size" and len(outer.args) == 1 and _is_zero(outer.args[0]):
                return Used(Use.COUNTED, outer)
            element = context.module.parents[outer]
            if parent.attr == "size" and isinstance(element, ast.Subscript) and _is_zero(element.slice):
                return Used(Use.COUNTED, element)
            if parent.attr in _COUNTING:
                return Used(Use.COUNTED, outer)
            if parent.attr == "item":
                return Used(Use.FIRST, outer)
    if isinstance(parent, ast.Subscript) and isinstance(parent.slice, ast.Constant | ast.UnaryOp):
        return Used(Use.FIRST, parent)
    if isinstance(parent, ast.For) and parent.iter is node:
        return Used(Use.LOOPED, parent)
    if isinstance(parent, ast.Call) and context.resolve(parent.func) == "builtins.int":
        return Used(Use.FIRST, parent)
    return Used(Use.OTHER, node)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == 0


# -- fixes ---------------------------------------------------------------------------------------------


def counted(context: Context, places: Places) -> list[Edit] | None:
    """The edit of ``len(mask.nonzero())``: a sum, which has a size that is known."""
    whole = formed(context, places)
    parent = context.module.parents[whole]
    if isinstance(parent, ast.Assign) or not context.editable(whole):
        return None
    (used,) = uses_of(context, places)
    if used.how is not Use.COUNTED or not isinstance(used.node, ast.expr) or not _is_plain(places, whole):
        return None
    if isinstance(used.node, ast.Call) and getattr(used.node.func, "attr", "") in _COUNTING:
        # Of places in several dimensions, it counts each as often as it has numbers.
        if not (isinstance(whole, ast.Subscript) or _rank(context, places.mask) == 1):
            return None
    method = "sum" if is_mask(context, places.mask) else "count_nonzero"
    return [Replace(context.span(used.node), f"int({spelled(context, places.mask)}.{method}())")]


def _is_plain(places: Places, whole: ast.expr) -> bool:
    """``mask.nonzero()`` and ``torch.where(mask)[0]``, which have one element, or one row, for each place."""
    if places.is_tuple:
        return isinstance(whole, ast.Subscript) and whole.value is places.call and isinstance(whole.slice, ast.Constant)
    return whole is places.call


def written(context: Context, places: Places) -> list[Edit] | None:
    """The edits of ``x[torch.where(mask)] = 0``, also by a name for the places: `masked_fill_` by the mask itself."""
    if not is_mask(context, places.mask) or formed(context, places) is not places.call:
        return None
    if not context.editable(places.call):
        return None
    parent = context.module.parents[places.call]
    target = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
    edits: list[Edit] = []
    mask = context.module.segment(places.mask)
    if isinstance(target, ast.Name):
        if not _lasts(context, places.mask):
            return None
        mask = target.id
        edits.append(Replace(context.span(places.call), context.module.segment(places.mask)))
    for used in uses_of(context, places):
        statement = context.module.parents[used.node]
        if used.how is not Use.WRITTEN or not isinstance(used.node, ast.Subscript):
            return None
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1 or not _is_same(context, places, used):
            return None
        if not is_number(context, statement.value) or not context.editable(statement):
            return None
        tensor, value = context.module.segment(used.node.value), context.module.segment(statement.value)
        edits.append(Replace(context.span(statement), f"{tensor}.masked_fill_({mask}, {value})"))
    return edits


def _is_same(context: Context, places: Places, used: Used) -> bool:
    """Whether an index takes all dimensions of a tensor on the device whose mask this is."""
    assert isinstance(used.node, ast.Subscript)
    tensor = used.node.value
    if not context.roles.is_(tensor, Role.TENSOR) or not is_of_same_rank(context.view.own, places.mask, tensor):
        return False
    index = used.node.slice
    if places.is_tuple:
        return index is places.call or isinstance(index, ast.Name)
    # As a column of places, it is an index of one dimension.
    return (index is places.call or isinstance(index, ast.Name)) and _rank(context, tensor) == 1


def _lasts(context: Context, mask: ast.expr) -> bool:
    """Whether a mask stays what it is, by whatever name: it is new, or nobody gets hold of it who may change it."""
    if not isinstance(mask, ast.Name):
        return isinstance(mask, ast.Compare | ast.BinOp | ast.UnaryOp)
    home = context.names.home(mask)
    if home is None or any(binding.how is not How.ASSIGN for binding in context.names.bindings(mask)):
        return False
    return all(_only_looks(context, use) for use in context.names.uses(home, mask.id))


def _only_looks(context: Context, use: ast.Name) -> bool:
    """Whether a use computes something with a tensor, and cannot change it."""
    parent = context.module.parents[use]
    if isinstance(parent, ast.Compare | ast.BinOp | ast.UnaryOp):
        return True
    if isinstance(parent, ast.Subscript):
        return parent.slice is use
    if isinstance(parent, ast.Attribute):
        return parent.attr not in VIEW_METHODS and not parent.attr.endswith("_")
    name = (context.resolve(parent.func) or "") if isinstance(parent, ast.Call) else ""
    return known.computes_tensor(name) and name.rpartition(".")[2].rstrip("_") not in VIEW_METHODS and name[-1] != "_"


def _rank(context: Context, tensor: ast.expr) -> int | None:
    return context.tensors.held(context.view.own, tensor).rank


def texts(context: Context, mask: ast.expr) -> dict[str, str]:
    """A mask as it is spelled in the texts of `sizes.toml`."""
    text = one_line(context, mask)
    operand = factor(mask, text)
    if is_mask(context, mask):
        negated = f"(~{operand})"
        if isinstance(mask, ast.UnaryOp) and isinstance(mask.op, ast.Invert):
            negated = factor(mask.operand, one_line(context, mask.operand))
        known = {"true": "true", "mask": text, "negated": negated, "count": f"{operand}.sum()"}
    else:
        count = f"{operand}.count_nonzero()"
        known = {"true": "not zero", "mask": f"{operand} != 0", "negated": f"({operand} == 0)", "count": count}
    return {"tensor": text, "operand": operand, **known}
