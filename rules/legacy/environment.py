"""XP906: environment variables of old torch_xla."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.context import Context
from xlaport.rule import Applicability, Finding, Rule
from xlaport.target import Target

from ..removal import removal
from ..variables import Mention, Where, mentions, needed


@dataclass(frozen=True)
class _Variable:
    """Variables that a pattern names: from which version on they are old, and what to do."""

    pattern: re.Pattern[str]
    since: str
    is_dead: bool
    """Nothing reads them any more: setting them is removed."""
    what: str

    def speaks_of(self, name: str, target: Target) -> bool:
        return self.pattern.fullmatch(name) is not None and target.is_at_least(self.since)


_VARIABLES = (
    _Variable(
        re.compile(r"XRT_SHARD_\w+|XRT_\w*LOCAL_\w+"), "2.2", True,
        "belongs to the old runtime (XRT), which is gone: torch_xla.runtime.global_ordinal(), local_ordinal() and "
        "world_size() answer, within each process",
    ),
    _Variable(
        re.compile(r"XRT_\w+"), "2.2", True,
        "belongs to the old runtime (XRT), which is gone: PJRT finds the TPU by itself, or is told PJRT_DEVICE=TPU",
    ),
    _Variable(
        re.compile(r"XLA_(USE|DOWNCAST)_FP?16|XLA_TENSOR_ALLOCATOR_MAXSIZE"), "2.5", True,
        "has no effect any more",
    ),
    _Variable(
        re.compile(r"GPU_NUM_DEVICES|PJRT_GPU_ASYNC_CLIENT"), "2.9", True,
        "belongs to torch_xla's backend for GPUs, which went with 2.9",
    ),
    _Variable(
        re.compile(r"TPU_NUM_DEVICES"), "2.9", False,
        "is not read by torch_xla 2.9: each process has one chip; to use fewer, set TPU_VISIBLE_CHIPS and "
        "TPU_PROCESS_BOUNDS before torch_xla is imported",
    ),
    _Variable(
        re.compile(r"XLA_USE_BF16|XLA_DOWNCAST_BF16"), "2.5", False,
        "turns every float32 tensor into bfloat16 behind the program's back, and will go: convert the model, "
        'model.to(torch.bfloat16), or run its forward pass under torch.autocast("xla", dtype=torch.bfloat16)',
    ),
    _Variable(
        re.compile(r"XLA_USE_32BIT_LONG"), "2.5", False,
        "turns int64 into int32 behind the program's back, and will go: convert the tensors that should be int32",
    ),
    _Variable(
        re.compile(r"XLA_USE_SPMD"), "2.1", False,
        "is deprecated: call torch_xla.runtime.use_spmd() before the first tensor is moved to the device",
    ),
    _Variable(
        re.compile(r"COLAB_TPU_ADDR|TPU_IP_ADDRESS|TPU_NAME"), "2.1", False,
        "names a TPU over the network, as the old runtime did; a program runs on the TPU's own host now, and asks "
        "torch_xla.device() for it",
    ),
)  # fmt: skip

_GPU_KINDS = {"GPU": "2.2", "CUDA": "2.9", "ROCM": "2.9"}
"""Values of PJRT_DEVICE that have gone, and since when."""


class LegacyEnvironment(Rule):
    """Drop or report environment variables that old torch_xla read.

    ## What it does
    Removes the statements that set variables which nothing reads any more (`XRT_TPU_CONFIG`, `XRT_WORKERS`,
    `XLA_USE_FP16` …) and that no file of the project reads. Those that still work but will go (`XLA_USE_BF16`,
    `XLA_USE_SPMD`), and every place that reads one, are reported with what to do.

    ## Why
    The XRT runtime with its configuration is gone, and with it a program's way to a TPU over the network.
    `XLA_USE_BF16` changes the type of every tensor without a word in the code.

    ## Example
        import os
        os.environ["XRT_TPU_CONFIG"] = "localservice;0;localhost:51011"
        rank = os.environ["RANK"]

    becomes

        import os
        rank = os.environ["RANK"]

    ## When it is wrong
    Where the variable is set for another program that this one starts, with an older torch_xla.
    """

    code = "XP906"
    name = "old-torch-xla-environment"
    summary = "XRT_TPU_CONFIG and its like go, XLA_USE_BF16 is reported"
    applicability = Applicability.SAFE
    words = ("XRT_", "XLA_USE", "XLA_DOWNCAST", "XLA_TENSOR", "NUM_DEVICES", "PJRT_", "COLAB_TPU", "TPU_")

    def check(self, context: Context) -> Iterator[Finding]:
        """Yield one finding for each place that sets or reads such a variable."""
        mentioned = list(mentions(context))
        wanted = needed(context, mentioned)
        for mention in mentioned:
            if mention.where not in (Where.ENVIRONMENT, Where.KEY):
                continue
            found = next((v for v in _VARIABLES if v.speaks_of(mention.name, context.target)), None)
            if found is not None:
                yield self._finding(context, mention, found, mention.name in wanted)
            elif mention.name == "PJRT_DEVICE":
                yield from self._device(context, mention)

    def _finding(self, context: Context, mention: Mention, found: _Variable, is_wanted: bool) -> Finding:
        message = f"{mention.name} {found.what}"
        if found.is_dead and mention.statement is not None and not is_wanted:
            return self.finding(context.span(mention.statement), message, removal(context, mention.statement))
        return self.finding(context.place(mention.node), message)

    def _device(self, context: Context, mention: Mention) -> Iterator[Finding]:
        value = mention.value.value if isinstance(mention.value, ast.Constant) else None
        since = _GPU_KINDS.get(value) if isinstance(value, str) else None
        if since is not None and context.target.is_at_least(since):
            kind = "is CUDA since torch_xla 2.2" if value == "GPU" else "went with torch_xla 2.9"
            span = context.span(context.module.statement(mention.node))
            yield self.finding(span, f"PJRT_DEVICE={value!s} {kind}: a TPU's is PJRT_DEVICE=TPU")
