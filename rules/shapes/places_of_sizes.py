"""Places of a mask that comes of sizes and numbers alone: the host could list them, and yet the device is asked."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.role import Role
from xlaport.facts.true_counts import TrueCount, TrueCounts

from ..one_line import one_line
from .placed import device_of
from .true_places import Places

_KEEPING = frozenset("bool byte float int long to type clone contiguous detach".split())
_MAX_DEPTH = 6


def of_sizes(context: Context, places: Places) -> str | None:
    """The message for such places; None where the mask is made of more than sizes and numbers."""
    count = TrueCounts(context.view.own).of(places.mask)
    if count is None or count.index is not None:
        return None
    call = one_line(context, places.call)
    why = (
        f"{call} lists places that sizes and numbers alone decide, and yet it asks the device how many there are, for "
        "which the host waits each time"
    )
    full = _full(context, places.mask, 0)
    if full is None:
        return (
            f"{why}. {made_on_host(context, count)}, without device= and without .to(device), by torch.ones() of a "
            "shape in the place of ones_like(), list its places there, and move them"
        )
    sizes, device = full
    each = f"i.flatten() for i in torch.meshgrid(*(torch.arange(n, device={device}) for n in {sizes}), indexing='ij')"
    listed = f"tuple({each})" if places.is_tuple else f"torch.stack([{each}], 1)"
    return f"{why}. All places count: {listed} gives the same, and asks nobody"


def made_on_host(context: Context, count: TrueCount) -> str:
    """The begin of the advice to make a mask of sizes on the host."""
    places = [f"line {context.line_of(site.facts, site.node)}" for site in count.passed]
    if not places:
        return "Make the mask on the host"
    passing = f"{' and '.join(places)} {'passes' if len(places) == 1 else 'pass'}"
    return f"Make the mask on the host, and there what it is made of, which {passing}"


def _full(context: Context, node: ast.expr, depth: int) -> tuple[str, str] | None:
    """The shape and the device of a tensor of ones, as text; None for others."""
    if isinstance(node, ast.Name):
        value = context.names.assigned(node)
        return _full(context, value, depth + 1) if value is not None and depth < _MAX_DEPTH else None
    if not isinstance(node, ast.Call):
        return None
    name = context.resolve(node.func)
    if name == "torch.ones_like" and node.args:
        like = one_line(context, node.args[0])
        return f"{like}.shape", f"{like}.device"
    is_method = name is None and isinstance(node.func, ast.Attribute)
    if is_method and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING:
        return _full(context, node.func.value, depth + 1)
    shape = _shape(context, node.args)
    if shape is None:
        return None
    if is_method and isinstance(node.func, ast.Attribute) and node.func.attr == "new_ones":
        return shape, f"{one_line(context, node.func.value)}.device"
    if name != "torch.ones":
        return None
    given = next((k.value for k in node.keywords if k.arg == "device"), None)
    return shape, one_line(context, given) if given is not None else device_of(context, node, node)


def _shape(context: Context, sizes: list[ast.expr]) -> str | None:
    """Sizes as one tuple: ``(3, n)`` of ``torch.ones(3, n)``; None where one argument may be both, number and shape."""
    texts = [one_line(context, size) for size in sizes]
    if len(sizes) != 1:
        return f"({', '.join(texts)})" if sizes and not any(isinstance(s, ast.Starred) for s in sizes) else None
    (size,) = sizes
    asked = size.func if isinstance(size, ast.Call) and not size.args else size
    if isinstance(size, ast.Tuple | ast.List) or (isinstance(asked, ast.Attribute) and asked.attr in ("shape", "size")):
        return texts[0]
    is_number = isinstance(size, ast.Constant) or context.roles.is_(size, Role.NUMBER)
    return f"({texts[0]},)" if is_number else None
