"""XP820: Hugging Face accelerate."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.value import ACCELERATOR
from xlaport.context import Context
from xlaport.facts.roles import Role
from xlaport.facts.trainers import ACCELERATORS
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait

from .._lib.frameworks.options import in_call, in_displays
from .._lib.frameworks.saying import say

_PREPARE = frozenset({"prepare", "prepare_model", "prepare_optimizer"})


class Accelerate(Rule):
    """Set accelerate up for a TPU.

    ## What it does
    Looks at the arguments of `Accelerator(…)`: `mixed_precision="fp16"` becomes `"bf16"` with `--unsafe`,
    `dynamo_backend` is removed, and the plugins of DeepSpeed, FSDP and Megatron-LM are reported. Reports an optimizer
    that is prepared in another call than its model.

    Loops over what `accelerator.prepare()` returns are not changed, except for the reads in them: accelerate
    wraps each loader in torch_xla's device loader, which moves the batches and runs the graph at each of them.

    ## Why
    `mixed_precision="fp16"` raises ValueError on a TPU. `dynamo_backend` raises KeyError in `prepare()`, since a
    compiled model has other names for its parameters. Moving a model to an XLA device makes new parameters; an
    optimizer that holds the old ones trains nothing, without an error. `prepare(model, optimizer)` gives it the new
    ones; two calls do not. Measured with accelerate 1.15 on torch_xla 2.9: after three steps, the parameters of a model
    prepared on its own had not changed.

    ## Example
        from accelerate import Accelerator
        accelerator = Accelerator(mixed_precision="fp16")

    becomes, with `--unsafe`,

        from accelerate import Accelerator
        accelerator = Accelerator(mixed_precision="bf16")

    ## When it is wrong
    accelerate's "bf16" is not autocast on a TPU: it sets XLA_USE_BF16, which makes torch_xla 2.9 compute in bfloat16
    wherever the program says float32, the weights and the state of the optimizer included. So the fix is unsafe.

    ## When it is left alone
    What suits a TPU (`mixed_precision="bf16"`, `"no"`), an optimizer that is made after the model's own `prepare()`,
    and other objects of that name.

    ## Sources
    - Measured with accelerate 1.15 on torch_xla 2.9.
    - Accelerate, Training on TPUs: https://huggingface.co/docs/accelerate/concept_guides/training_tpu

    ## Related
    XP203, XP822, XP301.
    """

    code = "XP820"
    name = "accelerate"
    summary = "options of accelerate for GPUs; a model and its optimizer prepared apart"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    traits = (Trait.LIBRARY_SUPPORT,)
    words = ("accelerate",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each option, and for each optimizer prepared alone."""
        for call in context.module.calls:
            if context.resolve(call.func) in ACCELERATORS:
                yield from in_call(self, context, call, "accelerate")
        yield from in_displays(self, context, "accelerate", ("accelerate",))
        yield from self._apart(context)

    def _apart(self, context: Context) -> Iterator[Finding]:
        """``model = accelerator.prepare(model)`` and ``optimizer = accelerator.prepare(optimizer)``."""
        prepared = [call for call in context.module.calls if self._prepares(context, call)]
        for call in prepared:
            optimizer = self._given(context, call, Role.OPTIMIZER)
            if optimizer is None or self._given(context, call, Role.MODEL) is not None:
                continue
            function = context.module.function(call)
            others = [
                (other, model)
                for other in prepared
                if other is not call and context.module.function(other) is function
                if (model := self._given(context, other, Role.MODEL)) is not None
                if self._given(context, other, Role.OPTIMIZER) is None
            ]
            if not others:
                continue
            other, model = others[0]
            if self._made_between(context, optimizer, other):
                continue
            assert isinstance(call.func, ast.Attribute)
            text = say(
                "XP820.apart",
                model=ast.unparse(model),
                optimizer=ast.unparse(optimizer),
                accelerator=ast.unparse(call.func.value),
                line=context.line(other),
            )
            yield self.finding(context.span(call), text)

    def _prepares(self, context: Context, call: ast.Call) -> bool:
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr not in _PREPARE:
            return False
        return context.roles.is_of(func.value, ACCELERATOR)

    def _given(self, context: Context, call: ast.Call, role: Role) -> ast.expr | None:
        return next((argument for argument in call.args if context.roles.is_(argument, role)), None)

    def _made_between(self, context: Context, optimizer: ast.expr, prepared: ast.Call) -> bool:
        """Whether an optimizer is made after its model was prepared: it then holds the new parameters."""
        if not isinstance(optimizer, ast.Name):
            return True
        bindings = context.names.reaching(optimizer)
        after = context.module.span(prepared).end
        return not bindings or any(context.module.span(b.node).start > after for b in bindings)
