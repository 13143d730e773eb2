"""How to write into a tensor of a fixed size what would make a tensor grow, and to read from it."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.module import indices, walk_block
from xlaport.facts.names import Binding, How
from xlaport.facts.role import Role
from xlaport.facts.roles import dotted
from xlaport.wording import Text

from ..._lib.one_line import in_one_line, one_line
from ..._lib.shapes.growth import Growth
from ..._lib.shapes.last_place import carried, instead, last_reads, source_named, unseen
from ..._lib.shapes.placed import device_of
from ..._lib.shapes.saying import say

_JOINED_BY_AXIS = ("cat", "concat", "concatenate", "stack")
_KEEPING = frozenset("to clone detach long int contiguous type_as cuda".split())
_MAX_DEPTH = 4
_MAX_READS = 5


def told(context: Context, growth: Growth) -> Text:
    """What is said of a growth."""
    grows = say.phrase("grows_in_loop") if growth.loop is not None else say.phrase("grows_with_calls")
    if not growth.feeds:
        added = context.module.segment(growth.added) if growth.added is not None else "what is new"
        return say("XP402.collected", name=growth.name, grows=grows, added=in_one_line(added))
    if growth.is_list:
        grows = say.phrase("is_joined")
        reduced = _reduced(context, growth)
        if reduced == "sum":
            return say("XP402.sum", name=growth.name, grows=grows)
        if reduced == "mean":
            return say("XP402.mean", name=growth.name, grows=grows)
    axis, buffer = _axis(context, growth), "buffer" if growth.is_list else growth.name
    is_named = growth.added is not None and dotted(growth.added) is not None
    new = context.module.segment(growth.added) if growth.added is not None and is_named else "new"
    size = f"{new}.size({axis})"
    if joined_by(context, growth) == "stack":
        written, one = f"{new}.unsqueeze({axis})", True
    else:
        written = new
        one = growth.added is not None and is_one(context, growth.added, integer(axis_of(context, growth.call)), 0)
    room, passes = say.phrase("longest"), _passes(growth)
    if passes is not None and "." not in growth.name and (one or is_named):
        room = say.phrase("more", count=passes if one else f"{_operand(passes)} * {size}")
    reads = _last_reads(context, growth)
    start = "0" if growth.is_list else f"{buffer}.size({axis})"
    device = device_of(context, growth.added, growth.call) if growth.is_list else f"{buffer}.device"
    lines = [f"position = torch.tensor([{start}], device={device})  # the length before there is room"]
    lines += [f"{new}  # instead of {old} in line {line}" for new, old, line in reads[:_MAX_READS]]
    if not is_named and growth.added is not None:
        lines.append(f"new = {one_line(context, growth.added)}")
    places = "position" if one else f"position + torch.arange({size}, device={new}.device)"
    lines.append(f"{buffer}.index_copy_({axis}, {places}, {written})")
    lines.append(f"position += {1 if one else size}")
    lines.append(f"unwritten = torch.arange({buffer}.size({axis}), device={buffer}.device) >= position")
    if _may_end_early(growth):
        lines.append(f"{buffer} = {buffer}.narrow({axis}, 0, int(position))  # after the loop, which may end early")
    return say(
        "XP402.buffer",
        name=growth.name,
        grows=grows,
        buffer=buffer,
        when=say.phrase("before_the_loop") if growth.loop is not None else say.phrase("once"),
        room=room,
        means=_means(context, growth, bool(reads)),
        snippet="\n".join(lines),
    )


def _means(context: Context, growth: Growth, is_read: bool) -> str:
    """What becomes of the positions that are not written yet, and of what else the loop takes of them."""
    if growth.loop is None or growth.grown is None:
        return say.phrase("mask_unwritten")
    is_grown = source_named(context, growth.grown)
    model = unseen(context, growth.loop, is_grown, _cut_axis(context, growth))
    is_causal = is_read or model is not None or _feeds_a_model(context, growth)
    parts = [say.phrase("mask_unless_causal") if is_causal else say.phrase("mask_unwritten")]
    if model is not None:
        parts.append(say.phrase("model_reads_last", model=model))
    if (cut := _cut(context, growth)) is not None:
        parts.append(cut)
    if (cache := carried(context, growth.loop, is_grown)) is not None:
        parts.append(say.phrase("cache_grows", cache=cache))
    return " ".join(parts)


def _reduced(context: Context, growth: Growth) -> str:
    """``sum`` and ``mean``, where nothing becomes of what is joined but that."""
    parent = context.module.parents[growth.call]
    call = context.module.parents[parent] if isinstance(parent, ast.Attribute) else None
    if not isinstance(call, ast.Call) or call.func is not parent or call.args or call.keywords:
        return ""
    return parent.attr if isinstance(parent, ast.Attribute) else ""


def _may_end_early(growth: Growth) -> bool:
    return (
        growth.loop is not None
        and growth.grown is not None
        and any(isinstance(n, ast.Break | ast.Return) for n in walk_block(growth.loop.body))
    )


def _feeds_a_model(context: Context, growth: Growth) -> bool:
    """Whether a model gets what grows, or a part of it by another name, in each pass."""
    if growth.loop is None or growth.grown is None:
        return False
    nodes = [node for statement in growth.loop.body for node in ast.walk(statement)]
    given = [n for n in nodes if isinstance(n, ast.Call) and context.roles.is_(n.func, Role.MODEL)]
    return any(isinstance(n, ast.Name) and _is_from(context, n, growth.name) for call in given for n in ast.walk(call))


def _is_from(context: Context, name: ast.Name, grown: str) -> bool:
    if name.id == grown:
        return True
    values = [b.value for b in context.names.reaching(name) if b.value is not None]
    return any(isinstance(n, ast.Name) and n.id == grown for value in values for n in ast.walk(value))


def joined_by(context: Context, growth: Growth) -> str:
    """``cat`` of ``torch.cat(…)``."""
    return (context.looked_up(growth.call.func) or "").rpartition(".")[2]


def _cut_axis(context: Context, growth: Growth) -> int | None:
    return integer(axis_of(context, growth.call)) if joined_by(context, growth) in _JOINED_BY_AXIS else None


def _last_reads(context: Context, growth: Growth) -> list[tuple[str, str, str]]:
    """What to write where the last place is read, which is not written yet."""
    if growth.loop is None or growth.grown is None:
        return []
    is_grown, axis = source_named(context, growth.grown), _cut_axis(context, growth)
    return instead(context, last_reads(context, growth.loop.body, is_grown, axis), "position - 1")


def _cut(context: Context, growth: Growth) -> str | None:
    """``tokens[:, -size:]``: the end of a buffer is what is not written yet."""
    if growth.loop is None or growth.grown is None:
        return None
    is_grown = source_named(context, growth.grown)
    for statement in growth.loop.body:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load) or not is_grown(node.value):
                continue
            for element in indices(node):
                if not isinstance(element, ast.Slice) or element.upper is not None or element.lower is None:
                    continue
                part, lower = one_line(context, node), element.lower
                if not (isinstance(lower, ast.UnaryOp) and isinstance(lower.op, ast.USub)):
                    return say.phrase("takes_new_ones", part=part)
                if integer(lower.operand) != 1:
                    size = context.module.segment(lower.operand)
                    return say.phrase("takes_the_end", part=part, name=growth.name, size=size)
    return None


def is_one(context: Context, node: ast.expr, axis: int | None, depth: int) -> bool:
    """Whether a part is one place long: ``multinomial(p, 1)``, ``argmax(…, keepdim=True)``, ``x[:, -1:]``."""
    if depth > _MAX_DEPTH:
        return False
    if isinstance(node, ast.Name):
        found = context.names.reaching(node)
        return bool(found) and all(_is_bound_to_one(context, b, axis, depth + 1) for b in found)
    if isinstance(node, ast.Subscript):
        elements = indices(node)
        return any(_is_new_or_last(e) and _is_at(i, len(elements), axis) for i, e in enumerate(elements))
    if not isinstance(node, ast.Call):
        return False
    if (function := context.flow.structure.run_by(context.view.own, node)) is not None:
        there, returned = context.of(function.facts), function.facts.module.returns(function.node)
        values = [statement.value for statement in returned]
        return bool(values) and all(v is not None and is_one(there, v, axis, depth + 1) for v in values)
    if not isinstance(node.func, ast.Attribute):
        return False
    method, keywords = node.func.attr, _keywords(node)
    if method == "multinomial":
        given = node.args[1:] if context.resolve(node.func) == "torch.multinomial" else node.args
        return integer(given[0] if given else keywords.get("num_samples")) == 1
    if method in ("argmax", "argmin"):
        return _keeps(node)
    if method == "unsqueeze" and context.resolve(node.func) is None:
        at = integer(node.args[0] if node.args else keywords.get("dim"))
        return at is not None and at == axis
    return method in _KEEPING and is_one(context, node.func.value, axis, depth + 1)


def _is_bound_to_one(context: Context, binding: Binding, axis: int | None, depth: int) -> bool:
    value = binding.value
    if binding.how is How.UNPACK and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr == "topk":
            given = value.args[1:] if context.resolve(value.func) == "torch.topk" else value.args
            return integer(given[0] if given else _keywords(value).get("k")) == 1
        return value.func.attr in ("max", "min") and _keeps(value)
    return binding.how is How.ASSIGN and value is not None and is_one(context, value, axis, depth)


def _keywords(call: ast.Call) -> dict[str | None, ast.expr]:
    return {k.arg: k.value for k in call.keywords}


def _keeps(call: ast.Call) -> bool:
    """Whether a reduction keeps its dimension, as one of one place."""
    kept = _keywords(call).get("keepdim")
    return isinstance(kept, ast.Constant) and kept.value is True


def _is_new_or_last(element: ast.expr) -> bool:
    """``None`` and ``-1:`` in an index."""
    if isinstance(element, ast.Slice):
        return element.upper is None and element.step is None and integer(element.lower) == -1
    return isinstance(element, ast.Constant) and element.value is None


def _is_at(index: int, length: int, axis: int | None) -> bool:
    """Whether the element of an index is that of a dimension."""
    return axis is None or index == axis or (axis < 0 and (index == length + axis or index > 0))


def _axis(context: Context, growth: Growth) -> str:
    """The dimension of a join."""
    if joined_by(context, growth) not in _JOINED_BY_AXIS:
        return "dim"
    return ast.unparse(axis_of(context, growth.call))


def axis_of(context: Context, call: ast.Call) -> ast.expr:
    """Along which dimension a call joins."""
    found = next((k.value for k in call.keywords if k.arg in ("dim", "axis")), None)
    found = call.args[1] if found is None and len(call.args) > 1 else found
    if found is None and (before := context.roles.given_before(call.func)).keys() & {"dim", "axis"}:
        known = before.get("dim", before.get("axis"))
        return ast.Constant(known) if isinstance(known, int) else ast.Name("dim")
    return found if found is not None else ast.Constant(0)


def _operand(text: str) -> str:
    return text if text.replace(".", "").replace("_", "").isalnum() else f"({text})"


def _passes(growth: Growth) -> str | None:
    """``max_new_tokens`` of ``for _ in range(max_new_tokens)``."""
    if not isinstance(growth.loop, ast.For) or not isinstance(growth.loop.iter, ast.Call):
        return None
    function = growth.loop.iter.func
    if isinstance(function, ast.Name) and function.id == "range" and len(growth.loop.iter.args) == 1:
        return ast.unparse(growth.loop.iter.args[0])
    return None
