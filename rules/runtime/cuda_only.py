"""XP802: what only CUDA has, and no rule can port."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Rule

from ..device import guarded

_ADVICE = {
    "device_count": "is 0 on a TPU. A process has one device; torch_xla.runtime.world_size() counts the processes",
    "current_device": "raises. Write torch_xla.device() where a device is meant, and "
    "torch_xla.runtime.global_ordinal() where a rank is",
    "get_device_name get_device_properties get_device_capability get_arch_list": "raises. It asks about a GPU: "
    "drop the question, or keep it away from a TPU",
    "memory_allocated max_memory_allocated memory_reserved max_memory_reserved memory_cached max_memory_cached "
    "memory_stats memory_summary mem_get_info memory_snapshot": "says nothing about a TPU, whose figures are in "
    "xm.get_memory_info() (which raises on XLA:CPU)",
    "Stream ExternalStream stream current_stream default_stream set_stream StreamContext": "raises. XLA overlaps "
    "copies and work by itself: take the stream out and keep what runs in it",
    "Event": "raises. Take the time with time.perf_counter() behind torch_xla.sync() and xm.wait_device_ops()",
    "nvtx profiler cudart": "raises. torch_xla.debug.profiler.Trace(name) marks a range in a TPU's profile",
    "CUDAGraph graph graphs make_graphed_callables graph_pool_handle": "raises. XLA compiles each step as one graph "
    "by itself: call the function directly",
    "autocast": 'has no effect on XLA: all would run in float32. Write torch.autocast("xla", dtype=torch.bfloat16)',
    "GradScaler": "stays on under torch_xla and reads the device in every step. bfloat16 needs no loss scaling: pass "
    "enabled=False",
    "custom_fwd custom_bwd": 'is for CUDA\'s autocast. Write torch.amp.custom_fwd(device_type="xla") and custom_bwd',
    "comm nccl": "raises. Between processes, use torch_xla.core.xla_model.all_reduce() and its siblings",
    "get_rng_state set_rng_state get_rng_state_all set_rng_state_all initial_seed seed seed_all": "raises or does "
    "nothing. xm.get_rng_state() and xm.set_rng_state() hold the state of an XLA device",
}
_BY_NAME = {name: advice for names, advice in _ADVICE.items() for name in names.split()}

_PORTED = frozenset(
    "OutOfMemoryError is_available is_bf16_supported manual_seed manual_seed_all synchronize empty_cache "
    "set_device init ipc_collect random is_initialized default_generators device".split()
)
"""Names that other rules speak of (the tensor types are XP108's), or that do no harm without a GPU."""


class CudaOnly(Rule):
    """Report what is left of `torch.cuda`.

    ## What it does
    Lists each use of a name of `torch.cuda` that no other rule ports, and says what to do about it. What stands
    under a question for CUDA that stays (XP104) is not listed: it does not run on a TPU.

    ## Why
    Most of these names raise without an NVIDIA GPU; the others answer 0.

    ## Example
        if torch.cuda.device_count() > 1:
            print("parallel")

    is reported: a process has one XLA device, and `torch.cuda.device_count()` is 0.

    ## When it is wrong
    Where the code runs on a GPU only, on purpose.
    """

    code = "XP802"
    name = "cuda-only"
    summary = "names of torch.cuda that have to be ported by hand"
    applicability = Applicability.MANUAL
    words = ("cuda",)

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each use of a name that only CUDA has."""
        for node in context.module.nodes:
            if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
                continue
            if isinstance(context.module.parents[node], ast.Attribute) or self._stands_for_another(context, node):
                continue
            name = context.resolve(node) or ""
            parts = name.split(".")
            if parts[:2] != ["torch", "cuda"] or len(parts) < 3 or not self._is_left(parts[2:]):
                continue
            if guarded.does_not_run(context, node):
                continue
            advice = next((_BY_NAME[part] for part in parts[2:] if part in _BY_NAME), "exists for NVIDIA GPUs only")
            yield self.finding(
                context.span(node) if context.editable(node) else context.span(context.module.statement(node)),
                f"{name} {advice}",
            )

    def _is_left(self, parts: list[str]) -> bool:
        if parts[0] in ("memory", "random") and len(parts) > 1:
            parts = parts[1:]
        if parts[0].startswith("reset_") or parts[0] == "set_per_process_memory_fraction":
            return False
        return parts[0] not in _PORTED and not parts[0].endswith("Tensor")

    def _stands_for_another(self, context: Context, node: ast.Name | ast.Attribute) -> bool:
        """A name assigned from the one that is reported already: ``Tensor = torch.cuda.FloatTensor``."""
        if not isinstance(node, ast.Name):
            return False
        return any(binding.value is not None for binding in context.names.bindings(node))
