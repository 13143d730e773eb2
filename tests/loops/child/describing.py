"""What a program made, as data: numbers, tensors, models and optimizers by path, and which of them are the same.

A tensor is compared by its values, type, shape and whether it wants a gradient; what shares an object or memory with
what is a partition of the paths.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import torch

_DEVICES = frozenset({"cpu", "cuda", "cuda:0", "xla", "xla:0"})


def tensor(value: torch.Tensor) -> dict[str, Any]:
    """A tensor as data."""
    host = value.detach().cpu()
    return {
        "kind": "parameter" if isinstance(value, torch.nn.Parameter) else "tensor",
        "dtype": str(value.dtype),
        "shape": list(value.shape),
        "requires_grad": value.requires_grad,
        "values": host.flatten().tolist(),
    }


class Description:
    """Collects leaves by path."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.leaves: dict[str, dict[str, Any]] = {}
        self._objects: dict[int, list[str]] = {}
        self._memory: dict[int, list[str]] = {}
        self._kept: list[Any] = []
        self._open: set[int] = set()

    def data(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "leaves": self.leaves,
            "objects": list(self._objects.values()),
            "memory": list(self._memory.values()),
        }

    def add(self, path: str, value: Any) -> None:
        """Describe a value and what it holds; what says nothing about the training is left out."""
        if isinstance(value, torch.Tensor):
            self._tensor(path, value)
        elif isinstance(value, str) and value in _DEVICES:
            return
        elif value is None or isinstance(value, bool | int | float | complex | str):
            self.leaves[path] = {"kind": type(value).__name__, "value": value}
        elif hasattr(value, "tolist") and type(value).__module__ == "numpy":
            self.leaves[path] = {"kind": f"numpy.{type(value).__name__}", "value": str(value.tolist())}
        elif id(value) not in self._open:
            self._open.add(id(value))
            for name, part in self._parts(value):
                self.add(f"{path}{name}", part)
            self._open.discard(id(value))

    def _tensor(self, path: str, value: torch.Tensor) -> None:
        self._kept.append(value)
        self._objects.setdefault(id(value), []).append(path)
        self._memory.setdefault(value.untyped_storage()._cdata, []).append(path)
        self.leaves[path] = tensor(value)
        if value.is_leaf and value.grad is not None:
            self._tensor(f"{path}.grad", value.grad)

    def _parts(self, value: Any) -> Iterator[tuple[str, Any]]:
        if isinstance(value, torch.nn.Module):
            yield ".training", value.training
            for name, part in itertools.chain(
                value.named_parameters(remove_duplicate=False), value.named_buffers(remove_duplicate=False)
            ):
                yield f".{name}", part
        elif isinstance(value, torch.optim.Optimizer):
            for i, group in enumerate(value.param_groups):
                for name, part in group.items():
                    yield f".groups[{i}].{name}", part
                for j, parameter in enumerate(group["params"]):
                    yield f".state[{i}][{j}]", value.state.get(parameter)
        elif isinstance(value, Mapping):
            for name, part in value.items():
                yield f"[{name!r}]", part
        elif isinstance(value, list | tuple):
            for i, part in enumerate(value):
                yield f"[{i}]", part
        elif self._is_of_the_program(value):
            for name, part in vars(value).items():
                yield f".{name}", part

    def _is_of_the_program(self, value: Any) -> bool:
        """An instance of a class that the program itself has."""
        import sys

        if isinstance(value, type) or not hasattr(value, "__dict__"):
            return False
        module = sys.modules.get(type(value).__module__)
        return (getattr(module, "__file__", None) or "").startswith(self.folder)
