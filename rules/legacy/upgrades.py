"""What old names of torch_xla have become: one line each."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import cache

from xlaport.target import Target


class Arguments(enum.Enum):
    """How the arguments of the old call are taken over."""

    SAME = "same"
    """The new name takes them as they are."""
    DEFAULT = "default"
    """``defval``, the answer without a runtime: there is always one now."""
    DEVICE = "device"
    """``n`` and ``devkind`` of xla_device."""
    STEP = "step"
    """``wait`` and ``reset_scope`` of mark_step."""
    CONSTANT = "constant"
    """There is no call any more: the answer never changes."""


@dataclass(frozen=True)
class Upgrade:
    """An old name, the target version from which it is written anew, and how."""

    since: str
    becomes: str
    """A meaning that the target knows, or a constant."""
    arguments: Arguments


@dataclass(frozen=True)
class Move:
    """A module that has moved: since when, and where to (the first of several places that has all that is used)."""

    since: str
    places: tuple[str, ...]


_UPGRADES = """
torch_xla.core.xla_model.mark_step                     2.5  sync                  step
torch_xla.core.xla_model.xla_device                    2.3  device                device
torch_xla.runtime.xla_device                           2.3  device                device
torch_xla.experimental.pjrt.xla_device                 2.3  device                device
torch_xla.core.xla_model.get_ordinal                   2.5  global_ordinal        default
torch_xla.core.xla_model.xrt_world_size                2.5  world_size            default
torch_xla.core.xla_model.get_local_ordinal             2.5  local_ordinal         default
torch_xla.experimental.compile                         2.5  compile               same
torch_xla.experimental.eager.compile                   2.5  compile               same
torch_xla.experimental.pjrt.broadcast_master_param     2.1  broadcast_parameters  same
torch_xla.runtime.using_pjrt                           2.5  True                  constant
torch_xla.experimental.pjrt.using_pjrt                 2.5  True                  constant
"""

_MOVES = """
torch_xla.experimental.pjrt                2.1  torch_xla.runtime
torch_xla.experimental.pjrt_backend        2.2  torch_xla.distributed.xla_backend
torch_xla.experimental.xla_sharding        2.2  torch_xla.distributed.spmd torch_xla.distributed.spmd.xla_sharding
torch_xla.experimental.xla_sharded_tensor  2.2  torch_xla.distributed.spmd.xla_sharded_tensor
"""

_ADVICE = """
torch_xla.core.xla_model.parse_xla_device = torch.device(text) parses "xla:0"; its .index is the number
torch_xla.core.xla_model.load = torch.load(path, map_location="cpu") reads what xm.save() has written
torch_xla.core.functions.nms = torchvision.ops.nms does it, on the host: keep it out of the training step
torch_xla.runtime.requires_pjrt = PJRT is the only runtime: take the decorator off
torch_xla.experimental.pjrt.rendezvous = xm.rendezvous(tag) waits for all processes
torch_xla.experimental.pjrt.device_attributes = torch_xla.runtime.runtime_device_attributes(device) has them
torch_xla.experimental.pjrt.global_device_attributes = torch_xla.runtime.global_runtime_device_attributes() has them
torch_xla.experimental.tpu = torch_xla.runtime answers most questions; the rest is private, torch_xla._internal.tpu
torch_xla.experimental.gpu = torch_xla runs on TPU and CPU: keep the CUDA code for GPUs
torch_xla._internal.gpu = torch_xla runs on TPU and CPU: keep the CUDA code for GPUs
torch_xla.experimental.triton = Triton kernels are for GPUs; on a TPU, Pallas kernels take their place
torch_xla.distributed.xla_dist = start the script on every host of the slice, as \
gcloud compute tpus tpu-vm ssh --worker=all --command=... does; each process finds the others by itself
torch_xla.utils.gcsfs = open the bucket with the gcsfs or fsspec package
torch_xla.utils.tf_record_reader = read the records with the tensorflow or tfrecord package
torch_xla.utils.cached_dataset = copy the data to the host's disk
torch_xla.debug.metrics.executed_fallback_ops = take the met.counter_names() that hold "::" and do not begin with xla::
torch_xla.flags = parse the arguments with argparse
"""


_SPOKEN_OF = frozenset("torch_xla.amp.GradScaler torch_xla.amp.grad_scaler.GradScaler".split())
"""Names that have gone, and that a rule of their own speaks of."""


@cache
def upgrades() -> dict[str, Upgrade]:
    """The upgrades, by qualified name."""
    rows = [line.split() for line in _UPGRADES.strip().splitlines()]
    return {name: Upgrade(since, becomes, Arguments(arguments)) for name, since, becomes, arguments in rows}


@cache
def moves() -> dict[str, Move]:
    """The modules that have moved, by name."""
    rows = [line.split() for line in _MOVES.strip().splitlines()]
    return {name: Move(since, tuple(places)) for name, since, *places in rows}


def upgrade(name: str | None, target: Target) -> Upgrade | None:
    """The upgrade of a qualified name, if the target spells it in another way."""
    found = upgrades().get(name or "")
    return found if found is not None and target.is_at_least(found.since) else None


def move(module: str | None, target: Target) -> Move | None:
    """Where a module has moved to, if it has for the target."""
    found = moves().get(module or "")
    return found if found is not None and target.is_at_least(found.since) else None


def spoken_of(name: str) -> bool:
    """Whether another rule says what becomes of a name that has gone."""
    return name in _SPOKEN_OF


def advice(name: str, target: Target) -> str | None:
    """What to do without a name, or in its place."""
    found = upgrade(name, target)
    if found is not None and found.arguments is not Arguments.CONSTANT:
        return f"now it is {target.symbol(found.becomes).qualified}"
    recipes = _recipes()
    parts = name.split(".")
    for length in range(len(parts), 1, -1):
        if (recipe := recipes.get(".".join(parts[:length]))) is not None:
            return recipe
    instead = target.instead_of(name)
    return f"{target.name} says {instead.qualified}" if instead is not None else None


@cache
def _recipes() -> dict[str, str]:
    return dict(line.split(" = ", 1) for line in _ADVICE.strip().splitlines())
