"""XP818: activation checkpointing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.rule import Applicability, Edit, Finding, Harm, RemoveArgument, Replace, Rule, Trait

from .._lib import host_only
from .._lib.runtime.saying import say

_NAME = "torch.utils.checkpoint.checkpoint"
_REFUSED = frozenset({"context_fn", "determinism_check", "debug", "early_stop", None})
"""Arguments that torch_xla's function refuses, or that a ``**`` may hold."""


class ActivationCheckpoint(Rule):
    """Recompute activations by torch_xla's own function.

    ## What it does
    Replaces `torch.utils.checkpoint.checkpoint(…)` by torch_xla's function. `use_reentrant=False`, which that refuses,
    is removed with `--unsafe`.

    ## Why
    PyTorch's function looks for the random state in `torch.xla`, which does not exist: it raises "module 'torch' has no
    attribute 'xla'" (measured on torch_xla 2.9, with all its arguments). torch_xla's function also keeps the compiler
    from computing the activations once for forward and backward, which would save no memory.

    ## Example
        from torch.utils.checkpoint import checkpoint

        block = nn.Linear(4, 4).to("xla")
        out = checkpoint(block, torch.zeros(8, 4, device="xla", requires_grad=True))

    becomes

        import torch_xla.utils.checkpoint

        block = nn.Linear(4, 4).to("xla")
        out = torch_xla.utils.checkpoint.checkpoint(block, torch.zeros(8, 4, device="xla", requires_grad=True))

    ## When it is wrong
    The reentrant form gives the parameters of the block no gradients if none of its inputs requires one; with
    `use_reentrant=False` they had them. This is why that fix is unsafe. Calls with `determinism_check`, `context_fn`,
    `debug` or `early_stop`, which it does not take, are reported.

    ## When it is left alone
    Functions of that name of other libraries, or of one's own.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch, torch.utils.checkpoint: https://docs.pytorch.org/docs/stable/checkpoint.html

    ## Related
    XP605, XP808.
    """

    code = "XP818"
    name = "activation-checkpoint"
    summary = "activations are recomputed by torch_xla's checkpoint()"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    traits = (Trait.LAZY_GRAPH,)
    words = ("checkpoint",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each call."""
        if host_only.stays_on_host(context):
            return
        for call in context.module.calls:
            if context.resolve(call.func) == _NAME and context.editable(call) and not _is_spied_on(context, call):
                yield self._finding(context, call)

    def _finding(self, context: Context, call: ast.Call) -> Finding:
        text, imports = context.symbol("checkpoint", call)
        keywords = {k.arg: k for k in call.keywords}
        if keywords.keys() & _REFUSED:
            return self.finding(context.span(call.func), say("XP818.refused", call=text))
        edits: list[Edit] = [Replace(context.span(call.func), text)]
        reentrant = keywords.get("use_reentrant")
        if reentrant is None or (isinstance(reentrant.value, ast.Constant) and reentrant.value.value is True):
            return self.finding(context.span(call.func), say("XP818.replaced", call=text), *edits, imports=imports)
        edits.append(RemoveArgument(context.span(call), context.span(reentrant)))
        return self.finding(
            context.span(call.func),
            say("XP818.reentrant", call=text),
            *edits,
            imports=imports,
            applicability=Applicability.UNSAFE,
        )


def _is_spied_on(context: Context, call: ast.Call) -> bool:
    """Whether a test calls what it has replaced: ``real = torch.utils.checkpoint.checkpoint``."""
    found = context.names.reaching(call.func) if isinstance(call.func, ast.Name) else ()
    return host_only.is_test(context) and any(binding.how is How.ASSIGN for binding in found)
