"""XP423: the magnitude of complex numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.held import Kind
from xlaport.facts.roles import Role
from xlaport.facts.sampling import Sampling
from xlaport.rule import Applicability, Finding, Replace, Rule, Trait

from .._lib import host_only
from .._lib.host_reads.device_values import torch_name
from .._lib.shapes.saying import say


class ComplexAbs(Rule):
    """Take the magnitude of complex numbers by their two parts.

    ## What it does
    Where a tensor is known to be complex, `z.abs()` becomes `torch.linalg.vector_norm(torch.view_as_real(z), dim=-1)`
    (`--unsafe`), which has the same values and gradients, also at 0.

    ## Why
    `abs()` of a complex tensor gives a complex one on XLA, and raises "abs does not support automatic differentiation
    for outputs with complex dtype" where a gradient is needed (measured on torch_xla 2.9, on the CPU; whether a TPU
    computes with complex numbers, this does not tell).

    ## Example
        device = "xla"
        z = torch.fft.rfft(torch.rand(8, 16, device=device))
        power = z.abs() ** 2

    becomes

        device = "xla"
        z = torch.fft.rfft(torch.rand(8, 16, device=device))
        power = torch.linalg.vector_norm(torch.view_as_real(z), dim=-1) ** 2

    ## When it is wrong
    Where the square of a number is more than float32 holds, beyond 1e19, this is infinite, and `abs()` is not.

    ## When it is left alone
    Real tensors, and those of which it is not known whether they are complex.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.

    ## Related
    XP411.
    """

    code = "XP423"
    name = "complex-abs"
    summary = "the magnitude of complex numbers by their parts"
    applicability = Applicability.UNSAFE
    traits = (Trait.XLA_TENSOR,)
    words = ("abs",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each magnitude of a complex tensor of the device."""
        if host_only.stays_on_host(context):
            return
        sampling = Sampling(context.flow.structure)
        for call in context.module.calls:
            tensor = _operand(context, call)
            if tensor is None or not context.editable(call) or not context.roles.is_(tensor, Role.TENSOR):
                continue
            is_complex = context.tensors.held(context.view.own, tensor).kind is Kind.COMPLEX
            if is_complex and not sampling.makes_samples(context.view.own, call):
                norm, imports = torch_name(context, "linalg.vector_norm", call)
                parts, more = torch_name(context, "view_as_real", call)
                text = context.module.segment(tensor)
                yield self.finding(
                    context.span(call),
                    say("XP423.magnitude"),
                    Replace(context.span(call), f"{norm}({parts}({text}), dim=-1)"),
                    imports=(*imports, *more),
                )


def _operand(context: Context, call: ast.Call) -> ast.expr | None:
    """``z`` of ``z.abs()`` and ``torch.abs(z)``."""
    name = context.resolve(call.func)
    if name == "torch.abs":
        return call.args[0] if len(call.args) == 1 and not call.keywords else None
    if name is not None or call.args or call.keywords:
        return None
    return call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr == "abs" else None
