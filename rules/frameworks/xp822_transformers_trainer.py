"""XP822: the Trainer of transformers, and those of trl."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait

from .._lib.arguments import with_argument
from .._lib.frameworks.options import in_call, in_displays, is_replaced, left, options
from .._lib.frameworks.saying import say

_ARGUMENTS = frozenset(
    f"transformers.{module}{name}"
    for module in ("", "training_args.", "training_args_seq2seq.")
    for name in ("TrainingArguments", "Seq2SeqTrainingArguments")
)
_TRL = frozenset(
    f"trl.{name}Config"
    for name in "SFT DPO ORPO CPO KTO BCO GKD GRPO RLOO PPO Reward OnlineDPO NashMD XPO PRM AlignProp".split()
)
_PARSERS = frozenset({"transformers.HfArgumentParser", "transformers.hf_argparser.HfArgumentParser", "trl.TrlParser"})
(_recomputing,) = options("transformers")["gradient_checkpointing"]
_CHOOSING = frozenset({"optim", "adafactor", "deepspeed"})
"""Arguments in whose presence the optimizer is not the default one."""


class TransformersTrainer(Rule):
    """Set the Trainer of transformers up for a TPU.

    ## What it does
    Looks at `TrainingArguments(…)`, those for sequences, and the configurations of trl: adds `optim="adamw_torch"`
    where no optimizer is named, removes `tf32`, `torch_compile` and `ddp_backend`, and, with `--unsafe`, writes
    `bf16=True` for `fp16=True`. Optimizers of bitsandbytes, DeepSpeed, FSDP and `gradient_checkpointing` are reported,
    and so are arguments that come from the command line.

    ## Why
    The Trainer supports torch_xla: it moves model and batches, and accelerate's loader runs the graph at each
    batch. Measured with transformers 4.57, accelerate 1.15 and torch_xla 2.9: with its default arguments it raises at
    the first step, since it takes a fused optimizer on torch 2.8 and later, and XLA has none; with
    `optim="adamw_torch"`, the same rule in steps that XLA fuses itself, it trains. `fp16`, `tf32`, `torch_compile`,
    `ddp_backend="nccl"` and `gradient_checkpointing` raise, each with another error.

    ## Example
        from transformers import TrainingArguments
        arguments = TrainingArguments(output_dir="out", tf32=True)

    becomes

        from transformers import TrainingArguments
        arguments = TrainingArguments(output_dir="out", optim="adamw_torch")

    ## When it is wrong
    `bf16=True` is not autocast on a TPU: accelerate sets XLA_USE_BF16, and everything is computed in bfloat16, the
    weights and the state of the optimizer included. So the fix is unsafe.

    ## When it is left alone
    Arguments that do no harm on a TPU, and those of other classes.

    ## Sources
    - Measured with transformers 4.57, accelerate 1.15 and torch_xla 2.9.
    - Transformers, Trainer: https://huggingface.co/docs/transformers/main_classes/trainer

    ## Related
    XP820, XP301.
    """

    code = "XP822"
    name = "transformers-trainer"
    summary = "arguments of the Trainer of transformers for GPUs; its optimizer"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.LIBRARY_SUPPORT,)
    words = ("TrainingArguments", "HfArgumentParser", "trl", "gradient_checkpointing_enable")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each argument, and for each that is missing."""
        for call in context.module.calls:
            called = context.resolve(call.func)
            if called in _ARGUMENTS | _TRL:
                yield from in_call(self, context, call, "transformers")
                yield from self._optimizer(context, call)
            elif self._recomputes(context, call):
                yield left(self, context.span(call), f"{ast.unparse(call.func)}()", _recomputing)
            elif called in _PARSERS and self._parses(context, call):
                yield self.finding(context.span(call), say("XP822.command"))
        yield from in_displays(self, context, "transformers", ("transformers", "trl"))

    def _optimizer(self, context: Context, call: ast.Call) -> Iterator[Finding]:
        given = {keyword.arg for keyword in call.keywords}
        # The second argument by its place is no option of today's; what `**` brings is not seen.
        if given & _CHOOSING or None in given or not (call.args or call.keywords) or not context.editable(call):
            return
        if any(isinstance(argument, ast.Starred) for argument in call.args):
            return
        yield self.finding(
            context.span(call), say("XP822.default"), with_argument(context, call, 'optim="adamw_torch"')
        )

    def _recomputes(self, context: Context, call: ast.Call) -> bool:
        """``model.gradient_checkpointing_enable()`` of a model of transformers."""
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr != "gradient_checkpointing_enable":
            return False
        if is_replaced(context, _recomputing.replaced):
            return False
        return context.roles.is_(func.value, Role.MODEL)

    def _parses(self, context: Context, call: ast.Call) -> bool:
        """``HfArgumentParser((ModelArguments, TrainingArguments))``."""
        named = [
            node for argument in call.args for node in ast.walk(argument) if isinstance(node, ast.Name | ast.Attribute)
        ]
        return any(context.resolve(node) in _ARGUMENTS | _TRL for node in named)
