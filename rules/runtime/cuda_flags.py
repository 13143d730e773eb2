"""XP801: CUDA's own switches."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, ReplaceStatement, Rule

from ..removal import is_effect_free, removal

_FLAG_PREFIXES = ("torch.backends.cudnn.", "torch.backends.cuda.")

_PRECISION = frozenset(
    {
        "torch.backends.cuda.matmul.allow_tf32",
        "torch.backends.cuda.matmul.fp32_precision",
        "torch.backends.cudnn.allow_tf32",
        "torch.backends.cudnn.fp32_precision",
        "torch.backends.cudnn.conv.fp32_precision",
        "torch.backends.cudnn.rnn.fp32_precision",
    }
)

_CALLS = frozenset(
    f"torch.cuda.{name}"
    for name in (
        "empty_cache set_device init ipc_collect reset_peak_memory_stats reset_max_memory_allocated "
        "reset_max_memory_cached reset_accumulated_memory_stats set_per_process_memory_fraction "
        "memory.empty_cache memory.reset_peak_memory_stats memory.reset_max_memory_allocated "
        "memory.reset_max_memory_cached memory.reset_accumulated_memory_stats "
        "memory.set_per_process_memory_fraction"
    ).split()
) | frozenset(
    f"torch.{name}"
    for name in (
        "accelerator.set_device_index accelerator.set_device_idx accelerator.empty_cache "
        "accelerator.memory.empty_cache accelerator.reset_peak_memory_stats "
        "accelerator.reset_accumulated_memory_stats accelerator.memory.reset_peak_memory_stats "
        "accelerator.memory.reset_accumulated_memory_stats backends.cudnn.set_flags "
        "backends.cuda.preferred_linalg_library backends.cuda.preferred_blas_library "
        "backends.cuda.allow_fp16_bf16_reduction_math_sdp"
    ).split()
)
"""Calls that only manage an NVIDIA GPU. Source: cuda_api.json, disposition ``remove``."""

_VARIABLES = re.compile(
    r"CUDA_VISIBLE_DEVICES|CUDA_LAUNCH_BLOCKING|CUDA_DEVICE_ORDER|CUBLAS_WORKSPACE_CONFIG|NVIDIA_TF32_OVERRIDE|"
    r"PYTORCH_(CUDA_)?ALLOC_CONF|TORCH_CUDNN_V8_API_\w+|NCCL_\w+|TORCH_NCCL_\w+"
)


class CudaFlags(Rule):
    """Drop switches of CUDA and cuDNN.

    ## What it does
    Removes assignments to `torch.backends.cudnn.*`, `torch.backends.cuda.*` and CUDA's environment variables,
    and statements such as `torch.cuda.empty_cache()` and `torch.cuda.set_device(…)`. An `if` that guarded
    nothing else goes with them.

    With `--unsafe`, a switch that asks for full float32 precision (`allow_tf32 = False`) becomes
    `torch_xla.backends.set_mat_mul_precision("highest")`.

    ## Why
    They choose kernels and manage memory of an NVIDIA GPU. On a TPU the compiler chooses, and each process
    has its one device; some of them raise without a GPU.

    ## Example
        torch.backends.cudnn.benchmark = True
        loss = 0

    becomes

        loss = 0

    ## When it is wrong
    Never for the values on XLA: none of them changes what it computes. A TPU multiplies float32 matrices in
    bfloat16 passes by default; full precision costs much of its speed, which is why that change is unsafe.
    """

    code = "XP801"
    name = "cuda-flag"
    summary = "cuDNN and CUDA switches go"
    applicability = Applicability.SAFE
    words = ("cudnn", "torch.backends", "cuda", "set_device_index", "accelerator", "NCCL", "CUDA")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each switch."""
        for node in context.module.nodes:
            if isinstance(node, ast.Assign):
                yield from self._assignment(context, node)
            elif isinstance(node, ast.Call):
                name = context.resolve(node.func) or ""
                if name in _CALLS or name.startswith("torch.backends.cuda.enable_"):
                    yield self._call(context, node, name)

    def _assignment(self, context: Context, node: ast.Assign) -> Iterator[Finding]:
        names = [context.resolve(t) or "" if isinstance(t, ast.Attribute) else "" for t in node.targets]
        if all(name.startswith(_FLAG_PREFIXES) for name in names):
            if not is_effect_free(context, node.value):
                yield self.finding(
                    context.span(node),
                    f"{names[0]} has no meaning on XLA; it stays, since computing its value may have an effect",
                )
            elif names[0] in _PRECISION and self._wants_full_precision(node.value):
                yield self._precision(context, node, names[0])
            else:
                yield self._remove(context, node, names[0])
        elif len(node.targets) == 1 and (variable := self._variable(context, node.targets[0])) is not None:
            if is_effect_free(context, node.value) and not self._is_read(context, variable):
                yield self._remove(context, node, f"the environment variable {variable}")

    def _call(self, context: Context, node: ast.Call, name: str) -> Finding:
        statement = context.module.parents[node]
        arguments = [*node.args, *(k.value for k in node.keywords)]
        if isinstance(statement, ast.Expr) and all(is_effect_free(context, a) for a in arguments):
            return self._remove(context, statement, f"{name}()")
        return self.finding(
            context.span(node) if context.editable(node) else context.span(context.module.statement(node)),
            f"{name}() has no meaning on XLA and may raise without an NVIDIA GPU: take it out of this expression",
        )

    def _variable(self, context: Context, target: ast.expr) -> str | None:
        """The name of a variable of CUDA's that ``os.environ[…]`` sets."""
        if not isinstance(target, ast.Subscript) or context.resolve(target.value) != "os.environ":
            return None
        key = target.slice
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and _VARIABLES.fullmatch(key.value):
            return key.value
        return None

    def _is_read(self, context: Context, variable: str) -> bool:
        mentions = [n for n in context.module.nodes if isinstance(n, ast.Constant) and n.value == variable]
        return any(
            not (isinstance(parent := context.module.parents[n], ast.Subscript) and isinstance(parent.ctx, ast.Store))
            for n in mentions
        )

    def _wants_full_precision(self, value: ast.expr) -> bool:
        return isinstance(value, ast.Constant) and value.value in (False, "ieee")

    def _precision(self, context: Context, node: ast.Assign, what: str) -> Finding:
        text, imports = context.symbol("matmul_precision", node)
        return self.finding(
            context.span(node),
            f"{what} asks for full float32 precision, and a TPU multiplies float32 matrices in bfloat16 passes: "
            f'{text}("highest") gives it, at a price in speed',
            ReplaceStatement(context.span(node), f'{text}("highest")'),
            imports=imports,
            applicability=Applicability.UNSAFE,
        )

    def _remove(self, context: Context, statement: ast.stmt, what: str) -> Finding:
        return self.finding(
            context.span(statement),
            f"{what} steers an NVIDIA GPU and has no meaning on XLA",
            removal(context, statement),
        )
