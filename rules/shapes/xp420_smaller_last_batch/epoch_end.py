"""How an epoch ends: what it leaves out, and by what its loop counts the batches."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.loaders import Loader
from xlaport.facts.module import FunctionNode, LoopNode, walk_block
from xlaport.facts.origins import Origins
from xlaport.facts.program import Facts
from xlaport.facts.roles import dotted
from xlaport.facts.spot import Spot

from ..._lib.shapes.saying import say

_OF_PROCESSES, _IN_ORDER = "DistributedSampler", "SequentialSampler"
_ANEW = frozenset({"RandomSampler", "SubsetRandomSampler", "WeightedRandomSampler"})
_CEIL = frozenset({"math.ceil", "numpy.ceil"})
_COUNTING = ("range", "enumerate", "count")
_MAX_DEPTH = 3


# -- which samples -------------------------------------------------------------------------------------


def advice(context: Context, loop: LoopNode, loader: Loader, size: str) -> str:
    """What to do about the last batch of a loop, by what decides which samples are in it."""
    shuffles, in_order = say.phrase("drop_last_batch"), say.phrase("pad_last_batch", size=size)
    found = list(_samplers(context, loader.spots("sampler")))
    # Without a sampler, the loader has one of its own.
    own = "RandomSampler" if "shuffle" in loader.given and not loader.is_known("shuffle", False) else _IN_ORDER
    names = [own if _is(spot.node, None) else _class(spot) for spot in found] or [own]
    others = [name for name in names if name != _OF_PROCESSES]
    told = shuffles if all(name in _ANEW for name in others) else in_order
    if _OF_PROCESSES not in names:
        return told
    shared = found[names.index(_OF_PROCESSES)]
    if _is_in_order(shared):
        return in_order
    name = _name(shared)
    if name is not None and _sets_epoch(context, shared.facts, name):
        return told
    sampler = name if name is not None and _is_bound(context, loop, shared, name) else "sampler"
    call = f"{sampler}.set_epoch({_epoch(context, loop) or 'epoch'})"
    return f"{told} {say.phrase('call_set_epoch', call=call)}"


def is_long_as_told(context: Context, loader: Loader) -> bool:
    """``RandomSampler(data, replacement=True, num_samples=int(1e10))``: an epoch may be longer than the training."""
    made = (spot.node for spot in _samplers(context, loader.spots("sampler")) if _class(spot) == "RandomSampler")
    return any(isinstance(node, ast.Call) and any(k.arg == "num_samples" for k in node.keywords) for node in made)


def _samplers(context: Context, spots: list[Spot]) -> Iterator[Spot]:
    """What makes the sampler of a loader, or None; an expression as it is, where that is out of sight."""
    origins = Origins(context.flow.structure)
    for spot in spots:
        yield from origins.of(spot.facts, spot.node) or [spot]


def _epoch(context: Context, loop: LoopNode) -> str | None:
    """What the loop over the epochs around a loop over batches calls their number; None where it has no name."""
    for parent in context.module.ancestors(loop):
        if isinstance(parent, FunctionNode | ast.While):
            break
        if isinstance(parent, ast.For):
            target = parent.target.elts[0] if isinstance(parent.target, ast.Tuple) else parent.target
            name = target.id if isinstance(target, ast.Name) else ""
            counts = isinstance(parent.iter, ast.Call) and ast.unparse(parent.iter.func).endswith(_COUNTING)
            return name if name.strip("_") and (counts or "epoch" in name) else None
    return None


def _is_bound(context: Context, loop: LoopNode, sampler: Spot, name: str) -> bool:
    """Whether a name means a sampler where a loop stands, too."""
    first = name.partition(".")[0]
    if sampler.facts is not context.view.own:
        return False
    if first == "self":
        return context.module.class_of(loop) is context.module.class_of(sampler.node) is not None
    return any(b.value is not None and sampler.node in ast.walk(b.value) for b in context.names.visible(first, loop))


def _class(spot: Spot) -> str | None:
    """The name of torch's class of samplers that a call makes one of."""
    called = spot.facts.names.resolve(spot.node.func) if isinstance(spot.node, ast.Call) else None
    return called.rpartition(".")[2] if called is not None and called.startswith("torch.utils.data.") else None


