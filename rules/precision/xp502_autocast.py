"""XP502: mixed precision by autocast."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Edit, Finding, Import, Replace, Rule
from xlaport.target import Symbol

from .._lib.arguments import given
from .._lib.comments import has_comment
from .._lib.one_line import one_line
from .._lib.precision.arrays import arrays_under, widened
from .._lib.precision.half import AUTOCAST_OF_CUDA, dtype_of, is_autocast, is_half, is_handed_autocast, is_never_half
from .._lib.precision.saying import say
from .._lib.series import numbered

_KEPT = frozenset({"torch.bfloat16"})
_PARAMETERS = ("enabled", "dtype", "cache_enabled")
"""Those of CUDA's autocast, in their order (torch 2.9)."""
_TORCH = Import("torch", "torch")


class Autocast(Rule):
    """Compute in bfloat16 where a program computes in float16 on a GPU.

    ## What it does
    `torch.cuda.amp.autocast(…)` becomes `torch.autocast("xla", dtype=torch.bfloat16, …)`, also as a decorator, with
    its `enabled` and `cache_enabled`; `torch.autocast(…, dtype=torch.float16)` gets `dtype=torch.bfloat16`. A type in a
    variable stays, and the edit is unsafe then.

    ## Why
    CUDA's autocast has no effect on XLA: everything runs in float32, and nothing is raised (torch_xla 2.9, measured). A
    TPU multiplies in bfloat16, which has the range of float32, and has no units for float16.
    Which operations run in low precision differs a little: `softmax`, `cross_entropy` and `mse_loss` run in float32 on
    XLA, too, but `layer_norm`, `exp` and `sum` in bfloat16.

    ## Example
        with torch.cuda.amp.autocast(enabled=args.amp):
            loss = model(x).mean()

    becomes

        with torch.autocast("xla", dtype=torch.bfloat16, enabled=args.amp):
            loss = model(x).mean()

    ## When it is wrong
    Where the result must be that of float16 to the last digit: bfloat16 has 8 bits of precision instead of 11. NumPy
    has no bfloat16: `.numpy()` of what was computed under autocast raises. Where the same function makes the array,
    `.float()` is put before it.

    ## When it is left alone
    Autocast for the CPU, that of another library, and what says bfloat16 already.

    ## Sources
    - Measured on torch_xla 2.9 and PyTorch 2.9, on the CPU backend of XLA.
    - PyTorch/XLA, Automatic mixed precision: https://docs.pytorch.org/xla/release/r2.8/perf/amp.html
    - PyTorch, torch.amp: https://docs.pytorch.org/docs/stable/amp.html

    ## Related
    XP503, XP504, XP505.
    """

    code = "XP502"
    name = "autocast"
    summary = 'autocast for CUDA becomes torch.autocast("xla", dtype=torch.bfloat16)'
    applicability = Applicability.SAFE
    words = ("autocast",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each autocast that is CUDA's, or that asks, or may ask, for float16."""
        for call in context.module.calls:
            handed = context.roles.handed(call)
            if context.looked_up(call.func) in AUTOCAST_OF_CUDA and not handed:
                yield self._of_cuda(context, call)
            elif is_autocast(context, call) and (dtype := dtype_of(context, call)) is not None:
                if is_half(context, dtype):
                    yield self._half(context, call, dtype)
                elif not is_never_half(context, dtype):
                    text = say("XP502.chosen", dtype=one_line(context, dtype))
                    yield self.finding(context.place(dtype), text)
            elif context.resolve(call.func) == "functools.partial" and any(map(is_handed_autocast, handed.items())):
                spelled, _ = context.spell(Symbol(_TORCH, "autocast"), call)
                said = say("XP502.handed", autocast=spelled, device=context.target.device_type)
                yield self.finding(context.place(call), said)

    def _of_cuda(self, context: Context, call: ast.Call) -> Finding:
        text, imports = context.spell(Symbol(_TORCH, "autocast"), call)
        low = f"{text.rpartition('.')[0]}.bfloat16"
        passed = given(call, _PARAMETERS) if context.called(call) is not None else None
        binds = any(isinstance(node, ast.NamedExpr) for node in ast.walk(call))
        if passed is None or binds or not context.editable(call) or has_comment(context, call):
            said = say("XP502.left", call=f'{text}("{context.target.device_type}", dtype={low})')
            return self.finding(context.place(call), said)
        dtype = passed.get("dtype")
        is_plain = dtype is None or is_half(context, dtype) or context.resolve(dtype) in _KEPT
        parts = [f'"{context.target.device_type}"']
        parts += [f"dtype={low if dtype is None or is_plain else context.module.segment(dtype)}"]
        parts += [
            f"{name}={context.module.segment(passed[name])}" for name in ("enabled", "cache_enabled") if name in passed
        ]
        is_known = is_plain or (dtype is not None and is_never_half(context, dtype))
        check, widening = _of_arrays(context, call)
        if dtype is not None and not is_known:
            check = f"{say.phrase('float16', dtype=one_line(context, dtype))} {check}".rstrip()
        return self.finding(
            context.span(call),
            say("XP502.cuda", check=check),
            Replace(context.span(call), f"{text}({', '.join(parts)})"),
            *widening,
            imports=imports,
            applicability=Applicability.UNSAFE if check else Applicability.SAFE,
        )

    def _half(self, context: Context, call: ast.Call, dtype: ast.expr) -> Finding:
        if not context.editable(call):
            return self.finding(context.place(call), say("XP502.written"))
        text, imports = context.spell(Symbol(_TORCH, "bfloat16"), dtype)
        check, widening = _of_arrays(context, call)
        return self.finding(
            context.span(call),
            say("XP502.half", check=check),
            Replace(context.span(dtype), text),
            *widening,
            imports=imports,
            applicability=Applicability.UNSAFE if check else Applicability.SAFE,
        )


def _of_arrays(context: Context, call: ast.Call) -> tuple[str, list[Edit]]:
    """What to check, and what to change, where NumPy gets what is computed: it has float16, and no bfloat16."""
    arrays = list(arrays_under(context, call))
    if not arrays:
        return "", []
    lines = numbered(context.line(array) for array in arrays)
    return say.phrase("arrays", lines=lines), [widened(context, array) for array in arrays]
