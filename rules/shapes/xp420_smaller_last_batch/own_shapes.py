"""Whether the batches of a loader have one shape, or each its own: padded to their longest sample, or all joined."""

from __future__ import annotations

import ast
import enum

from xlaport.context import Context
from xlaport.facts.loaders import Loader, code_of
from xlaport.facts.names import Binding, How
from xlaport.facts.origins import Origins
from xlaport.facts.spot import Spot
from xlaport.facts.structure import Function

from ..._lib.shapes.item_lengths import have_one_length
from ..._lib.shapes.ragged import is_collator, nodes_of, padded

_OF_GRAPHS = frozenset({"dgl.batch", "torch_geometric.data.Batch.from_data_list"})
"""What makes one graph of many: it has the nodes and the edges of all of them."""
_CHAINING = frozenset({"itertools.chain", "itertools.chain.from_iterable"})
_CONCATENATING = frozenset(
    "torch.cat torch.concat torch.concatenate torch.hstack torch.vstack numpy.concatenate numpy.hstack "
    "numpy.vstack".split()
)
"""What joins samples along a dimension that they have: it is as long as they are together."""
_STACKING = frozenset(
    f"torch.utils.data.{name}"
    for name in "default_collate _utils.collate.default_collate dataloader.default_collate".split()
) | {"transformers.default_data_collator", "transformers.DefaultDataCollator"}
"""What gives batches of one shape, where samples have one."""
_LONGEST = frozenset({"builtins.max", "numpy.max", "torch.max", "torch.amax"})
_KEEPING = frozenset({"builtins.list", "builtins.tuple", "builtins.map", "builtins.zip", "builtins.sorted"})
_MAX_DEPTH = 4


class Shapes(enum.Enum):
    """What is known of the shapes that the whole batches of a loader have."""

    ONE = "all have the same, as far as can be told"
    UNSURE = "what makes them decides: it is out of sight, or joins or cuts samples whose sizes are"
    OWN = "each has its own"


def shapes(context: Context, loader: Loader) -> Shapes:
    """Whether batches have one shape, or are as long as their longest sample, or as all of them together."""
    if not loader.has("collate_fn"):
        return Shapes.ONE
    origins = Origins(context.flow.structure)
    made = [o for spot in loader.spots("collate_fn") for o in origins.of(spot.facts, spot.node) or [spot]]
    if any(isinstance(o.node, ast.Call) and is_collator(context.of(o.facts), o.node) for o in made):
        return Shapes.ONE if have_one_length(context, loader.spots("dataset")) else Shapes.OWN
    functions = _collating(context, loader)
    if not functions:
        return Shapes.ONE if made and all(map(_is_stacking, made)) else Shapes.UNSURE
    found = {_of_function(context.of(function.facts), function) for function in functions}
    return next((known for known in (Shapes.OWN, Shapes.UNSURE) if known in found), Shapes.ONE)


def _of_function(context: Context, function: Function) -> Shapes:
    nodes = list(nodes_of(function))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    if any(True for _ in padded(context, nodes)) or any(_chains(context, function, call) for call in calls):
        return Shapes.OWN
    is_unsure = any(_concatenates(context, function, call) or _cuts(context, call) for call in calls)
    return Shapes.UNSURE if is_unsure else Shapes.ONE


def _is_stacking(spot: Spot) -> bool:
    node = spot.node.func if isinstance(spot.node, ast.Call) else spot.node
    return spot.facts.names.resolve(node) in _STACKING


def _collating(context: Context, loader: Loader) -> list[Function]:
    """The functions that make a batch: what a loader takes, and what that calls."""
    structure = context.flow.structure
    found: list[Function] = []
    for facts, node in code_of(structure, loader.facts, loader.given["collate_fn"]):
        found += [Function(facts, node)] if not isinstance(node, ast.Lambda) else []
        calls = facts.module.that_run([node.body] if isinstance(node, ast.Lambda) else node.body, ast.Call)
        found += [called for call in calls if (called := structure.run_by(facts, call)) is not None]
    return found


