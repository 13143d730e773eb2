"""Puts something of ours around a function that a module or a class has: each call of it passes through here."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def wrap(owner: Any, name: str, around: Callable[..., Any]) -> None:
    """Let `owner.name(…)` be ``around(original, …)``, with the name and the signature of the original."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return around(original, *args, **kwargs)

    setattr(owner, name, wrapped)
