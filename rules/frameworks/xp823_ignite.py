"""XP823: PyTorch-Ignite."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Rule, Trait
from xlaport.targets.torch_xla import REMOVED_RANKS

from .._lib.frameworks.options import in_call, is_replaced
from .._lib.frameworks.saying import say

_MAKERS = frozenset(f"ignite.engine.create_supervised_{kind}" for kind in ("trainer", "evaluator"))
_GROUPS = frozenset(f"ignite.distributed.{name}" for name in ("Parallel", "launcher.Parallel", "initialize", "spawn"))
_ASKING = ("ignite.distributed.", "ignite.metrics.", "ignite.handlers.", "ignite.contrib.")
"""What asks Ignite's model of the processes for ranks and sizes, as it starts or as it is used."""

_GONE = "2.7"
"""The torch_xla that has no xm.xrt_world_size() and no xm.get_ordinal() any more."""


class Ignite(Rule):
    """Set Ignite up for a TPU.

    ## What it does
    `backend="nccl"` of `idist.Parallel` becomes `"xla-tpu"`, and `amp_mode` and `scaler` of a trainer are removed,
    with `--unsafe`. Reports the use of `ignite.distributed`, of metrics and of handlers, where the chosen torch_xla
    (`--target`) does not have what they call.

    No barrier is added: `create_supervised_trainer(…, device="xla")` runs the graph after each step of the optimizer.

    ## Why
    Ignite 0.5.5 calls `xm.xrt_world_size()` and `xm.get_ordinal()`, which torch_xla 2.7 removed. Measured on 2.9:
    `idist.device()`, `idist.auto_model()`, `idist.Parallel`, the metric `Accuracy` and the handler `ModelCheckpoint`
    raise AttributeError; a trainer alone runs; all of them run once the two names are defined again.

    ## Example
        from ignite.engine import create_supervised_trainer
        trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss(), device="xla", amp_mode="amp")

    becomes, with `--unsafe`,

        from ignite.engine import create_supervised_trainer
        trainer = create_supervised_trainer(model, optimizer, nn.CrossEntropyLoss(), device="xla")

    ## When it is wrong
    With a later Ignite that supports today's torch_xla.

    ## When it is left alone
    A trainer alone, which runs, and `--target` 2.6 or older, which has what Ignite calls. XP103 converts the device of
    a trainer.

    ## Sources
    - Measured with Ignite 0.5.5 on torch_xla 2.9.
    - Ignite, ignite.distributed: https://docs.pytorch.org/ignite/distributed.html

    ## Related
    XP103, XP603.
    """

    code = "XP823"
    name = "ignite"
    summary = "options of Ignite for GPUs, and what of it raises on torch_xla 2.9"
    applicability = Applicability.UNSAFE
    harm = Harm.STOPS
    traits = (Trait.LIBRARY_SUPPORT,)
    words = ("ignite",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each option, and one for the file."""
        for call in context.module.calls:
            if context.resolve(call.func) in _MAKERS | _GROUPS:
                yield from in_call(self, context, call, "ignite")
        if context.target.is_at_least(_GONE) and not all(is_replaced(context, name) for name in REMOVED_RANKS):
            yield from self._raises(context)

    def _raises(self, context: Context) -> Iterator[Finding]:
        for call in context.module.calls:
            called = context.resolve(call.func) or ""
            if called.startswith(_ASKING):
                yield self.finding(context.span(call.func), say("XP823.processes", name=ast.unparse(call.func)))
                return
