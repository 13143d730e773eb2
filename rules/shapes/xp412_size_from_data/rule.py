"""XP412: what is as large as the data says."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from xlaport.context import Context
from xlaport.facts.module import FunctionNode, LoopNode
from xlaport.facts.role import Role
from xlaport.facts.step_nodes import StepBody
from xlaport.rule import Applicability, Edit, Finding, Harm, Rule

from ..._lib import host_only
from ..._lib.arguments import given
from ..._lib.host_reads.device_values import spelled
from ..._lib.host_reads.host_loops import HostLoop, host_loop
from ..._lib.series import series
from ..._lib.shapes.boxes import to_host
from ..._lib.shapes.from_host import made_of_numbers
from ..._lib.shapes.in_steps import in_steps
from ..._lib.shapes.looked_up import is_looked_up
from ..._lib.shapes.placed import device_of
from ..._lib.shapes.places_of_sizes import of_sizes
from ..._lib.shapes.saying import say
from ..._lib.shapes.true_places import counted, places_of, texts, written
from ..._lib.shapes.where_placed import if_placed
from .place_advice import advice
from .sized import Sized, by_name

_LISTING = frozenset({"torch.nonzero", "torch.argwhere", "torch.where"})
_SHORT = 40


class SizeFromData(Rule):
    """Report results whose size depends on the data.

    ## What it does
    Finds functions whose result is as large as the values of a tensor say: `nonzero`, `argwhere`, `torch.where(mask)`,
    `unique`, `unique_consecutive`, `repeat_interleave` by a tensor, `nms`. Two of their uses are rewritten:
    `len(mask.nonzero())` and the like are `int(mask.sum())`, and `x[torch.where(mask)] = 0` is
    `x.masked_fill_(mask, 0)`, where the mask was computed from `x` element by element. A loop within a step that ends
    in numbers of the host, and makes such results in its passes, runs on the host as an unsafe fix, on one copy of what
    it computes with. The others are reported with what to do.

    By hand: do the same wherever the places of one mask are used, or what they select does not fit together. A branch
    on their number is mostly not needed with `torch.where()`. It is where it keeps a draw (`multinomial`) from an empty
    choice, or decides whether a list gets an element: do that part on the host, or keep a mask of what counts.

    ## Why
    Only the TPU knows how large the result is: the host waits for it in the middle of the step, and each new size of a
    tensor recompiles what uses it, which takes from seconds to minutes on a TPU. What each function costs is measured:
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
    Where the size is the same in each step, whatever the data: then it costs a wait, and one graph. What a loop
    computes on the host may differ in the last digits, and takes long where the tensors are large.

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
        call = context.module.segment(node)
        if len(call) > _SHORT or "\n" in call:
            call = f"{function.name.rpartition('.')[2]}()"
        where = if_placed(context, tensor)
        if (loop := _loop_of_host(context, node)) is not None:
            said = say("XP412.on-host", call=call, where=where, names=series(f"`{name}`" for name in loop.names))
            yield self.finding(context.span(node), said, *loop.edits, applicability=Applicability.UNSAFE)
            return
        text = say("XP412.left", call=call, where=where, recipe=_recipe(context, node, function, tensor))
        edits: list[Edit] | None = None
        if function.name in _LISTING:
            if "XP407" in context.codes and is_looked_up(context, node):
                return
            places = places_of(context, node, tensor)
            if (fixed := of_sizes(context, places)) is not None:
                text = fixed
            elif edits := counted(context, places):
                text = say("XP412.counted", call=call, where=where)
            elif edits := written(context, places):
                text = say("XP412.written", call=call, where=where)
            elif (host := to_host(context, node)) is not None:
                text = replace(text, recipe=host)
            else:
                text = advice(context, places, text)
        yield self.finding(context.span(node) if edits else context.place(node), text, *edits or ())


def _loop_of_host(context: Context, node: ast.Call) -> HostLoop | None:
    """The loop around a result that the host computes with alone: it waits in each pass, and once for a copy."""
    loop = next((n for n in context.module.ancestors(node) if isinstance(n, LoopNode | FunctionNode)), None)
    if not isinstance(loop, LoopNode) or context.module.place_in(loop.body, node) is None:
        return None
    return None if context.step_code.counts_steps(loop) else host_loop(context, loop, whole=True)


def _recipe(context: Context, node: ast.Call, function: Sized, tensor: ast.expr) -> str:
    """What the table says, or what is simpler for what is passed."""
    names = _names(context, node, function, tensor)
    passed = _arguments(node, function, context.called(node) is None) or {}
    made = made_of_numbers(context, tensor) if function.name.endswith("repeat_interleave") else None
    if made is not None:
        return say.phrase("repeat_on_host", line=context.line(made))
    if "unique" in function.name and "dim" in passed:
        return say.phrase("different_slices", tensor=names["tensor"])
    inverse = passed.get("return_inverse")
    if function.inverse is not None and isinstance(inverse, ast.Constant) and inverse.value:
        return function.inverse.format(**names)
    return function.recipe.format(**names)


def _sized(context: Context, node: ast.Call) -> tuple[Sized, ast.expr] | None:
    """The entry of the table for a call, and the tensor that says how large the result is."""
    name = context.called(node)
    bound = False
    found = by_name().get(name or "", ())
    if not found and isinstance(node.func, ast.Attribute) and name is None:
        found, bound = by_name().get(f".{node.func.attr}", ()), True
    for function in found:
        passed = _arguments(node, function, bound)
        if passed is None or (function.is_alone and len(passed) != 1) or any(p in passed for p in function.without):
            continue
        tensors = function.tensor or function.parameters[:1]
        if all(p in passed and context.roles.is_(passed[p], Role.TENSOR) for p in tensors):
            return function, passed[tensors[-1]]
    return None


def _arguments(node: ast.Call, function: Sized, bound: bool) -> dict[str, ast.expr] | None:
    """What a call passes, by the names of the parameters; None where that is not plain to see."""
    found = given(node, function.parameters[bound:])
    if found is None or not bound or not isinstance(node.func, ast.Attribute):
        return found
    return {function.parameters[0]: node.func.value} | found


def _names(context: Context, node: ast.Call, function: Sized, tensor: ast.expr) -> dict[str, str]:
    """The user's own names, for the texts of the table."""
    bound = context.called(node) is None
    passed = _arguments(node, function, bound) or {}
    names = {p: spelled(context, passed[p]) if p in passed else p for p in function.parameters}
    return names | texts(context, tensor) | {"device": device_of(context, tensor, node)}
