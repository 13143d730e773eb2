"""XP505: float16, where a TPU computes in bfloat16."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Rule, Span
from xlaport.wording import Text

from .._lib.precision.arrays import arrays_of, computed_by, given_by, named, widened
from .._lib.precision.half import is_for_autocast
from .._lib.precision.half_group import computes_on_device, half_group
from .._lib.precision.half_places import HalfPlace, Kind, choices, half_places, is_compared, is_running_sum, rewritten
from .._lib.precision.saying import say


class Float16(Rule):
    """Compute in bfloat16 where a program computes in float16.

    ## What it does
    `x.half()`, `torch.float16` and `torch.HalfTensor` become `x.bfloat16()`, `torch.bfloat16` and
    `torch.BFloat16Tensor`: casts of models and tensors, `torch_dtype=`, values of tables, default values, questions
    such as `x.dtype == torch.float16` and `x.type() == "torch.cuda.HalfTensor"`. All of a program changes, or nothing
    of it: a linear layer in one of them raises with an input in the other (torch_xla 2.9, measured). Where a NumPy
    array is made of what is computed, `.float()` is put before it, and asked for where a method of the model gives it;
    a running sum becomes float32. A dtype that only an autocast takes becomes bfloat16 without `--unsafe`.

    ## Why
    A TPU multiplies in bfloat16. float16 ends at 65504 and needs scaling of the loss; bfloat16 has the range of
    float32, and needs none.

    ## Example
        model = Net().to("cuda").half()
        output = model(images.to("cuda").half())
        scores = output.cpu().numpy()

    becomes

        model = Net().to("cuda").bfloat16()
        output = model(images.to("cuda").bfloat16())
        scores = output.cpu().float().numpy()

    ## When it is wrong
    Where digits count: bfloat16 has 8 bits of precision, float16 has 11. `count + 1` stays at 256, and a weight is not
    changed by an update of less than 1/256 of it: sums, counters and the weights that an optimizer steps belong in
    float32. Masks with -65504 and an eps of 1e-7 stay right in bfloat16, which holds both. NumPy has no bfloat16:
    `.numpy()` of it raises. What is written to files or made for the host, `torch.save(x.half(), …)` or
    `x.half().cpu().numpy()`, stays float16, and so do NumPy's own arrays.

    ## When it is left alone
    float16 in files that are written or exported, in arrays of NumPy and on the host; what only rounds,
    `model.half().float()`; what the rest of the program keeps from changing (all of it changes, or nothing): a file
    that imports onnxruntime or TensorRT, whose networks keep the type they were exported in, or a loss scale of the
    program's own that grows until float16 overflows. A choice between float16 and bfloat16 is reported, and nothing
    changes until it chooses bfloat16. A check for float16 in a program that names bfloat16, too, is reported.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - Cloud TPU, bfloat16: https://cloud.google.com/tpu/docs/bfloat16

    ## Related
    XP502, XP503, XP501.
    """

    code = "XP505"
    name = "float16"
    summary = "float16 becomes bfloat16 in the whole program"
    applicability = Applicability.UNSAFE
    words = ("half", "float16", "HalfTensor", "bfloat16")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that asks for float16, and for each array that is made of what it gives."""
        for array in dict.fromkeys(_of_methods(context)):
            yield self.finding(context.span(array), say("XP505.method"))
        places, chosen = list(half_places(context)), list(choices(context))
        if not (places or chosen) or not computes_on_device(context):
            return
        for side in chosen:
            yield self.finding(context.place(side), say("XP505.choice"))
        group = half_group(context)
        seen: set[ast.expr] = set()
        for place in places:
            if not group.produces:
                yield self.finding(context.place(place.node), say("XP505.question"))
                continue
            if context.editable(place.node) and is_for_autocast(context, place.node):
                edit, imports = rewritten(context, place)
                text, is_safe = say("XP505.autocast"), Applicability.SAFE
                yield self.finding(context.span(place.node), text, edit, imports=imports, applicability=is_safe)
                continue
            if group.obstacle is not None:
                yield self.finding(context.place(place.node), say("XP505.together", first=group.obstacle))
                continue
            if group.beside is not None and place.kind is Kind.DTYPE and is_compared(context, place):
                yield self.finding(context.place(place.node), say("XP505.beside", where=group.beside))
                continue
            edit, imports = rewritten(context, place)
            span = Span(edit.span.start + 1, edit.span.end) if place.kind is Kind.CAST else edit.span
            yield self.finding(span, _said(context, place), edit, imports=imports)
            for value in _values(context, place):
                for array in arrays_of(context, value):
                    if array not in seen:
                        seen.add(array)
                        yield self.finding(context.span(array), say("XP505.array"), widened(context, array))


def _of_methods(context: Context) -> Iterator[ast.expr]:
    """The arrays of what the own methods of a model give that was cast to bfloat16, as this rule casts it."""
    for node in context.module.attributes.get("bfloat16", []):
        if isinstance(context.module.parents[node], ast.Call):
            for call in given_by(context, node.value):
                yield from arrays_of(context, call)


def _values(context: Context, place: HalfPlace) -> Iterator[ast.expr]:
    """What is computed in the float16 that a place asks for."""
    yield place.node
    cast = place.cast or _cast(context, place.node)
    if cast is not None:
        yield from computed_by(context, cast)


def _cast(context: Context, node: ast.expr) -> ast.expr | None:
    """``model`` of ``model.to(torch.float16)``, and the call that is given ``torch_dtype=torch.float16``."""
    parent = context.module.parents[node]
    call = context.module.parents[parent] if isinstance(parent, ast.keyword) else parent
    if not isinstance(call, ast.Call) or call.func is node:
        return None
    is_to = isinstance(call.func, ast.Attribute) and call.func.attr == "to"
    return call.func.value if is_to and isinstance(call.func, ast.Attribute) else call


def _said(context: Context, place: HalfPlace) -> Text:
    if is_compared(context, place):
        return say("XP505.compared")
    if is_running_sum(context, place):
        return say("XP505.sum")
    if place.cast is not None and context.roles.is_(place.cast, Role.MODEL) and _is_stepped(context, place.cast):
        return say("XP505.trained", device=context.target.device_type)
    return say("XP505.half")


def _is_stepped(context: Context, model: ast.expr) -> bool:
    """Whether an optimizer of the file takes the parameters of a model themselves."""
    name = named(context, model)
    taken = f"{ast.unparse(name)}.parameters()" if name is not None else None
    makers = (call for call in context.module.calls if context.roles.is_(call, Role.OPTIMIZER) and call.args)
    return any(ast.unparse(call.args[0]) == taken for call in makers)
