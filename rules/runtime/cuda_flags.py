"""XP801: CUDA's own switches."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, RemoveStatement, Rule

_FLAG_PREFIXES = ("torch.backends.cudnn.", "torch.backends.cuda.")

_CALLS = frozenset(
    {
        "torch.cuda.empty_cache",
        "torch.cuda.set_device",
        "torch.cuda.init",
        "torch.cuda.ipc_collect",
        "torch.cuda.reset_peak_memory_stats",
        "torch.cuda.reset_max_memory_allocated",
        "torch.cuda.set_per_process_memory_fraction",
        "torch.accelerator.set_device_index",
    }
)


class CudaFlags(Rule):
    """Drop switches of CUDA and cuDNN.

    ## What it does
    Removes assignments to `torch.backends.cudnn.*` and `torch.backends.cuda.*`, and statements such as
    `torch.cuda.empty_cache()` and `torch.cuda.set_device(…)`.

    ## Why
    They choose kernels and manage memory of an NVIDIA GPU. On a TPU the compiler chooses, and each process
    has its one device; some of them raise without a GPU.

    ## Example
        torch.backends.cudnn.benchmark = True

    goes.

    ## When it is wrong
    Never for the values on XLA: none of them changes what it computes.
    """

    code = "XP801"
    name = "cuda-flag"
    summary = "cuDNN and CUDA switches go"
    applicability = Applicability.SAFE
    words = ("cudnn", "torch.backends", "cuda", "set_device_index")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each switch."""
        for node in context.module.nodes:
            if isinstance(node, ast.Assign):
                names = [context.resolve(t) or "" for t in node.targets]
                if all(name.startswith(_FLAG_PREFIXES) for name in names) and self._is_plain(node.value):
                    yield self._remove(context, node, names[0])
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                name = context.resolve(node.value.func) or ""
                if name in _CALLS or name.startswith("torch.backends.cuda.enable_"):
                    yield self._remove(context, node, f"{name}()")

    def _is_plain(self, value: ast.expr) -> bool:
        """A value whose evaluation does nothing else."""
        return not any(isinstance(n, ast.Call | ast.Await | ast.NamedExpr) for n in ast.walk(value))

    def _remove(self, context: Context, statement: ast.stmt, what: str) -> Finding:
        return self.finding(
            context.span(statement), f"{what} has no meaning on XLA", RemoveStatement(context.span(statement))
        )