# -- what joins the samples ----------------------------------------------------------------------------


def _chains(context: Context, function: Function, call: ast.Call) -> bool:
    """``dgl.batch(graphs)``, ``itertools.chain(*labels)``: nobody would join what has one size by these."""
    name = context.resolve(call.func)
    if name in _OF_GRAPHS:
        return True
    return name in _CHAINING and bool(call.args) and _is_of_samples(context, function, call.args[0], 0)


def _concatenates(context: Context, function: Function, call: ast.Call) -> bool:
    """``torch.cat(labels)`` of what the samples themselves have."""
    is_joining = context.resolve(call.func) in _CONCATENATING and bool(call.args)
    return is_joining and _is_of_samples(context, function, call.args[0], 0)


def _cuts(context: Context, call: ast.Call) -> bool:
    """``x[:, :longest]`` of ``longest = max(lengths).item()``: samples of one size are cut to the longest of them."""
    if context.resolve(call.func) not in _LONGEST or len(call.args) != 1:
        return False
    value: ast.expr = call
    for parent in context.module.ancestors(call):
        is_taken = isinstance(parent, ast.Attribute) and parent.attr == "item"
        if not is_taken and not (isinstance(parent, ast.Call) and _is_number(context, parent, value)):
            break
        value = parent if isinstance(parent, ast.expr) else value
    uses = [value]
    assign = context.module.parents[value]
    if isinstance(assign, ast.Assign) and isinstance(target := assign.targets[0], ast.Name):
        home = context.names.home(target)
        found = context.names.uses(home, target.id) if home is not None else []
        uses = [use for use in found if any(b.node is target for b in context.names.reaching(use))]
    return any(isinstance(bound := context.module.parents[use], ast.Slice) and bound.upper is use for use in uses)


def _is_number(context: Context, call: ast.Call, value: ast.expr) -> bool:
    """``int(value)``, and ``value.item()``, of which `value` is the method."""
    return call.func is value or context.resolve(call.func) == "builtins.int"


def _is_of_samples(context: Context, function: Function, node: ast.expr, depth: int) -> bool:
    """Whether an expression is a list with a part of each sample, as the sample has it.

    ``[x for x, y in batch]``, ``xs`` of ``xs, ys = zip(*batch)``, and the batch; not ``[x[None] for x in batch]``.
    """
    if depth > _MAX_DEPTH:
        return False
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        comprehension = node.generators[0]
        return _is_of_samples(context, function, comprehension.iter, depth + 1) and _is_a_part(context, node.elt, node)
    if isinstance(node, ast.Starred):
        return _is_of_samples(context, function, node.value, depth + 1)
    if isinstance(node, ast.Call) and context.resolve(node.func) in _KEEPING:
        return any(_is_of_samples(context, function, argument, depth + 1) for argument in node.args)
    if not isinstance(node, ast.Name):
        return False
    found = context.names.reaching(node)
    return bool(found) and all(_holds_samples(context, function, binding, depth) for binding in found)


def _holds_samples(context: Context, function: Function, binding: Binding, depth: int) -> bool:
    if binding.how is How.PARAMETER:
        arguments = function.node.args
        own = [a for a in [*arguments.posonlyargs, *arguments.args] if a.arg not in ("self", "cls")]
        return bool(own) and binding.node is own[0]
    if binding.value is None or binding.how not in (How.ASSIGN, How.UNPACK):
        return False
    return _is_of_samples(context, function, binding.value, depth + 1)


def _is_a_part(context: Context, part: ast.expr, comprehension: ast.expr) -> bool:
    """Whether each element is a name, an entry or an attribute of a sample: what is computed may have one size."""
    while isinstance(part, ast.Attribute) or (
        isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Constant) and part.slice.value is not None
    ):
        part = part.value
    if not isinstance(part, ast.Name):
        return False
    targets = comprehension.generators[0].target if isinstance(comprehension, ast.ListComp | ast.GeneratorExp) else None
    return targets is not None and any(isinstance(n, ast.Name) and n.id == part.id for n in ast.walk(targets))
