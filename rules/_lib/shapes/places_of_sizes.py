"""Places of a mask that comes of sizes and numbers alone: the host could list them, and yet the device is asked."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.role import Role
from xlaport.facts.true_counts import TrueCount, TrueCounts
from xlaport.wording import Text

from ..one_line import one_line
from ..series import series
from .placed import device_of
from .saying import say
from .true_places import Places

_KEEPING = frozenset("bool byte float int long to type clone contiguous detach".split())
_MAX_DEPTH = 6


def of_sizes(context: Context, places: Places) -> Text | None:
    """What is said of such places; None where the mask is made of more than sizes and numbers."""
    count = TrueCounts(context.view.own).of(places.mask)
    if count is None or count.index is not None:
        return None
    call, full = one_line(context, places.call), _full(context, places.mask, 0)
    if full is None:
        return say("XP412.sizes", call=call, passed=passed_in(context, count))
    sizes, device = full
    each = f"i.flatten() for i in torch.meshgrid(*(torch.arange(n, device={device}) for n in {sizes}), indexing='ij')"
    return say("XP412.all", call=call, listed=f"tuple({each})" if places.is_tuple else f"torch.stack([{each}], 1)")


def passed_in(context: Context, count: TrueCount) -> str:
    """What else is made on the host, where a mask of sizes is: what callers pass."""
    lines = [context.line_of(site.facts, site.node) for site in count.passed]
    return say.phrase("passed_in", lines=series(lines)) if lines else ""


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
