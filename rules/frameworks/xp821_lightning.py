"""XP821: Lightning's Trainer and Fabric."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.analysis.value import FABRIC
from xlaport.context import Context
from xlaport.facts.origins import Origins
from xlaport.facts.trainers import FABRICS
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait

from .._lib.frameworks.options import in_call, in_displays
from .._lib.frameworks.saying import say

_PACKAGES = ("lightning", "pytorch_lightning", "lightning_fabric")
_TRAINERS = frozenset(
    f"{package}.{name}Trainer"
    for package in ("lightning", "lightning.pytorch", "pytorch_lightning")
    for name in ("", "trainer.", "trainer.trainer.")
)
_ELSEWHERE = ("'cpu'", "'mps'", "'hpu'")
_FROM_ARGUMENTS = ".from_argparse_args"
_ONE = ("1", "'1'", "[0]")


class Lightning(Rule):
    """Set Lightning's Trainer and Fabric up for a TPU.

    ## What it does
    Looks at the arguments of `Trainer(…)` and `Fabric(…)`: `accelerator="gpu"` becomes `"tpu"` and `strategy="ddp"`
    becomes `"auto"`; with `--unsafe`, `devices=4` becomes `"auto"` and `precision="16-mixed"` becomes `"bf16-true"`.
    Strategies that shard, `sync_batchnorm`, and a `fabric.launch()` without a function are reported.

    The methods of a `LightningModule` get no barriers: Lightning calls them, and runs the graph after each step of an
    optimizer, also where a method steps one of `self.optimizers()` itself, or one that Fabric has set up.

    ## Why
    A Trainer for GPUs raises on a TPU, at the first of these arguments. Measured with Lightning 2.6 on
    torch_xla 2.9: `accelerator="tpu"` trains; it takes one chip, all chips of the host, or one in a list, no strategy
    of GPUs, and "32-true" or "bf16-true"; it raises ValueError for "16-mixed" and "bf16-mixed", and computes in
    float32 for "16-true".

    ## Example
        from lightning import Trainer
        trainer = Trainer(accelerator="gpu", devices=-1, strategy="ddp")

    becomes

        from lightning import Trainer
        trainer = Trainer(accelerator="tpu", devices="auto", strategy="auto")

    ## When it is wrong
    "bf16-true" sets XLA_USE_BF16: everything is bfloat16, the weights and the state of the optimizer included, whatever
    dtype they show. Lightning has no mixed precision on XLA. Another number of devices is another batch per step.
    These two are unsafe.

    ## When it is left alone
    Other accelerators (`cpu`, `mps`), and classes of that name of other libraries.

    ## Sources
    - Measured with Lightning 2.6 on torch_xla 2.9.
    - Lightning, TPU training: https://lightning.ai/docs/pytorch/stable/accelerators/tpu.html

    ## Related
    XP301, XP820, XP815.
    """

    code = "XP821"
    name = "lightning"
    summary = "options of Lightning's Trainer and Fabric for GPUs"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    traits = (Trait.LIBRARY_SUPPORT,)
    words = ("lightning",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each option."""
        for call in context.module.calls:
            if context.resolve(call.func) in _TRAINERS | FABRICS and not self._is_elsewhere(call):
                yield from in_call(self, context, call, "lightning")
            elif (context.resolve(call.func) or "").removesuffix(_FROM_ARGUMENTS) in _TRAINERS and self._reads(call):
                yield self.finding(context.span(call.func), say("XP821.arguments"))
            elif self._launches_nothing(context, call):
                assert isinstance(call.func, ast.Attribute)
                yield self.finding(context.span(call), say("XP821.launch", fabric=ast.unparse(call.func.value)))
        yield from in_displays(self, context, "lightning", _PACKAGES)

    def _reads(self, call: ast.Call) -> bool:
        return isinstance(call.func, ast.Attribute) and f".{call.func.attr}" == _FROM_ARGUMENTS

    def _is_elsewhere(self, call: ast.Call) -> bool:
        """Whether it asks for another accelerator than a GPU."""
        return any(k.arg == "accelerator" and ast.unparse(k.value) in _ELSEWHERE for k in call.keywords)

    def _launches_nothing(self, context: Context, call: ast.Call) -> bool:
        """``fabric.launch()`` of a Fabric that is not for one device alone."""
        func = call.func
        if not isinstance(func, ast.Attribute) or func.attr != "launch" or call.args or call.keywords:
            return False
        if not context.roles.is_of(func.value, FABRIC):
            return False
        made = context.flow.structure
        return not any(
            k.arg == "devices" and ast.unparse(k.value) in _ONE
            for spot in Origins(made).of(context.view.own, func.value) or []
            if isinstance(spot.node, ast.Call)
            for k in spot.node.keywords
        )
