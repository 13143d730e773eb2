"""XP412: what is as large as the data says."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.role import Role
from xlaport.facts.step_code import StepBody
from xlaport.rule import Applicability, Finding, Harm, Rule

from .. import host_only
from ..host_reads.device_values import spelled
from .baked import COST, in_steps
from .boxes import to_host
from .from_host import made_of_numbers
from .lookup import is_looked_up
from .place_advice import advice, besides
from .placed import device_of
from .places_of_sizes import of_sizes
from .sized import Sized, by_name
from .true_places import counted, places_of, texts, written
from .wanted_part import Wanted, uses_inverse, wanted, wanted_of_places
from .where_placed import where_placed

_LISTING = frozenset({"torch.nonzero", "torch.argwhere", "torch.where"})
_SHORT = 40


class SizeFromData(Rule):
    """Report results that are as large as the data says.

    ## What it does
    Finds what has another size in each step, by functions whose result is as large as a tensor's values say: `nonzero`,
    `argwhere`, `torch.where(mask)`, `unique`, `unique_consecutive`, `repeat_interleave` by a tensor, `nms`. Two of
    their uses are rewritten: `len(mask.nonzero())` and the like are `int(mask.sum())`, and `x[torch.where(mask)] = 0`
    is `x.masked_fill_(mask, 0)`, where the mask was computed from `x` element by element. The others are reported with
    what to do.

    ## Why
    How large the result is, only the device knows: the host waits for it in the middle of the step, and each new size
    is another graph to compile, which takes from seconds to minutes on a TPU. What each function costs is measured:
    the table is `rules/shapes/sizes.toml`, with the version of torch_xla.

    ## Example
        model = nn.Linear(4, 2).to("xla")
        for batch in DataLoader(torch.zeros(8, 4)):
            x = model(batch.to("xla"))
            x[torch.where(x < 0)] = 0.0
            print(x.sum())

    becomes

        model = nn.Linear(4, 2).to("xla")
        for batch in DataLoader(torch.zeros(8, 4)):
            x = model(batch.to("xla"))
            x.masked_fill_(x < 0, 0.0)
            print(x.sum())

    ## When it is wrong
    Where the size is the same in each step, whatever the data: then it costs a wait, and one graph.

    ## When it is left alone
    Results of a fixed size (`repeat_interleave` by a number, `torch.where` with three arguments), those of the host,
    methods of these names of other objects, and selections that XP406 to XP409 rewrite.

    ## Sources
    - Measured on torch_xla 2.9: the table `rules/shapes/sizes.toml`.
    - PyTorch/XLA, Dynamic shapes: https://docs.pytorch.org/xla/release/r2.8/learn/dynamic_shape.html
    - PyTorch/XLA, Troubleshooting recompilations: https://docs.pytorch.org/xla/release/r2.8/perf/recompilation.html

    ## Related
    XP406, XP407, XP408, XP411.
    """

    code = "XP412"
    name = "size-from-data"
    summary = "a result that is as large as the data says"
    applicability = Applicability.SAFE
    harm = Harm.RECOMPILES
    words = ("nonzero", "argwhere", "where", "unique", "repeat_interleave", "nms", "remove_small_boxes")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each such call in a step."""
        if not host_only.stays_on_host(context):
            yield from in_steps(context, self._in_body)

    def _in_body(self, context: Context, body: StepBody) -> Iterator[Finding]:
        for node in context.step_code.of_type(body, ast.Call):
            found = _sized(context, node)
            if found is not None and not context.step_code.is_now_and_then(node, but_training=True):
                yield from self._finding(context, node, *found)

    def _finding(self, context: Context, node: ast.Call, function: Sized, tensor: ast.expr) -> Iterator[Finding]:
        names = _names(context, node, function, tensor)
        short = context.module.segment(node)
        if len(short) > _SHORT or "\n" in short:
            short = f"{function.name.rpartition('.')[2]}()"
        of_slices = "unique" in function.name and "dim" in _given(context, node, function)
        size = f"one slice for each different one of {names['tensor']}" if of_slices else function.size.format(**names)
        why = (
            f"{short} has {size}, a number that the host has to ask the device for each time, and each new one is "
            f"{COST}"
        )
        part = _wanted(context, node, function, tensor)
        if part is not None:
            why = (
                f"{short} has {size}: the host computes it, for which the step waits in its midst, and "
                f"{_only(part, names['tensor'])}"
            )
        why = f"{where_placed(context, tensor)}{why}"
        recipe = function.recipe.format(**names)
        if of_slices:
            recipe = (
                f"If {names['tensor']} comes from the data, find them on the host, before it moves; else compute with "
                "all slices, of which there are as many in each step, and let a mask leave out those that came before"
            )
        if part is not None and part.inverse and function.inverse is not None:
            recipe = function.inverse.format(**names)
            if part.of_slices:
                recipe = f"If {names['tensor']} comes from the data, find the inverse on the host, before it moves"
            recipe += "; how many there are is the inverse's max() + 1" if part.counts else ""
        elif part is None and uses_inverse(context, node, _given(context, node, function)):
            part_of = "slice" if of_slices else "element"
            recipe = (
                f"What is computed for each different {part_of} and taken back by the inverse can be computed for each "
                f"{part_of} of {names['tensor']}, of which there are as many in each step, where that costs little; "
                f"else pad the different ones to the most that there can be. {recipe}"
            )
        made = made_of_numbers(context, tensor) if function.name.endswith("repeat_interleave") else None
        if made is not None:
            recipe = (
                f"The counts come from the host: repeat there, by what torch.tensor() gets in line "
                f"{context.line(made)} without a device, which waits for nothing, pad the result to one of a few "
                "lengths, and move that"
            )
        if function.name in _LISTING:
            if "XP407" in context.codes and is_looked_up(context, node):
                return
            places = places_of(context, node, tensor)
            fixed = of_sizes(context, places)
            if fixed is not None:
                yield self.finding(context.place(node), fixed)
                return
            edits = counted(context, places)
            if edits:
                message = f"{why}. Their number alone is a sum, of one graph"
                yield self.finding(context.span(node), message, *edits)
                return
            edits = written(context, places)
            if edits:
                message = f"{why}: masked_fill_() writes the same in one graph"
                yield self.finding(context.span(node), message, *edits)
                return
            recipe = to_host(context, node) or advice(context, places) or f"{recipe}{besides(context, places)}"
        yield self.finding(context.place(node), f"{why}. {recipe}")


