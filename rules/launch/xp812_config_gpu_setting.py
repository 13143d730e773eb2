"""XP812: settings for GPUs in a configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator

from xlaport.documents.document import CONFIGURATIONS, Document, Kind
from xlaport.documents.entries import entries
from xlaport.documents.entry import Entry
from xlaport.rule import Applicability, DocumentRule, Finding, Harm
from xlaport.target import Target
from xlaport.wording import Text

from .._lib.launch.naming import VARIABLE, asks_for_fp16, is_gpus, plain, switches_on
from .._lib.launch.saying import say

_NOTHING = frozenset({"", "0", "false", "no", "off", "none", "null", "~"})
_YES = frozenset({"true", "True", "yes", "on"})


class ConfigSettings(DocumentRule):
    """Report settings of a configuration that only GPUs have.

    ## What it does
    Reports, in YAML, JSON, TOML and INI files: numbers of GPUs, the nccl backend, float16, TF32, accelerate's and
    DeepSpeed's settings for GPUs, GPUs for Docker and Kubernetes, and variables of CUDA.

    ## Why
    Each of them needs something that a TPU machine does not have. Float16 works, but a TPU is built for bfloat16, which
    needs no loss scaling.

    ## Example
        trainer:
          gpus: 4
          batch_size: 64

    is reported. For a TPU, where torch_xla.launch() starts a process for each chip:

        trainer:
          batch_size: 64

    ## When it is wrong
    Where another program reads the file: the file does not show who reads a key, so nothing is rewritten. Where a
    switch such as `use_cuda: true` is how the converted program chooses the TPU, keep it.

    ## When it is left alone
    Settings that are off (`gpus: 0`, `fp16: false`), bfloat16, XLA's own values, keys that only sound alike, and
    `pin_memory`, which has no effect without an NVIDIA GPU.

    ## Sources
    - Cloud TPU, bfloat16: https://cloud.google.com/tpu/docs/bfloat16
    - Google Kubernetes Engine, TPUs: https://cloud.google.com/kubernetes-engine/docs/how-to/tpus

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
                yield self.finding(entry.span, say("XP812.deepspeed"))
                continue
            if entry.is_item and is_gpus(entry.key):
                if entry.keys in lists:
                    continue
                lists.add(entry.keys)  # one finding for [0, 1, 2, 3]
            text = _text(entry)
            if is_lightning and entry.key == "strategy" and re.match(r"ddp|deepspeed|fsdp|dp$", entry.value):
                text = say("XP812.strategy", value=entry.value)
            if text is not None:
                yield self.finding(entry.span, text)


def _text(entry: Entry) -> Text | None:
    key, value = plain(entry.key), entry.value
    lower = value.lower()
    if value == "nccl":
        return say("XP812.nccl")
    if asks_for_fp16(key, value) or (key == "enabled" and lower == "true" and "fp16" in entry.keys):
        return say("XP812.fp16")
    if key == "tf32" and lower in _YES:
        return say("XP812.tf32")
    if key == "distributed_type" and value in ("MULTI_GPU", "DEEPSPEED", "MEGATRON_LM"):
        return say("XP812.accelerate", value=value)
    if lower not in _NOTHING and (found := _container(entry)) is not None:
        return found
    name = next((text for text in (entry.key, value.partition("=")[0]) if VARIABLE.fullmatch(text)), None)
    if name is not None and (name != entry.key or lower not in _NOTHING):
        return say("XP812.variable", name=name)
    if is_gpus(key) and (lower not in _NOTHING or (entry.is_item and value == "0")) and _is_amount(value):
        return say("XP812.switch") if switches_on(key, value) else say("XP812.number")
    return None


def _container(entry: Entry) -> Text | None:
    """GPUs that are asked of Docker or Kubernetes."""
    key, value = entry.key, entry.value
    if key == "nvidia.com/gpu":
        return say("XP812.kubernetes")
    if (key in ("runtime", "driver") and value == "nvidia") or (key == "capabilities" and value == "gpu"):
        return say("XP812.container")
    if key == "image" and re.search(r"(^|/)nvidia/|cuda", value):
        return say("XP812.image")
    return None


def _is_amount(value: str) -> bool:
    """Whether a value is a number, a list of numbers, or a switch."""
    return re.fullmatch(r"-?\d+(?:\s*,\s*\d+)*,?|\$\{[^{}]+\}|true|yes|on|all|auto", value, re.IGNORECASE) is not None