def _is_in_order(spot: Spot) -> bool:
    """``DistributedSampler(data, shuffle=False)``."""
    given = spot.node.keywords if isinstance(spot.node, ast.Call) else []
    return any(k.arg == "shuffle" and _is(k.value, False) for k in given)


def _name(spot: Spot) -> str | None:
    """What a sampler is assigned to where it is made."""
    for parent in spot.facts.module.ancestors(spot.node):
        if isinstance(parent, ast.Assign):
            return dotted(parent.targets[0])
        if not isinstance(parent, ast.IfExp):
            return None
    return None


def _sets_epoch(context: Context, facts: Facts, name: str) -> bool:
    """Whether something by the name of a sampler, or the sampler of a loader, is told which epoch it is."""
    last = name.rpartition(".")[2]
    uses = [use for file in dict.fromkeys([context.view.own, facts]) for use in file.loads.get("set_epoch", [])]
    owners = [dotted(use.value) or "" for use in uses if isinstance(use, ast.Attribute)]
    return any(owner.rpartition(".")[2] in (last, "sampler") for owner in owners)


# -- how many batches ----------------------------------------------------------------------------------


def leaves_before(context: Context, loop: LoopNode, sizes: list[str]) -> bool:
    """Whether a loop is left after the whole batches: ``if n == len(data) // size: break``, before all else."""
    for statement in loop.body:
        if not isinstance(statement, ast.If) or not isinstance(statement.body[-1], ast.Break):
            return False
        tests = statement.test.values if isinstance(statement.test, ast.BoolOp) else [statement.test]
        is_and = isinstance(statement.test, ast.BoolOp) and isinstance(statement.test.op, ast.And)
        if not is_and and any(_is_reached(context, test, sizes) for test in tests):
            return True
    return False


def _is_reached(context: Context, test: ast.expr, sizes: list[str]) -> bool:
    """Whether a condition holds as soon as the whole batches are done."""
    return (
        isinstance(test, ast.Compare)
        and all(isinstance(op, ast.Eq | ast.GtE | ast.LtE) for op in test.ops)
        and any(_is_floor(part, sizes) for part in _computed(context, test))
    )


def counted_by_ceil(context: Context, loop: LoopNode, sizes: list[str]) -> ast.expr | None:
    """The number of batches, a smaller last one included, that a pass of a loop is compared with."""
    for node in walk_block(loop.body):
        if isinstance(node, ast.Compare):
            for part in _computed(context, node):
                if _is_ceil(context, part, sizes):
                    return part
    return None


def pads(context: Context, loop: LoopNode, sizes: list[str]) -> bool:
    """Whether a pass fills up a batch to the size of the others: ``F.pad(x, (0, 0, 0, 16 - len(x)))``."""
    return any(
        isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) and ast.unparse(part.left) in sizes
        for node in walk_block(loop.body)
        if isinstance(node, ast.Call) and context.resolve(node.func) == "torch.nn.functional.pad"
        for argument in (*node.args[1:], *(keyword.value for keyword in node.keywords))
        for part in _computed(context, argument)
    )


def _computed(context: Context, node: ast.expr, depth: int = 0) -> Iterator[ast.expr]:
    """An expression's parts, and those of what its names were assigned."""
    for part in ast.walk(node):
        if not isinstance(part, ast.expr):
            continue
        yield part
        is_read = isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and depth < _MAX_DEPTH
        if is_read and (value := context.names.assigned(part)) is not None:
            yield from _computed(context, value, depth + 1)


def _is_floor(node: ast.expr, sizes: list[str]) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv) and ast.unparse(node.right) in sizes


def _is_ceil(context: Context, node: ast.expr, sizes: list[str]) -> bool:
    quotient = node.args[0] if isinstance(node, ast.Call) and len(node.args) == 1 else None
    return (
        isinstance(node, ast.Call)
        and context.resolve(node.func) in _CEIL
        and isinstance(quotient, ast.BinOp)
        and isinstance(quotient.op, ast.Div)
        and ast.unparse(quotient.right) in sizes
    )


def _is(node: ast.expr, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is value