def _wanted(context: Context, node: ast.Call, function: Sized, tensor: ast.expr) -> Wanted | None:
    """What is used where no size of the data comes into the graph, and the host computes the result all the same."""
    if not function.falls_back:
        return None
    if function.name in _LISTING:
        part = wanted_of_places(context, places_of(context, node, tensor))
    else:
        part = wanted(context, node, _given(context, node, function))
    return part if part is not None and not part.reaches_a_size(context) else None


def _given(context: Context, node: ast.Call, function: Sized) -> dict[str, ast.expr]:
    return _arguments(node, function, context.resolve(node.func) is None) or {}


def _only(part: Wanted, tensor: str) -> str:
    """What alone is used, as a clause."""
    if not part.inverse:
        return "only how many there are is used"
    shape = "whose shape no value changes" if part.of_slices else f"which has the shape of {tensor}"
    if part.counts:
        return f"only how many there are is used, and the inverse, {shape}"
    return f"only the inverse is used, {shape}"


def _sized(context: Context, node: ast.Call) -> tuple[Sized, ast.expr] | None:
    """The entry of the table for a call, and the tensor that says how large the result is."""
    name = context.resolve(node.func)
    bound = False
    found = by_name().get(name or "", ())
    if not found and isinstance(node.func, ast.Attribute) and name is None:
        found, bound = by_name().get(f".{node.func.attr}", ()), True
    for function in found:
        given = _arguments(node, function, bound)
        if given is None or (function.is_alone and len(given) != 1) or any(p in given for p in function.without):
            continue
        tensors = function.tensor or function.parameters[:1]
        if all(p in given and context.roles.is_(given[p], Role.TENSOR) for p in tensors):
            return function, given[tensors[-1]]
    return None


def _arguments(node: ast.Call, function: Sized, bound: bool) -> dict[str, ast.expr] | None:
    """What a call passes, by the names of the parameters; None where that is not plain to see."""
    given: list[ast.expr] = [*([node.func.value] if bound and isinstance(node.func, ast.Attribute) else []), *node.args]
    if any(isinstance(a, ast.Starred) for a in given) or len(given) > len(function.parameters):
        return None
    found = dict(zip(function.parameters, given, strict=False))
    for keyword in node.keywords:
        if keyword.arg is None:
            return None
        found[keyword.arg] = keyword.value
    return found


def _names(context: Context, node: ast.Call, function: Sized, tensor: ast.expr) -> dict[str, str]:
    """The user's own names, for the texts of the table."""
    bound = context.resolve(node.func) is None
    given = _arguments(node, function, bound) or {}
    names = {p: spelled(context, given[p]) if p in given else p for p in function.parameters}
    return names | texts(context, tensor) | {"device": device_of(context, tensor, node)}
