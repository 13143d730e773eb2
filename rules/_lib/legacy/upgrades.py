"""What old names of torch_xla have become, and what to do without them (`advice.toml`): one line each."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from xlaport.tables import read_table
from xlaport.target import Target
from xlaport.wording import Text

from .saying import say


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

FILE = Path(__file__).parents[2] / "legacy" / "advice.toml"

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


def advised(missing: Text, name: str, target: Target) -> Text:
    """What is said of a name that is missing, with what to do instead."""
    recipe = _advice(name, target)
    return replace(missing, recipe=recipe) if recipe is not None else missing


def _advice(name: str, target: Target) -> str | None:
    found = upgrade(name, target)
    if found is not None and found.arguments is not Arguments.CONSTANT:
        return say.phrase("write", new=target.symbol(found.becomes).qualified)
    recipes = _recipes()
    parts = name.split(".")
    for length in range(len(parts), 1, -1):
        if (recipe := recipes.get(".".join(parts[:length]))) is not None:
            return recipe
    instead = target.instead_of(name)
    return say.phrase("write", new=instead.qualified) if instead is not None else None


@cache
def _recipes() -> dict[str, str]:
    return read_table(FILE)
