"""XP425: running sums of truth values."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.roles import Role
from xlaport.rule import Applicability, Finding, Harm, Replace, Rule, Trait

from .._lib import host_only
from .._lib.host_reads.device_values import spelled
from .._lib.shapes.saying import say

_RUNNING = frozenset({"cumsum"})


class NarrowSum(Rule):
    """Count with whole numbers.

    ## What it does
    `mask.cumsum(dim)` and `torch.cumsum(mask, dim)`, of a tensor that is known to hold booleans, become
    `mask.long().cumsum(dim)` and `torch.cumsum(mask.long(), dim)`.

    ## Why
    PyTorch makes int64 of booleans before it adds them. XLA's running sums keep the dtype: of booleans they are
    booleans, so that positions by `(ids != pad).cumsum(1)` are all 1. Nothing is raised (torch_xla 2.9, measured).

    ## Example
        model = nn.Embedding(9, 4).to("xla")
        for batch in DataLoader(torch.ones(8, 4, dtype=torch.int64)):
            ids = batch.to("xla")
            positions = (ids != 0).cumsum(1)
            print(model(positions).sum())

    becomes

        model = nn.Embedding(9, 4).to("xla")
        for batch in DataLoader(torch.ones(8, 4, dtype=torch.int64)):
            ids = batch.to("xla")
            positions = (ids != 0).long().cumsum(1)
            print(model(positions).sum())

    ## When it is wrong
    It is the same everywhere. Whole numbers of 8 bits are added in 8 bits on XLA, too, which is not seen here.

    ## When it is left alone
    Sums of whole numbers and floats, sums with a `dtype=`, those of the host, and those of tensors whose type is not
    known.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP411.
    """

    code = "XP425"
    name = "running-sum-of-a-mask"
    summary = "running sums of truth values count on XLA, too"
    applicability = Applicability.SAFE
    harm = Harm.WRONG
    traits = (Trait.XLA_TENSOR,)
    words = tuple(sorted(_RUNNING))

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each running sum of truth values on the device."""
        if host_only.stays_on_host(context):
            return
        for call in context.module.calls:
            tensor = _operand(context, call)
            if tensor is None or not context.editable(tensor) or not context.roles.is_(tensor, Role.TENSOR):
                continue
            if context.tensors.held(context.view.own, tensor).kind is Kind.BOOL:
                name = ast.unparse(call.func).rpartition(".")[2]
                whole = f"{spelled(context, tensor)}.long()"
                is_method = context.resolve(call.func) is None
                yield self.finding(
                    context.span(call),
                    say("XP425.counts", name=name),
                    Replace(context.span(call.func), f"{whole}.{name}")
                    if is_method
                    else Replace(context.span(tensor), whole),
                )


def _operand(context: Context, call: ast.Call) -> ast.expr | None:
    """``mask`` of ``mask.cumsum(1)`` and ``torch.cumsum(mask, 1)``, without a dtype."""
    if any(keyword.arg in ("dtype", None) for keyword in call.keywords):
        return None
    name = context.resolve(call.func)
    if name is not None:
        is_one = name.rpartition(".")[0] == "torch" and name.rpartition(".")[2] in _RUNNING
        return call.args[0] if is_one and call.args else None
    func = call.func
    return func.value if isinstance(func, ast.Attribute) and func.attr in _RUNNING else None
