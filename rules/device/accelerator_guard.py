"""XP104: questions whether CUDA is there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Replace, Rule

from . import cuda
from .fold import Fold

_SHOWS = frozenset({"builtins.print", "builtins.str", "builtins.repr"})
_LOG_METHODS = frozenset({"info", "warning", "debug", "error", "log", "format"})

_CUDA_FEATURES = frozenset({"pin_memory", "non_blocking", "fused", "capturable"})
"""Options that a CUDA device alone has a use for: on a TPU the answer to them is no."""

_HALF = frozenset({"torch.float16", "torch.half"})

_CUDA_PACKAGES = frozenset(
    "apex flash_attn xformers triton cupy pycuda pynvml bitsandbytes nvidia tensorrt torch_tensorrt cudf cuml "
    "mamba_ssm causal_conv1d deepspeed amp_C".split()
)
"""Packages that hold CUDA kernels. Source: cuda_api.json, entries ``pkg:``."""

_PORTED = frozenset(
    {
        "torch.cuda.synchronize", "torch.cuda.empty_cache", "torch.cuda.set_device", "torch.cuda.init",
        "torch.cuda.ipc_collect", "torch.cuda.reset_peak_memory_stats", "torch.cuda.reset_max_memory_allocated",
        "torch.cuda.manual_seed", "torch.cuda.manual_seed_all", "torch.cuda.amp", "torch.cuda.OutOfMemoryError",
    }
)  # fmt: skip
"""Names of ``torch.cuda`` that other rules port, or that do no harm without a GPU."""


class AcceleratorGuard(Rule):
    """Answer `torch.cuda.is_available()` with yes, and fold what follows from it.

    ## What it does
    The question guards the accelerator's path, and on a TPU the answer is yes. In an `and` the question is
    dropped; a conditional expression or an `if` without another side becomes its first branch; an assertion,
    or an `if not …` that only complains, goes. Anywhere else the call becomes `True`. The other side of an
    `if` goes only where it does nothing that could be missed (the CPU device, a message, `raise`).

    The question stays, and is reported, where yes would be wrong: before a choice of float16, in a decorator
    that skips a test, and around code that calls what only CUDA has (`torch.cuda.get_device_name()`, apex).

    ## Why
    Under torch_xla both `torch.cuda.is_available()` and `torch.accelerator.is_available()` are False: the
    script would silently train on the CPU.

    ## Example
        use_cuda = not args.no_cuda and torch.cuda.is_available()
        kwargs = {"num_workers": 4} if torch.cuda.is_available() else {}

    becomes

        use_cuda = not args.no_cuda
        kwargs = {"num_workers": 4}

    ## When it is wrong
    Where code far from the question needs CUDA itself (a custom kernel behind `if use_cuda:`): such a branch
    has to be ported by hand.
    """

    code = "XP104"
    name = "accelerator-guard"
    summary = "torch.cuda.is_available() is answered with yes"
    applicability = Applicability.SAFE
    words = ("is_available", "is_bf16_supported")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each question."""
        for call in context.module.calls:
            if not cuda.is_available_call(context, call) or not context.editable(call):
                continue
            if self._chooses_device(context, call) or self._is_shown(context, call) or self._locates(context, call):
                continue
            question = f"{context.module.segment(call.func)}()"
            why_not = self._why_not(context, call)
            if why_not is not None:
                yield self.finding(context.span(call), f"{question} stays, and is False under torch_xla: {why_not}")
            elif self._is_cuda_feature(context, call):
                yield self.finding(
                    context.span(call),
                    f"{question} switches on what only a CUDA device has: on a TPU it is off",
                    Replace(context.span(call), "False"),
                )
            else:
                yield self.finding(
                    context.span(call),
                    f"{question} is False under torch_xla although there is a device, so the script would run on "
                    "the CPU: the accelerator's path is taken",
                    *Fold(context).edits(call),
                )

    def _chooses_device(self, context: Context, call: ast.Call) -> bool:
        """The test of a choice between the CUDA and the CPU device: XP101 and XP103 speak of it."""
        parent = context.module.parents[call]
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not):
            parent = context.module.parents[parent]
        chosen = cuda.choice(parent)
        return (
            chosen is not None
            and chosen.test is call
            and (cuda.is_cuda_string(chosen.accelerator) or cuda.is_cuda_device(context, chosen.accelerator))
            and cuda.is_cpu_device(context, chosen.other)
            and not (cuda.is_cuda_string(chosen.accelerator) and not self._is_device(context, chosen))
        )

    def _is_device(self, context: Context, chosen: cuda.Choice) -> bool:
        """Whether a choice of strings names a device; a mere label is no affair of XP103."""
        parent = context.module.parents[chosen.node]
        if isinstance(parent, ast.Call) and context.resolve(parent.func) == "torch.device":
            return True
        if context.flow.sink(chosen.node) is not None:
            return True
        return bool(context.flow.reach(chosen.accelerator).sinks)

    def _is_shown(self, context: Context, call: ast.Call) -> bool:
        """An argument of `print` or of a logger: the truth is what it should say."""
        parent = context.module.parents[call]
        if not isinstance(parent, ast.Call) or call not in parent.args:
            return False
        is_log = isinstance(parent.func, ast.Attribute) and parent.func.attr in _LOG_METHODS
        return is_log or context.resolve(parent.func) in _SHOWS

    def _locates(self, context: Context, call: ast.Call) -> bool:
        """Inside ``map_location=…``: XP701 speaks of it."""
        keyword = next((p for p in context.module.ancestors(call) if isinstance(p, ast.keyword | ast.stmt)), None)
        return isinstance(keyword, ast.keyword) and keyword.arg == "map_location"

    def _is_cuda_feature(self, context: Context, call: ast.Call) -> bool:
        parent = context.module.parents[call]
        if not isinstance(parent, ast.keyword):
            return False
        outer = context.module.parents[parent]
        is_scaler = isinstance(outer, ast.Call) and (context.resolve(outer.func) or "").endswith("GradScaler")
        return parent.arg in _CUDA_FEATURES or (parent.arg == "enabled" and is_scaler)

    # -- where yes would be wrong ----------------------------------------------------------------------

    def _why_not(self, context: Context, call: ast.Call) -> str | None:
        node: ast.expr = call
        guarded: list[ast.AST] = []
        for parent in context.module.ancestors(call):
            if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                if any(node is d for d in parent.decorator_list):
                    return (
                        "a decorator decides by it whether this is used at all. See whether the code in it needs "
                        "CUDA, and write the answer for a TPU"
                    )
                break
            if isinstance(parent, ast.BoolOp):
                guarded += parent.values
            elif isinstance(parent, ast.IfExp) and node is parent.test:
                guarded += [parent.body, parent.orelse]
                if self._chooses_half(context, call, parent):
                    return "choose torch.bfloat16 here, the half precision of a TPU, which needs no loss scaling"
            elif isinstance(parent, ast.If | ast.While) and node is parent.test:
                guarded += parent.body
            if isinstance(parent, ast.stmt):
                break
            if isinstance(parent, ast.expr):
                node = parent
        missing = next((name for g in guarded if (name := self._needs_cuda(context, g, call)) is not None), None)
        if missing is None:
            return None
        return f"what it guards uses {missing}, which a TPU does not have. Port or drop that, then drop the question"

    def _chooses_half(self, context: Context, call: ast.Call, choice: ast.IfExp) -> bool:
        if context.resolve(call.func) == "torch.cuda.is_bf16_supported":
            return False
        return context.resolve(choice.body) in _HALF or context.resolve(choice.orelse) in _HALF

    def _needs_cuda(self, context: Context, guarded: ast.AST, question: ast.Call) -> str | None:
        """What in the guarded code raises, or says nothing true, without an NVIDIA GPU."""
        for node in ast.walk(guarded):
            if isinstance(node, ast.Constant) and node.value == "nccl":
                return "nccl"
            if isinstance(node, ast.Import | ast.ImportFrom):
                modules = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module or ""]
                found = next((m for m in modules if m.split(".")[0] in _CUDA_PACKAGES), None)
                if found is not None:
                    return found
            elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                if isinstance(context.module.parents[node], ast.Attribute):
                    continue
                name = context.resolve(node) or ""
                if name.startswith("torch.cuda.") and not self._is_ported(context, name, node):
                    return name
        return None

    def _is_ported(self, context: Context, name: str, node: ast.expr) -> bool:
        if (
            name in cuda.AVAILABLE
            or name.endswith("Tensor")
            or any(name == known or name.startswith(f"{known}.") for known in _PORTED)
        ):
            return True
        # `device_count() > 1` is False on a TPU, which is right: a process has one device.
        call = context.module.parents[node]
        return name == "torch.cuda.device_count" and isinstance(context.module.parents[call], ast.Compare)
