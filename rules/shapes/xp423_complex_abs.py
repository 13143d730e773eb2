"""XP423: the magnitude of complex numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.facts.names import How
from xlaport.facts.roles import Role
from xlaport.facts.sampling import Sampling
from xlaport.rule import Applicability, Finding, Replace, Rule

from .._lib import host_only
from .._lib.host_reads.device_values import torch_name
from .._lib.shapes.saying import say

_MAKING = frozenset("torch." + name for name in "complex polar view_as_complex".split()) | frozenset(
    "torch.fft." + name for name in "fft fft2 fftn ifft ifft2 ifftn rfft rfft2 rfftn".split()
)
_KEEPING = frozenset(
    "exp pow square clone contiguous view reshape transpose permute unsqueeze squeeze flatten mul div add sub".split()
)
"""Methods that keep numbers complex. A conjugate is left out: `view_as_real` does not take one on the CPU."""
_MAX_DEPTH = 8


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
            if _is_complex(context, tensor, 0) and not sampling.makes_samples(context.view.own, call):
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


def _is_complex(context: Context, node: ast.expr, depth: int) -> bool:
    """Whether an expression is known to be a complex tensor."""
    if depth > _MAX_DEPTH:
        return False
    if isinstance(node, ast.Name):
        found = context.names.reaching(node)
        return bool(found) and all(
            b.how is How.ASSIGN and b.value is not None and _is_complex(context, b.value, depth + 1) for b in found
        )
    if isinstance(node, ast.BinOp):
        return any(_is_complex(context, side, depth + 1) for side in (node.left, node.right))
    if isinstance(node, ast.Constant):
        return isinstance(node.value, complex)
    if isinstance(node, ast.Subscript):
        return _is_complex(context, node.value, depth + 1)
    if not isinstance(node, ast.Call):
        return False
    name = context.resolve(node.func)
    if name in _MAKING:
        return True
    if name == "torch.stft" or (name is None and isinstance(node.func, ast.Attribute) and node.func.attr == "stft"):
        return any(
            k.arg == "return_complex" and isinstance(k.value, ast.Constant) and k.value.value is True
            for k in node.keywords
        )
    if name is None and isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING:
        return _is_complex(context, node.func.value, depth + 1)
    return False
