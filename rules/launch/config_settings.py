"""XP812: settings for GPUs in a configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.documents.document import CONFIGURATIONS, Document, Kind
from xlaport.documents.entries import entries
from xlaport.documents.entry import Entry
from xlaport.rule import Applicability, DocumentRule, Finding, Harm
from xlaport.target import Target

from .naming import FP16, GPUS, NCCL, VARIABLE, asks_for_fp16, is_gpus, plain

_NOTHING = frozenset({"", "0", "false", "no", "off", "none", "null", "~"})
_YES = frozenset({"true", "True", "yes", "on"})


class ConfigSettings(DocumentRule):
    """Report settings of a configuration that only GPUs have.

    ## What it does
    Reports, in YAML, JSON, TOML and INI files: numbers of GPUs, the nccl backend, float16, TF32, accelerate's and
    DeepSpeed's settings for GPUs, GPUs asked of Docker and Kubernetes, and variables of CUDA.

    ## Why
    Each of them makes the program ask for what a TPU machine does not have. Float16 works, but a TPU is built for
    bfloat16, which needs no loss scaling.

    ## Example
        trainer:
          gpus: 4
          batch_size: 64

    is reported. For a TPU, where torch_xla.launch() starts a process for each chip:

        trainer:
          batch_size: 64

    ## When it is wrong
    Where another program reads the file. Who reads a key can't be seen from the file: that is why this is advice.

    ## When it is left alone
    Settings that are off (`gpus: 0`, `fp16: false`), bfloat16, XLA's own values, keys that only sound alike, and
    `pin_memory`, which has no effect without an NVIDIA GPU.

    ## Sources
    - Cloud TPU, bfloat16: https://cloud.google.com/tpu/docs/bfloat16

    ## Related
    XP811, XP815.
    """

    code = "XP812"
    name = "config-gpu-setting"
    summary = "settings of a configuration that only GPUs have"
    applicability = Applicability.MANUAL
    harm = Harm.LEFTOVER
    words = (
        "gpu", "GPU", "nccl", "fp16", "float16", "half", "precision", "tf32", "cuda", "CUDA", "nvidia",
        "NCCL", "NVIDIA", "zero_optimization", "distributed_type", "PRECISION", "accelerator",
    )  # fmt: skip
    kinds = CONFIGURATIONS

    def check_document(self, document: Document, target: Target) -> Iterator[Finding]:
        """Yield one finding for each setting."""
        is_deepspeed = False
        lists: set[tuple[str, ...]] = set()
        found = entries(document)
        is_lightning = any(plain(entry.key) == "accelerator" for entry in found)
        for entry in found:
            if document.kind is Kind.JSON and entry.is_in_record:
                continue
            if "zero_optimization" in entry.keys and not is_deepspeed:
                is_deepspeed = True
                yield self.finding(
                    entry.span,
                    "this is for DeepSpeed, which has no TPU: its sharding is FSDP in torch_xla, or SPMD",
                )
                continue
            message = _message(entry)
            if entry.is_item and is_gpus(entry.key):
                if entry.keys in lists:
                    continue
                lists.add(entry.keys)  # one finding for [0, 1, 2, 3]
            if is_lightning and entry.key == "strategy" and re.match(r"ddp|deepspeed|fsdp|dp$", entry.value):
                message = (
                    f"Lightning's strategy {entry.value} is for GPUs: on a TPU leave it out, or take `xla`, which "
                    f"starts a process for each chip"
                )
            if message is not None:
                yield self.finding(entry.span, message)


def _message(entry: Entry) -> str | None:
    key, value = plain(entry.key), entry.value
    lower = value.lower()
    if value == "nccl":
        return NCCL
    if asks_for_fp16(key, value) or (key == "enabled" and lower == "true" and "fp16" in entry.keys):
        return FP16
    if key == "tf32" and lower in _YES:
        return "TF32 is a format of NVIDIA GPUs, and asking for it raises without one: drop it"
    if key == "distributed_type" and value in ("MULTI_GPU", "DEEPSPEED", "MEGATRON_LM"):
        return f"accelerate's {value} is for GPUs: run `accelerate config` on the TPU machine, which writes XLA here"
    if lower not in _NOTHING and (found := _container(entry)) is not None:
        return found
    if (VARIABLE.fullmatch(entry.key) and lower not in _NOTHING) or VARIABLE.fullmatch(value.partition("=")[0]):
        name = entry.key if VARIABLE.fullmatch(entry.key) else value.partition("=")[0]
        return f"{name} steers CUDA or NCCL: nothing reads it on a TPU"
    if is_gpus(key) and (lower not in _NOTHING or (entry.is_item and value == "0")) and _is_amount(value):
        return f"{entry.key} {GPUS}" if entry.is_item else f"{entry.key}: {value} {GPUS}"
    return None


def _container(entry: Entry) -> str | None:
    """GPUs that are asked of Docker or Kubernetes."""
    key, value = entry.key, entry.value
    if (key in ("runtime", "driver") and value == "nvidia") or key == "nvidia.com/gpu":
        return "the container asks for NVIDIA GPUs: on a TPU machine it needs `privileged` and the host's network"
    if key == "capabilities" and value == "gpu":
        return "the container asks for a GPU, which a TPU machine does not have: take the reservation out"
    if key == "image" and re.search(r"(^|/)nvidia/|cuda", value):
        return f"the image {value} is made for CUDA: take one with Python, and install torch and torch_xla in it"
    return None


def _is_amount(value: str) -> bool:
    """Whether a value is a number, a list of numbers, or a switch."""
    return re.fullmatch(r"-?\d+(?:\s*,\s*\d+)*,?|\$\{[^{}]+\}|true|yes|on|all|auto", value, re.IGNORECASE) is not None
