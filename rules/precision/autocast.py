"""XP502: mixed precision by autocast."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Import, Replace, Rule
from xlaport.target import Symbol

_CUDA = frozenset({"torch.cuda.amp.autocast", "torch.cuda.amp.autocast_mode.autocast"})
_ANY = frozenset({"torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast"})
HALF = frozenset({"torch.float16", "torch.half"})
"""The type that a TPU has no units for."""
_KNOWN = frozenset({"torch.bfloat16"})
_PARAMETERS = ("enabled", "dtype", "cache_enabled")
"""Those of CUDA's autocast, in their order (torch 2.9)."""
_OTHERS = frozenset({"cpu", "mps", "xpu", "hpu"})
_TORCH = Import("torch", "torch")


class Autocast(Rule):
    """Compute in bfloat16 where a program computes in float16 on a GPU.

    ## What it does
    `torch.cuda.amp.autocast(…)` becomes `torch.autocast("xla", dtype=torch.bfloat16, …)`, also as a decorator, with
    what it is given for `enabled` and `cache_enabled`; `torch.autocast(…, dtype=torch.float16)` gets
    `dtype=torch.bfloat16`. A type that is told by a name stays as it is, and the edit is unsafe then.

    ## Why
    CUDA's autocast has no effect on XLA: everything would run in float32, and nothing is raised (torch_xla 2.9,
    measured). A TPU multiplies in bfloat16, which has the range of float32, and has no units for float16.
    Which operations run in low precision differs a little: `softmax`, `cross_entropy` and `mse_loss` run in float32 on
    XLA, too, but `layer_norm`, `exp` and `sum` in bfloat16.

    ## Example
        with torch.cuda.amp.autocast(enabled=args.amp):
            loss = model(x).mean()

    becomes

        with torch.autocast("xla", dtype=torch.bfloat16, enabled=args.amp):
            loss = model(x).mean()

    ## When it is wrong
    Where the result has to be that of float16 to the last digit: bfloat16 has 8 bits of precision in the place of 11.
    """

    code = "XP502"
    name = "autocast"
    summary = 'autocast for CUDA becomes torch.autocast("xla", dtype=torch.bfloat16)'
    applicability = Applicability.SAFE
    words = ("autocast",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each context of autocast that is CUDA's, or asks for float16."""
        for call in context.module.calls:
            name = context.resolve(call.func)
            if name in _CUDA:
                yield self._of_cuda(context, call)
            elif name in _ANY and (dtype := _half(context, call)) is not None:
                yield self._half(context, call, dtype)

    def _of_cuda(self, context: Context, call: ast.Call) -> Finding:
        text, imports = context.spell(Symbol(_TORCH, "autocast"), call)
        low = f"{text.rpartition('.')[0]}.bfloat16"
        why = "CUDA's autocast has no effect on XLA, where all would run in float32"
        given = _given(call)
        if given is None or not context.editable(call):
            return self.finding(
                context.place(call),
                f'{why}. Write {text}("{context.target.device_type}", dtype={low}), with what it is given for enabled',
                applicability=Applicability.MANUAL,
            )
        dtype = given.get("dtype")
        is_plain = dtype is None or context.resolve(dtype) in HALF | _KNOWN
        parts = [f'"{context.target.device_type}"']
        parts += [f"dtype={low if dtype is None or is_plain else context.module.segment(dtype)}"]
        parts += [
            f"{name}={context.module.segment(given[name])}" for name in ("enabled", "cache_enabled") if name in given
        ]
        written = f"{text}({', '.join(parts)})"
        doubt = "" if is_plain else ". Unsafe, since its type may be float16, which has to become bfloat16"
        return self.finding(
            context.span(call),
            f"{why}: on a TPU bfloat16 takes the place of float16{doubt}",
            Replace(context.span(call), written),
            imports=imports,
            applicability=Applicability.SAFE if is_plain else Applicability.UNSAFE,
        )

    def _half(self, context: Context, call: ast.Call, dtype: ast.expr) -> Finding:
        why = "a TPU has no units for float16: bfloat16, with the range of float32, takes its place"
        if not context.editable(call):
            return self.finding(context.place(call), why, applicability=Applicability.MANUAL)
        text, imports = context.spell(Symbol(_TORCH, "bfloat16"), dtype)
        return self.finding(context.span(call), why, Replace(context.span(dtype), text), imports=imports)


def _given(call: ast.Call) -> dict[str, ast.expr] | None:
    """What is passed to CUDA's autocast, by parameter; None where that is not plain to see."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg not in _PARAMETERS for k in call.keywords):
        return None
    if len(call.args) > len(_PARAMETERS):
        return None
    return dict(zip(_PARAMETERS, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}


def _half(context: Context, call: ast.Call) -> ast.expr | None:
    """The argument that asks for float16, of an autocast that is not for another device."""
    device = next((k.value for k in call.keywords if k.arg == "device_type"), call.args[0] if call.args else None)
    if isinstance(device, ast.Constant) and device.value in _OTHERS:
        return None
    dtype = next((k.value for k in call.keywords if k.arg == "dtype"), None)
    if dtype is None and len(call.args) > 1 and not any(isinstance(a, ast.Starred) for a in call.args[:2]):
        dtype = call.args[1]
    return dtype if dtype is not None and context.resolve(dtype) in HALF else None
