"""What names mean in configurations and launchers: devices, switches, variables of CUDA."""

from __future__ import annotations

import re

CUDA = re.compile(r"cuda(?::\d+)?")
"""How torch spells a CUDA device."""

_DEVICE = re.compile(r"(?:.*_)?device|dev|(?:.*_)?devices|device_(?:type|name|map)|map_location")
_GPUS = re.compile(
    r"(?:use|n|num|nb|number_of|world)?_?n?gpus?|(?:num_)?gpus?_per_(?:node|task|worker|trial)|gpu_(?:ids?|devices?|index)"
    r"|(?:num_|n_)?gpus?_?count|use_cuda|cuda|cuda_devices?"
)
_SWITCH = re.compile(r"(?:use_)?(?:cuda|gpu)")
VARIABLE = re.compile(
    r"CUDA_VISIBLE_DEVICES|CUDA_LAUNCH_BLOCKING|CUDA_DEVICE_ORDER|CUDA_DEVICE_MAX_CONNECTIONS|CUDA_MODULE_LOADING|"
    r"CUBLAS_WORKSPACE_CONFIG|NVIDIA_TF32_OVERRIDE|NVIDIA_VISIBLE_DEVICES|NVIDIA_DRIVER_CAPABILITIES|"
    r"PYTORCH_(?:CUDA_)?ALLOC_CONF|PYTORCH_NO_CUDA_MEMORY_CACHING|TORCH_CUDNN_\w+|TORCH_ALLOW_TF32_CUBLAS_OVERRIDE|"
    r"NCCL_\w+|TORCH_NCCL_\w+"
)
"""Environment variables that only CUDA and NCCL read."""

BUILD_VARIABLE = re.compile(r"TORCH_CUDA_ARCH_LIST|FORCE_CUDA|TCNN_CUDA_ARCHITECTURES")
"""Environment variables of builds of CUDA extensions."""


def plain(name: str) -> str:
    """A key or an option in one spelling: its last part, in lower case, with underscores."""
    return re.sub(r"^[+~]+", "", name).rpartition(".")[2].replace("-", "_").lower()


def is_device(name: str) -> bool:
    """Whether a key or an option means a device."""
    return _DEVICE.fullmatch(plain(name)) is not None


def is_gpus(name: str) -> bool:
    """Whether a key or an option asks for GPUs: how many, which, or whether."""
    return _GPUS.fullmatch(plain(name)) is not None


def switches_on(name: str, value: str | None) -> bool:
    """Whether a key or an option says that the program is to use the accelerator, which a port asks as before."""
    return _SWITCH.fullmatch(plain(name)) is not None and (value or "true").lower() in ("true", "yes", "on")


def asks_for_fp16(name: str, value: str) -> bool:
    """Whether a key or an option with this value asks for float16."""
    name, value = plain(name), value.lower()
    if name in ("fp16", "use_fp16", "memory_efficient_fp16", "half_precision"):
        return value in ("true", "yes", "on", "1")
    if name in ("precision", "mixed_precision", "amp_dtype", "autocast_dtype"):
        return value in ("fp16", "16", "16-mixed", "16-true", "float16", "half")
    return False
