"""How torch_xla spells things, by version: the only place that holds its names.

A rule asks a `Target` for a `Symbol` by its meaning ("device", "sync") and gets what to import and what to
write. Another version, or another target, is another table. Source of the versions: the wheels of
torch_xla 2.1 to 2.9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xlaport.errors import UserError
from xlaport.rule import Import


@dataclass(frozen=True)
class Symbol:
    """A function of the target: `attribute` of the module that `imports` makes known."""

    imports: Import
    attribute: str

    @property
    def qualified(self) -> str:
        """The full name, as `Names.resolve` gives it."""
        return f"{self.imports.module}.{self.attribute}"


_ROOT = Import("torch_xla", "torch_xla")
_XM = Import("torch_xla.core.xla_model", "xm")
_PL = Import("torch_xla.distributed.parallel_loader", "pl")


@dataclass(frozen=True)
class Target:
    """One target at one version."""

    name: str
    device_type: str
    """The device string that torch understands, ``torch.device(device_type)``."""
    symbols: Mapping[str, Symbol]
    barriers: frozenset[str]
    """Qualified names of the calls that cut and run the pending graph."""
    stepping: frozenset[str]
    """Qualified names of the calls that step the optimizer passed to them."""
    loaders: frozenset[str]
    """Qualified names of the loader wrappers that cut the graph at each batch."""
    devices: frozenset[str]
    """Qualified names of the calls that return the device."""

    def symbol(self, meaning: str) -> Symbol:
        """How the target spells a meaning."""
        return self.symbols[meaning]


_TORCH_XLA_2_9 = Target(
    name="torch_xla 2.9",
    device_type="xla",
    symbols={
        "device": Symbol(_ROOT, "device"),
        "sync": Symbol(_ROOT, "sync"),
        "manual_seed": Symbol(_ROOT, "manual_seed"),
        "wait_device_ops": Symbol(_XM, "wait_device_ops"),
        "matmul_precision": Symbol(Import("torch_xla.backends", "torch_xla.backends"), "set_mat_mul_precision"),
        "device_loader": Symbol(_PL, "MpDeviceLoader"),
    },
    barriers=frozenset({"torch_xla.sync", "torch_xla.core.xla_model.mark_step"}),
    stepping=frozenset({"torch_xla.core.xla_model.optimizer_step"}),
    loaders=frozenset(
        {
            "torch_xla.distributed.parallel_loader.MpDeviceLoader",
            "torch_xla.distributed.parallel_loader.ParallelLoader",
        }
    ),
    devices=frozenset({"torch_xla.device", "torch_xla.core.xla_model.xla_device"}),
)

TARGETS: Mapping[str, Target] = {"2.9": _TORCH_XLA_2_9}
DEFAULT = "2.9"


def target(version: str = DEFAULT) -> Target:
    """The target of a torch_xla version. Raises `UserError` for a version without a table."""
    try:
        return TARGETS[version]
    except KeyError:
        known = ", ".join(TARGETS)
        raise UserError(f"unknown target '{version}': choose one of {known}") from None
