"""How to write into a tensor of a fixed size what would make a tensor grow, and to read from it."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.literals import integer
from xlaport.facts.module import indices, walk_block
from xlaport.facts.names import Binding, How
from xlaport.facts.role import Role
from xlaport.facts.roles import dotted

from .growth import Growth
from .last_place import carried, last_reads, source_named, told, unseen

_JOINED_BY_AXIS = ("cat", "concat", "concatenate", "stack")
_KEEPING = frozenset("to clone detach long int contiguous type_as cuda".split())
_MAX_DEPTH = 4
_COUNTED = " (further on by the places that the model puts in front, back by those that it merges or leaves out there)"


def advice(context: Context, growth: Growth) -> str:
    """A recipe, as a clause that follows a comma."""
    added = context.module.segment(growth.added) if growth.added is not None else None
    if not growth.feeds:
        return f"append {added or 'what is new'} to a list, and join the list once, after the loop"
    if growth.is_list and (reduced := _reduced(context, growth)) is not None:
        return reduced
    axis, named = _axis(context, growth), _named(growth)
    new = added if growth.added is not None and dotted(growth.added) else None
    size = f"{new}.size({axis})"
    if _method(context, growth) == "stack":
        new, one = f"{new}.unsqueeze({axis})" if new is not None else f"unsqueeze({axis}) of the new part", True
    else:
        one = growth.added is not None and _is_one(context, growth.added, integer(_axis_of(growth.call)), 0)
    room, passes = "the largest length", _passes(growth)
    if passes is not None and "." not in growth.name and (one or new is not None):
        room = f"{passes} more" if one else f"{_operand(passes)} * {size} more"
    if one:
        places, counted = "position", "where position is a tensor of one element that is counted up on the device"
    elif new is not None:
        places = f"position + torch.arange({size}, device={new}.device)"
        counted = f"where position is a tensor of one element, to which each write adds {size} on the device"
    else:
        places = "places"
        counted = (
            "of the same dtype, where places is a tensor of the places that it gets: those from position on, a tensor "
            "of one element that each write moves on, on the device"
        )
    begin = f"make {named} once, with room for {room}, and write into it by"
    if growth.is_list:
        begin = f"write them into one tensor with room for {room} by"
    return f"{begin} {named}.index_copy_({axis}, {places}, {new or 'the new part'}), {counted}{_read(context, growth)}"


def _reduced(context: Context, growth: Growth) -> str | None:
    """What to do where nothing becomes of what is joined but its sum or its mean."""
    parent = context.module.parents[growth.call]
    call = context.module.parents[parent] if isinstance(parent, ast.Attribute) else None
    if not isinstance(call, ast.Call) or call.func is not parent or call.args or call.keywords:
        return None
    method = parent.attr if isinstance(parent, ast.Attribute) else ""
    if method == "sum":
        return "add the sum of what is new to a tensor of one number, on the device, in every pass"
    if method == "mean":
        return (
            "add the sum of what is new to a tensor of one number, on the device, and how many numbers that is to "
            "another one: their quotient is the mean"
        )
    return None


def _read(context: Context, growth: Growth) -> str:
    """What becomes of the places that are not written yet, as sentences."""
    axis, named = _axis(context, growth), _named(growth)
    unwritten = f"torch.arange({named}.size({axis}), device={named}.device) >= position"
    if growth.is_list:
        return f". What is not written yet must not count: leave it out by a mask, {unwritten}"
    if growth.grown is None:
        return f". Attend to all of {named}, and mask what is not written yet, {unwritten}"
    last = _last(context, growth)
    means = f"What is not written yet must not count: leave it out by a mask, {unwritten}"
    if last or _feeds_a_model(context, growth):
        means = (
            "What is not written yet must reach nothing that counts: in a causal model nothing sees what comes after "
            f"it; otherwise leave it out by a mask, {unwritten}"
        )
    return f"{last}{_cut(context, growth)}{_cache(context, growth)}. {means}{_early(growth, axis, named)}"


def _early(growth: Growth, axis: str, named: str) -> str:
    """What a loop that may be left early has to cut off."""
    leaves = growth.loop is not None and any(
        isinstance(n, ast.Break | ast.Return) for n in walk_block(growth.loop.body)
    )
    if not leaves:
        return ""
    cut = f"{named}.narrow({axis}, 0, int(position))"
    return f". The loop may end early: behind it, cut off what is not written, {cut}, which is read once there"


def _cache(context: Context, growth: Growth) -> str:
    if growth.loop is None or growth.grown is None:
        return ""
    cache = carried(context, growth.loop, source_named(context, growth.grown))
    if cache is None:
        return ""
    return (
        f". Where {cache}, which the last pass left, grows, too, it gets room, and is written at position, as the "
        "model counts it, or is left out; with room, its size no longer says at which places the new ones are: "
        "position does"
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


def _named(growth: Growth) -> str:
    return "buffer" if growth.is_list else growth.name


def _method(context: Context, growth: Growth) -> str:
    return (context.resolve(growth.call.func) or "").rpartition(".")[2]


def _last(context: Context, growth: Growth) -> str:
    if growth.loop is None or growth.grown is None:
        return ""
    axis = integer(_axis_of(growth.call)) if _method(context, growth) in _JOINED_BY_AXIS else None
    is_grown = source_named(context, growth.grown)
    reads = last_reads(context, growth.loop.body, is_grown, axis)
    model = unseen(context, growth.loop, is_grown, axis)
    within = (
        f". Where {model} gets all of {growth.name} and takes the last place itself, as for its head, hand it "
        f"position, too, and let it take the place position - 1{_COUNTED}"
        if model is not None
        else ""
    )
    if not reads:
        return within
    return (
        f". The last place is not written yet: take {told(context, reads, 'position - 1')}"
        f"{'' if within else _COUNTED}{within}"
    )


def _cut(context: Context, growth: Growth) -> str:
    """``tokens[:, -size:]``: the end of a buffer is what is not written yet."""
    if growth.loop is None or growth.grown is None:
        return ""
    is_grown = source_named(context, growth.grown)
    for statement in growth.loop.body:
        for node in ast.walk(statement):
            if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load) or not is_grown(node.value):
                continue
            for element in indices(node):
                if not isinstance(element, ast.Slice) or element.upper is not None or element.lower is None:
                    continue
                text, lower = context.module.segment(node), element.lower
                if not (isinstance(lower, ast.UnaryOp) and isinstance(lower.op, ast.USub)):
                    return (
                        f". {text} would reach into what is not written yet: where it means what is new since the last "
                        "pass, take what was there at first, and then what was written last"
                    )
                if integer(lower.operand) == 1:
                    continue
                return (
                    f". {text} would take places that are not written yet (and on XLA a slice from before the begin "
                    f"raises): leave it out, which is the same as long as {growth.name} has "
                    f"{context.module.segment(lower.operand)} places at most, with its room"
                )
    return ""


def _is_one(context: Context, node: ast.expr, axis: int | None, depth: int) -> bool:
    """Whether a part is one place long: ``multinomial(p, 1)``, ``argmax(…, keepdim=True)``, ``x[:, -1:]``."""
    if depth > _MAX_DEPTH:
        return False
    if isinstance(node, ast.Name):
        found = context.names.reaching(node)
        return bool(found) and all(_is_bound_to_one(context, b, axis, depth + 1) for b in found)
    if isinstance(node, ast.Subscript):
        elements = indices(node)
        return any(_is_new_or_last(e) and _is_at(i, len(elements), axis) for i, e in enumerate(elements))
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
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
    return method in _KEEPING and _is_one(context, node.func.value, axis, depth + 1)


def _is_bound_to_one(context: Context, binding: Binding, axis: int | None, depth: int) -> bool:
    value = binding.value
    if binding.how is How.UNPACK and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        if value.func.attr == "topk":
            given = value.args[1:] if context.resolve(value.func) == "torch.topk" else value.args
            return integer(given[0] if given else _keywords(value).get("k")) == 1
        return value.func.attr in ("max", "min") and _keeps(value)
    return binding.how is How.ASSIGN and value is not None and _is_one(context, value, axis, depth)


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
    if _method(context, growth) not in _JOINED_BY_AXIS:
        return "dim"
    found = _axis_of(growth.call)
    return ast.unparse(found) if found is not None else "0"


def _axis_of(call: ast.Call) -> ast.expr | None:
    found = next((k.value for k in call.keywords if k.arg in ("dim", "axis")), None)
    found = call.args[1] if found is None and len(call.args) > 1 else found
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
