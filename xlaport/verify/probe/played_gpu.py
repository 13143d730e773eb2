"""What `torch.cuda` answers where the CPU plays the one GPU that the original needs.

Every function of it is answered: a question with what a common GPU would say, anything else with nothing. What is
a program for the GPU itself (graphs that are replayed, kernels compiled at run time) cannot be played, and is left
to raise what it raises without a GPU.
"""

from __future__ import annotations

import types
from collections import defaultdict
from typing import Any

_MEMORY = 80 << 30
_LEFT_TO_RAISE = frozenset({"graph", "graph_pool_handle", "current_blas_handle", "cudart", "check_error"})
_NOT_ANSWERS = frozenset({"custom_fwd", "custom_bwd", "lru_cache", "cast", "deprecated", "classproperty"})
"""Tools that `torch.cuda` imports or that work without a GPU."""


class Stream:
    """A stream: everything is done in the order of the program anyway."""

    device_index = 0
    cuda_stream = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def record_event(self, event: Event | None = None) -> Event:
        """The event that is given, or a new one."""
        return event or Event()

    def query(self) -> bool:
        """All is done."""
        return True

    def is_capturing(self) -> bool:
        """Nothing is recorded, to be replayed."""
        return False

    def synchronize(self, *args: Any) -> None:
        """All is done."""

    wait_stream = wait_event = synchronize


class Event:
    """An event; the time between two of them says nothing about a GPU."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def record(self, *args: Any) -> None:
        """All is done."""

    wait = synchronize = record

    def query(self) -> bool:
        """All is done."""
        return True

    def elapsed_time(self, other: Event) -> float:
        """Milliseconds; never 0, since programs divide by it."""
        return 1.0


def install() -> None:
    """Give `torch.cuda` its answers, wherever its functions are found."""
    import torch

    cuda = torch.cuda
    answers = _answers(torch)
    for home in (cuda, cuda.memory, cuda.random, cuda.nvtx, cuda.streams, cuda.graphs):
        for name, value in list(vars(home).items()):
            if name in answers:
                setattr(home, name, answers[name])
            elif (
                isinstance(value, types.FunctionType)
                and not name.startswith("_")
                and name not in _LEFT_TO_RAISE | _NOT_ANSWERS
                and value.__module__.startswith("torch.cuda")
            ):
                setattr(home, name, _nothing)
    for name in ("Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool"):
        setattr(cuda, f"{name}Tensor", getattr(torch, f"{name}Tensor"))
    cuda.default_generators = (torch.default_generator,)
    torch.backends.cudnn.is_available = lambda: True
    accelerator = getattr(torch, "accelerator", None)
    if accelerator is not None:
        answers |= {
            "current_accelerator": lambda *args, **kwargs: torch.device("cuda"),
            "current_device_index": answers["current_device"],
            "current_device_idx": answers["current_device"],
            "device_index": Stream,
            "get_memory_info": answers["mem_get_info"],
        }
        for name, value in list(vars(accelerator).items()):
            if name in answers:
                setattr(accelerator, name, answers[name])
            elif isinstance(value, types.FunctionType) and not name.startswith("_") and name not in _NOT_ANSWERS:
                setattr(accelerator, name, _nothing)


def _nothing(*args: Any, **kwargs: Any) -> None:
    """There is nothing to do where no GPU is."""


def _answers(torch: Any) -> dict[str, Any]:
    def always(value: Any) -> Any:
        return lambda *args, **kwargs: value

    def none_used(*args: Any, **kwargs: Any) -> dict[str, int]:
        return defaultdict(int)

    properties = types.SimpleNamespace(
        name="GPU played by the CPU", major=8, minor=0, total_memory=_MEMORY, multi_processor_count=108, warp_size=32
    )
    answers: dict[str, Any] = {
        "is_available": always(True),
        "is_initialized": always(True),
        "is_bf16_supported": always(True),
        "is_tf32_supported": always(True),
        "is_current_stream_capturing": always(False),
        "device_count": always(1),
        "current_device": always(0),
        "get_device_name": always(properties.name),
        "get_device_capability": always((properties.major, properties.minor)),
        "get_device_properties": always(properties),
        "get_arch_list": always(["sm_80"]),
        "mem_get_info": always((_MEMORY, _MEMORY)),
        "memory_summary": always(""),
        "list_gpu_processes": always(""),
        "memory_snapshot": always([]),
        "utilization": always(0),
        "initial_seed": torch.initial_seed,
        "get_rng_state": lambda *args, **kwargs: torch.get_rng_state(),
        "get_rng_state_all": lambda *args, **kwargs: [torch.get_rng_state()],
        "make_graphed_callables": lambda callables, *args, **kwargs: callables,
        "Stream": Stream,
        "ExternalStream": Stream,
        "Event": Event,
        "current_stream": Stream,
        "default_stream": Stream,
        "stream": Stream,
        "StreamContext": Stream,
        "device": Stream,
        "device_of": Stream,
        "range": Stream,
    }
    for name in ("allocated", "reserved", "cached"):
        answers |= {f"memory_{name}": always(0), f"max_memory_{name}": always(0)}
    for name in ("memory_stats", "memory_stats_as_nested_dict", "host_memory_stats"):
        answers[name] = none_used
    return answers
