"""What torch_tpu calls things, as far as `verify` needs it: no other module of it says so.

Read in the wheel of 0.2.0. Much of it is private, and may be called otherwise in the next version.
"""

from __future__ import annotations

PACKAGE = "torch_tpu"
DEVICE = "tpu"
"""The type of its device, and the name of its module in torch."""
KNOWN = ("0.2.0",)
"""The versions whose private names are those below."""
WANTED = "torch==2.13.0 torch_tpu==0.2.0 xla-cpu-pjrt==0.0.1"
"""What has been measured to go together."""
PLAYER = "xla-cpu-pjrt"
"""The package that plays a TPU where none is."""

PLUGIN = "xla_plugins.xla_cpu_pjrt"
"""The package of the plugin for the CPU, and the library in it."""
LIBRARY = "xla_cpu_pjrt.so"

LIBRARY_PATH = "TPU_LIBRARY_PATH"
"""The environment variable that names the plugin, and the two that say how many threads it has."""
THREADS = ("NPROC", "PJRT_NPROC")
BLOCKING = "TORCH_TPU_LAUNCH_BLOCKING"
"""Whether each operation is compiled and run before the next line: what fails then fails in its own line."""
FUSING = "TORCH_TPU_DEFER_AND_FUSE"
"""Whether operations wait, and become one program: that cannot be had beside `BLOCKING`."""
CACHES = ("TORCH_TPU_TIER2_COMPILATION_CACHE", "TORCH_TPU_TIER3_COMPILATION_CACHE_ROOT")
"""Where programs are kept for the next run."""

GROUP = {"TORCH_TPU_SLICEBUILDER_ADDRESSES": "localhost:8471", "TORCH_TPU_TOPOLOGY": "1x1x1"}
"""What a process group asks of the environment, and the answers for one process."""

HARDWARE = "torch_tpu._internal.utils.hardware"
"""The module that looks for chips, the function of it, and what it gives for one chip of this topology."""
SCAN, NAME, TOPOLOGY = "_scan_pci_tpus", "get_tpu_device_name", "_V5E_TOPOLOGY"
CHIP = "TPU v5e"

DEVICE_MODULE = "torch_tpu._internal.device._device_module"
"""The module of the device, the class in it that ends the runtime, and the library that counts."""
RUNTIME, SHUTDOWN = "TpuDeviceModule", "_shutdown_runtime"
BACKEND, REQUESTS, MISSES = "_device_ops_backend", "_get_cache_requests", "_get_cache_misses"

EXECUTABLES = "torch_tpu._internal.compile.torch_tpu_compiled_executable"
"""The module of what torch.compile has compiled, and the class that runs it."""
EXECUTABLE = "TorchTpuCompiledExecutable"

UNIMPLEMENTED = "is not implemented for TPU"
"""What an operation raises that torch_tpu has no kernel for: nothing falls back on the host."""
