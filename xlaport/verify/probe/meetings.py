"""Where replicas meet outside of their graphs: the rendezvous behind ``xm.mesh_reduce()`` and others.

torch_xla makes it of barriers, small graphs and reads (2.9, `xla_model.xla_rendezvous`): it is one thing to the script,
and ends no step of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..events import RENDEZVOUS
from .points import around
from .session import current, guarded
from .wrapping import wrap


def install() -> None:
    """Record each as one point; torch_xla has just been imported."""
    import torch_xla.core.xla_model as xm

    if hasattr(xm, "xla_rendezvous"):
        wrap(xm, "xla_rendezvous", _meet)


def _meet(original: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    with around(RENDEZVOUS):
        result = original(*args, **kwargs)
    guarded(current().no_step)
    return result
