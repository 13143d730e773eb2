"""The targets that can be written for, by what ``--target`` calls them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from xlaport.errors import UserError
from xlaport.target import Target, Trait
from xlaport.targets.torch_tpu import torch_tpu
from xlaport.targets.torch_xla import VERSIONS, torch_xla

TARGETS: Mapping[str, Target] = {**{version: torch_xla(version) for version in VERSIONS}, "torch_tpu": torch_tpu()}
DEFAULT = VERSIONS[-1]


def first_with(traits: Collection[Trait]) -> Target:
    """The target that is written for unless another is chosen, or the first one that has some traits."""
    return next(each for each in (TARGETS[DEFAULT], *TARGETS.values()) if each.is_a(*traits))


def target(called: str = DEFAULT) -> Target:
    """The target of a version of torch_xla, of its newest by the package's name, or ``torch_tpu``.

    Raises `UserError` for anything else.
    """
    try:
        return TARGETS[DEFAULT] if called == TARGETS[DEFAULT].package else TARGETS[called]
    except KeyError:
        raise UserError(
            f"unknown target '{called}': choose a version of torch_xla, {', '.join(VERSIONS)}, or torch_tpu"
        ) from None
