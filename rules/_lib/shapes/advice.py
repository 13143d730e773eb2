"""What to do where a number is baked into the graph, in the user's own names."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.facts.change import Cause
from xlaport.facts.device_numbers import DeviceNumbers
from xlaport.facts.held import Kind
from xlaport.facts.literals import integer
from xlaport.facts.module import FunctionNode, LoopNode, indices
from xlaport.facts.role import Role
from xlaport.facts.tensors import Tensors

from ..one_line import one_line
from ..parentheses import atom
from .fetched import fetched_whole
from .in_place import is_changed_in_place
from .on_device import unread
from .one_length import is_one_length, parts
from .placed import device_of
from .places import Place
from .prefix import end
from .saying import say
from .storing import changed, stored


def advice(context: Context, place: Place) -> str:
    """A recipe, in sentences."""
    if isinstance(place.node, ast.Subscript):
        if (whole := fetched_whole(context, place.node)) is not None:
            return whole
        if place.construct.place == "index":
            return _index(context, place)
        return _slice(context, place)
    text = context.module.segment(place.number)
    if place.change.cause is Cause.READ:
        text = unread(context, place.number)
    tensor = context.module.segment(place.tensor) if place.tensor is not None else "the tensor"
    device = _device(context, place)
    if isinstance(place.node, ast.BinOp):
        operand, number = _operand(place.tensor, tensor), _operand(place.number, text)
        if not isinstance(place.node.op, ast.Pow):
            shift = "*" if isinstance(place.node.op, ast.LShift) else "//"
            return say.phrase("written", written=f"{operand} {shift} 2 ** {number}")
        one = f"torch.tensor([{text}], device={device})"
        is_exponent = place.number is place.node.right
        return say.phrase("power", written=f"{operand} ** {one}" if is_exponent else f"{one} ** {operand}")
    if isinstance(place.node, ast.Call):
        called = place.construct.name
        if called == "torch.arange" and (counted := _counted(context, place, text, device)) is not None:
            return counted
        if called == "torch.narrow" and place.construct.place == "start":
            return _narrowed(context, place, tensor, text, device)
    recipe = place.construct.recipe.replace("device=device", f"device={device}")
    return recipe.format(tensor=tensor, number=text, operand=_operand(place.number, text))


def _counted(context: Context, place: Place, number: str, device: str) -> str | None:
    """``torch.arange(n)``, ``torch.arange(0, n)`` and ``torch.arange(n, n + k)``."""
    assert isinstance(place.node, ast.Call)
    operand = _operand(place.number, number)
    bounds = place.node.args
    if place.number is bounds[0] and len(bounds) == 2 and (size := length(bounds[0], bounds[1])) is not None:
        return say.phrase("counted_from", written=f"torch.arange({size}, device={device}) + {operand}")
    if place.number is bounds[-1] and len(bounds) < 3 and (len(bounds) == 1 or integer(bounds[0]) == 0):
        compared = _compared(context, place, operand, device, place.number)
        return say.phrase("counted_to", inside=f"torch.arange(N, device={device}) < {compared}")
    return None


def _narrowed(context: Context, place: Place, tensor: str, number: str, device: str) -> str:
    """``x.narrow(dim, start, length)``: places by a tensor, or a mask where the length depends on the start, too."""
    call, start = place.node, place.number
    assert isinstance(call, ast.Call)
    own = call.args if call.args and start in call.args[:2] else call.args[1:]
    parts = dict(zip(("dim", "start", "length"), own, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
    dim, size = (context.module.segment(parts[name]) if name in parts else name for name in ("dim", "length"))
    inside = None
    if "length" in parts and any(ast.dump(n) == ast.dump(start) for n in ast.walk(parts["length"])):
        places = f"torch.arange({tensor}.size({dim}), device={device})"
        inside = f"`{places} >= {_compared(context, place, _operand(start, number), device, start)}`"
    if is_changed_in_place(context, call):
        return _chosen(tensor, inside)
    if inside is not None:
        return _masked(tensor, inside, number)
    positions = f"torch.arange({size}, device={device}) + {_operand(start, number)}"
    return say.phrase("taken", written=f"{tensor}.index_select({dim}, {positions})")


def _chosen(whole: str, inside: str | None) -> str:
    """All of a tensor is computed, and what is inside of a slice is chosen."""
    if inside is None:
        return say.phrase("chosen_in_the_slice", whole=whole)
    return say.phrase("chosen", whole=whole, inside=inside)


def _masked(whole: str, inside: str | None, number: str) -> str:
    """All of a tensor is used, with a mask in the place of a slice."""
    if inside is None:
        return say.phrase("masked_in_the_slice", whole=whole, number=number)
    return say.phrase("masked", whole=whole, inside=inside, number=number)


def _device(context: Context, place: Place) -> str:
    """How to write the device of a tensor, or where the code makes one: in names that are there."""
    if isinstance(place.node, ast.Call):
        given = next((k.value for k in place.node.keywords if k.arg == "device"), None)
        if given is not None:
            return ast.unparse(given)
    return device_of(context, place.tensor, place.node)


def _is_whole_tensor(place: Place) -> bool:
    """Whether the number is what is read from a tensor, and not computed from it: the tensor itself will do."""
    return place.change.is_tensor and isinstance(place.number, ast.Name | ast.Call)


def _index(context: Context, place: Place) -> str:
    """The subscript with a tensor of one element in the place of the number."""
    assert isinstance(place.node, ast.Subscript)
    number = ast.unparse(place.number)
    one = f"torch.tensor([{number}], device={_device(context, place)})"
    if _is_whole_tensor(place):
        one = f"{atom(place.change.name)}.view(1)"
    elif place.change.cause is Cause.READ:
        one = f"({unread(context, place.number)}).view(1)"
    whole, part = context.span(place.node), context.span(place.number)
    text = context.module.text
    written = " ".join(f"{text[whole.start : part.start]}{one}{text[part.end : whole.end]}".split())
    if not isinstance(place.node.ctx, ast.Load):
        return stored(context, place, written)
    if is_changed_in_place(context, place.node):
        return changed(context, place, written)
    paired = _paired(context, place)
    if paired:
        return _beside(context, place, one, written, paired)
    if place.axis is not None and not isinstance(place.node.slice, ast.Tuple):
        return say.phrase("by_one", written=f"{written}.squeeze({place.axis})")
    return say.phrase("by_one_that_keeps_the_dimension", written=written)


def _paired(context: Context, place: Place) -> list[ast.expr]:
    """The other parts of an index that are tensors, or may be: those would be broadcast with one for the number."""
    others = [e for e in _elements(place) if e is not place.number and not isinstance(e, ast.Slice | ast.Constant)]
    return [e for e in others if integer(e) is None and not context.roles.is_(e, Role.NUMBER)]


def _beside(context: Context, place: Place, one: str, written: str, paired: list[ast.expr]) -> str:
    """An index of a number beside tensors: a tensor in its place is broadcast with them, if they stand together."""
    assert isinstance(place.node, ast.Subscript)
    elements = _elements(place)
    at = sorted(elements.index(e) for e in (place.number, *paired))
    if at[-1] - at[0] != len(paired) or not all(context.roles.is_(e, Role.TENSOR) for e in paired):
        rest = ", ".join(one_line(context, e) for e in elements if e is not place.number)
        axis = "dim" if place.axis is None else place.axis
        whole = one_line(context, place.node.value)
        written = f"{whole}.index_select({axis}, {one}).squeeze({axis})[{rest}]"
    masks = [e for e in paired if context.tensors.held(context.view.own, e).kind is Kind.BOOL]
    besides = f" {say.phrase('selected_besides', mask=one_line(context, masks[0]))}" if masks else ""
    return f"{say.phrase('by_one', written=written)}{besides}"


def _slice(context: Context, place: Place) -> str:
    assert isinstance(place.node, ast.Subscript)
    tensor, number = context.module.segment(place.node.value), context.module.segment(place.number)
    if _is_whole_tensor(place):
        number = place.change.name
    elif place.change.cause is Cause.READ:
        number = unread(context, place.number)
    axis = "dim" if place.axis is None else str(place.axis)
    is_store = not isinstance(place.node.ctx, ast.Load)
    is_written = is_store or is_changed_in_place(context, place.node)
    inside = _inside(context, place, axis, number)
    positions = _positions(context, place, number)
    if positions is not None:
        if not is_written:
            return say.phrase("taken", written=_taken(context, place, axis, positions))
        if _is_one_part(place):
            written = _with(context, place, positions)
            return stored(context, place, written) if is_store else changed(context, place, written)
    if is_written:
        others = _others(place) if place.also is not None else []
        is_one = bool(others) and not any(isinstance(e, ast.Slice) for e in others)
        return _chosen(_with(context, place, ":") if is_one else tensor, inside)
    if place.also is not None:
        return say.phrase("window")
    return f"{_masked(tensor, inside, number)}{end(context, place)}"


def taken(context: Context, place: Place, arange: str) -> str | None:
    """A slice of one length that begins at a tensor, as code that takes it by a tensor of positions; None where it is
    none, or is written to. `arange` is torch's, as it is called there.
    """
    node = place.node
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load) or is_changed_in_place(context, node):
        return None
    if place.axis is None or not place.change.is_tensor or not isinstance(place.number, ast.Name):
        return None
    if place.also is None or (size := _places(context, place.number, place.also)) is None:
        return None
    structure = context.flow.structure
    numbers = DeviceNumbers(context.view.own, structure, Tensors(structure))
    bounds = [place.number, place.also]
    if any(numbers.of(part) is not None for part in parts(context, bounds, size)):
        return None  # its length is read, too
    positions = _positions(context, place, place.number.id, arange)
    return None if positions is None else _taken(context, place, str(place.axis), positions)


def _positions(context: Context, place: Place, number: str, arange: str = "torch.arange") -> str | None:
    """The positions of a slice of one length, as a tensor."""
    size = _places(context, place.number, place.also) if place.also is not None else None
    if size is None or place.also is None or not is_one_length(context, [place.number, place.also], size):
        return None
    return f"{arange}({size}, device={_device(context, place)}) + {_operand(place.number, number)}"


def _taken(context: Context, place: Place, axis: str, positions: str) -> str:
    assert isinstance(place.node, ast.Subscript)
    tensor = context.module.segment(place.node.value)
    rest = _with(context, place, ":").removeprefix(tensor) if _others(place) else ""
    return f"{tensor}.index_select({axis}, {positions}){rest}"


def _inside(context: Context, place: Place, axis: str, number: str) -> str | None:
    """What is true inside of a slice, as code in backticks; None where that is not simple."""
    bound = place.also if place.also is not None else place.number
    if place.construct.place == "step" or any(_counts_from_the_end(b) for b in (place.number, bound)):
        return None
    assert isinstance(place.node, ast.Subscript)
    device = _device(context, place)
    places = f"torch.arange({context.module.segment(place.node.value)}.size({axis}), device={device})"
    if place.also is None:
        sign = "<" if place.construct.place == "stop" else ">="
        return f"`{places} {sign} {_compared(context, place, number, device, place.number)}`"
    start = _compared(context, place, _operand(place.number, number), device, place.number)
    stop = _compared(context, place, _operand(bound, context.module.segment(bound)), device, bound)
    return say.phrase("inside", inside=f"(places >= {start}) & (places < {stop})", places=places)


def _counts_from_the_end(bound: ast.expr) -> bool:
    """``-n`` and ``-n - 1``."""
    return isinstance(bound.left if isinstance(bound, ast.BinOp) else bound, ast.UnaryOp)


def _compared(context: Context, place: Place, number: str, device: str, node: ast.expr) -> str:
    """A number that places are compared with: a tensor of it where a step compares with several.

    A Python number is an input of the graph, but 0 and 1 are parts of it, and equal numbers are one input: where
    several passes of a loop within a step compare, each other pattern of equal numbers is another graph. So it is with
    tensors without a dimension (torch_xla 2.9, measured).
    """
    if context.roles.is_(node, Role.HOST_TENSOR):
        return f"{number}.to({device})"
    if _is_whole_tensor(place) or not _is_repeated(context, place.node):
        return number
    return f"torch.tensor([{number}], device={device})"


def _is_repeated(context: Context, node: ast.AST) -> bool:
    """Whether a loop, or a comprehension, within a step goes over a place."""
    for parent in context.module.ancestors(node):
        if isinstance(parent, FunctionNode | ast.Lambda):
            return False
        if isinstance(parent, LoopNode):
            return not context.step_code.counts_steps(parent)
        if isinstance(parent, ast.comprehension | ast.ListComp | ast.GeneratorExp | ast.DictComp | ast.SetComp):
            return True
    return False


def _with(context: Context, place: Place, positions: str) -> str:
    """The subscript with something else in the place of its slice."""
    part = _part(place)
    whole, span = context.span(place.node), context.span(part)
    text = context.module.text
    written = " ".join(f"{text[whole.start : span.start]}{positions}{text[span.end : whole.end]}".split())
    return written.replace("[ ", "[").replace(" ]", "]")


def _part(place: Place) -> ast.Slice:
    (part,) = (e for e in _elements(place) if isinstance(e, ast.Slice) and e.lower is place.number)
    assert isinstance(part, ast.Slice)
    return part


def _elements(place: Place) -> list[ast.expr]:
    assert isinstance(place.node, ast.Subscript)
    return indices(place.node)


def _others(place: Place) -> list[ast.expr]:
    """The other elements of a subscript that leave something out of the tensor, or give a dimension."""
    others = [e for e in _elements(place) if e is not _part(place)]
    return [e for e in others if not isinstance(e, ast.Slice) or e.lower or e.upper or e.step]


def _is_one_part(place: Place) -> bool:
    """Whether no other part of a subscript is a tensor of places, or has to become one, too: they would be paired."""
    return all(
        integer(e) is not None
        or (isinstance(e, ast.Constant) and e.value in (None, ...))
        or (isinstance(e, ast.Slice) and all(b is None or integer(b) is not None for b in (e.lower, e.upper, e.step)))
        for e in _others(place)
    )


def _places(context: Context, start: ast.expr, stop: ast.expr) -> str | None:
    """`length`, also where one of the bounds has a name: ``end = start + k``."""
    found = length(start, stop)
    for bound in (stop, start) if found is None else ():
        value = context.names.assigned(bound)
        if value is not None and not _rebinds(context, value, stop if bound is start else start):
            found = found or (length(start, value) if bound is stop else length(value, stop))
    return found


def _rebinds(context: Context, value: ast.expr, bound: ast.expr) -> bool:
    """Whether a name of a bound means something else in a value that was computed before."""
    then = {n.id: context.names.reaching(n) for n in ast.walk(value) if isinstance(n, ast.Name)}
    now = {n.id: context.names.reaching(n) for n in ast.walk(bound) if isinstance(n, ast.Name)}
    return any(set(then[name]) != set(now[name]) for name in then.keys() & now.keys())


def length(start: ast.expr, stop: ast.expr) -> str | None:
    """``k`` of a slice ``a:a + k``, ``a - k:a``, and of ``i * k:(i + 1) * k``; ``n * k`` of ``i * k:(i + n) * k``."""
    if isinstance(start, ast.BinOp) and isinstance(start.op, ast.Sub) and ast.dump(start.left) == ast.dump(stop):
        return ast.unparse(start.right)
    if not isinstance(stop, ast.BinOp):
        return None
    if isinstance(stop.op, ast.Add):
        for same, other in ((stop.left, stop.right), (stop.right, stop.left)):
            if ast.dump(same) == ast.dump(start):
                return ast.unparse(other)
    if isinstance(stop.op, ast.Mult) and isinstance(start, ast.BinOp) and isinstance(start.op, ast.Mult):
        for factor, raised in ((start.left, stop.left), (start.right, stop.right)):
            other, same = (start.right, stop.right) if factor is start.left else (start.left, stop.left)
            if ast.dump(other) == ast.dump(same) and _is_next(factor, raised):
                return ast.unparse(other)
            if ast.dump(other) == ast.dump(same) and (more := length(factor, raised)) is not None:
                return f"{more if more.isalnum() else f'({more})'} * {ast.unparse(other)}"
    return None


def _is_next(number: ast.expr, other: ast.expr) -> bool:
    """``i`` and ``i + 1``."""
    if not isinstance(other, ast.BinOp) or not isinstance(other.op, ast.Add):
        return False
    one = [o for o in (other.left, other.right) if isinstance(o, ast.Constant) and o.value == 1]
    same = [o for o in (other.left, other.right) if ast.dump(o) == ast.dump(number)]
    return bool(one and same)


def _operand(node: ast.expr | None, text: str) -> str:
    """The text as a part of a larger expression."""
    return text if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Constant | ast.Subscript) else f"({text})"
