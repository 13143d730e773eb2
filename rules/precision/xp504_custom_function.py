"""XP504: functions with a gradient of their own, under autocast."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Harm, Import, Replace, Rule
from xlaport.target import Symbol

from .._lib.comments import has_comment
from .._lib.precision.half import is_half, is_told
from .._lib.precision.saying import say

_NAMES = {
    f"torch.cuda.amp.{module}{name}": name for module in ("", "autocast_mode.") for name in ("custom_fwd", "custom_bwd")
}
_OWN = frozenset(
    f"torch.amp.{module}{name}" for module in ("", "autocast_mode.") for name in ("custom_fwd", "custom_bwd")
)
_SINCE = "2.4"
"""The torch in which torch.amp has these functions."""
_TORCH = Import("torch", "torch")


class CustomFunction(Rule):
    """Let functions with a gradient of their own know XLA's autocast.

    ## What it does
    `@torch.cuda.amp.custom_fwd` and `@torch.cuda.amp.custom_bwd`, also with `cast_inputs=`, become
    `@torch.amp.custom_fwd(device_type="xla")` and `@torch.amp.custom_bwd(device_type="xla")`; float16 in `cast_inputs`
    becomes bfloat16.

    ## Why
    CUDA's decorators follow CUDA's autocast, which is never on: the inputs are not cast, and the backward pass runs
    under another autocast than the forward pass did.

    ## Example
        class Scaled(torch.autograd.Function):
            @staticmethod
            @torch.cuda.amp.custom_fwd(cast_inputs=torch.float32)
            def forward(ctx, x):
                return x * 2

    becomes

        class Scaled(torch.autograd.Function):
            @staticmethod
            @torch.amp.custom_fwd(device_type="xla", cast_inputs=torch.float32)
            def forward(ctx, x):
                return x * 2

    ## When it is wrong
    Where the function launches a CUDA kernel, which needs a replacement in any case.

    ## When it is left alone
    Decorators of the same name of another library.

    ## Sources
    - Read in the source of PyTorch 2.9.
    - PyTorch, torch.amp: https://docs.pytorch.org/docs/stable/amp.html

    ## Related
    XP502.
    """

    code = "XP504"
    name = "custom-function"
    summary = "custom_fwd and custom_bwd look at XLA's autocast"
    applicability = Applicability.SAFE
    harm = Harm.STOPS
    words = ("custom_fwd", "custom_bwd")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each decorator."""
        for node in context.module.nodes:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for decorator in node.decorator_list:
                called = context.resolve(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
                if called in _NAMES:
                    yield self._finding(context, decorator, _NAMES[called])
                elif called in _OWN and isinstance(decorator, ast.Call):
                    yield from self._half(context, decorator)

    def _finding(self, context: Context, decorator: ast.expr, name: str) -> Finding:
        text, imports = context.spell(Symbol(_TORCH, f"amp.{name}"), decorator)
        arguments = [f'device_type="{context.target.device_type}"']
        keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
        is_known = not (isinstance(decorator, ast.Call) and decorator.args) and all(
            k.arg == "cast_inputs" and is_told(context, k.value) for k in keywords
        )
        is_known = is_known and context.target.is_at_least(_SINCE)
        if not is_known or not context.editable(decorator) or has_comment(context, decorator):
            said = say("XP504.left", name=name, call=f"{text}({arguments[0]})", since=_SINCE)
            return self.finding(context.place(decorator), said)
        for keyword in keywords:
            low, more = context.spell(Symbol(_TORCH, "bfloat16"), keyword.value)
            imports = (*imports, *(i for i in more if i not in imports))
            value = low if is_half(context, keyword.value) else context.module.segment(keyword.value)
            arguments.append(f"cast_inputs={value}")
        return self.finding(
            context.span(decorator),
            say("XP504.device", name=name, new=text),
            Replace(context.span(decorator), f"{text}({', '.join(arguments)})"),
            imports=imports,
        )

    def _half(self, context: Context, decorator: ast.Call) -> Iterator[Finding]:
        """``cast_inputs=torch.float16`` of torch's own decorator."""
        for keyword in decorator.keywords:
            if keyword.arg == "cast_inputs" and is_half(context, keyword.value) and context.editable(decorator):
                text, imports = context.spell(Symbol(_TORCH, "bfloat16"), keyword.value)
                yield self.finding(
                    context.span(keyword),
                    say("XP504.half"),
                    Replace(context.span(keyword.value), text),
                    imports=imports,
                )
