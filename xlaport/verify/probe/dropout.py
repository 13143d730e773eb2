"""Dropout in whatever form it is called: noticed, and turned off on request.

With probability 0 each of these functions returns what it is given, and draws nothing. The host draws a mask in the
order in which a tensor lies in memory, the device in that of its elements: what attention hands on transposed would get
another mask there. So it is drawn for a contiguous tensor here.
"""

from __future__ import annotations

import functools
from typing import Any

from .notices import notice
from .session import guarded

_PLAIN = (
    "dropout",
    "dropout_",
    "feature_dropout",
    "feature_dropout_",
    "alpha_dropout",
    "alpha_dropout_",
    "feature_alpha_dropout",
    "feature_alpha_dropout_",
)
"""Called as ``name(input, p, train)``, in `torch` and `torch._VF`."""
_RECURRENT = ("lstm", "gru", "rnn_tanh", "rnn_relu")
"""Of `torch._VF`; the probability is the only float among the arguments, and `train` comes behind it."""


def install(off: bool) -> None:
    """Put the wrappers in place; torch has just been imported."""
    import torch
    from torch.nn import functional

    for home in (torch, torch._VF):
        for name in _PLAIN:
            if hasattr(home, name):
                setattr(home, name, _plain(getattr(home, name), off, is_in_place=name.endswith("_")))
    for name in _RECURRENT:
        setattr(torch._VF, name, _recurrent(getattr(torch._VF, name), off))
    functional.scaled_dot_product_attention = _attention(functional.scaled_dot_product_attention, off)


def _probability(p: float, train: bool, off: bool) -> float:
    if p and train:
        guarded(notice, "dropout", "off" if off else "on")
    return 0.0 if off else p


def _plain(original: Any, off: bool, is_in_place: bool) -> Any:
    @functools.wraps(original)
    def dropped(input: Any, p: float, train: bool) -> Any:
        probability = _probability(p, train, off)
        draws = probability and train and not is_in_place
        return original(input.contiguous() if draws else input, probability, train)

    return dropped


def _attention(original: Any, off: bool) -> Any:
    @functools.wraps(original)
    def dropped(
        query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, *args: Any, **kwargs: Any
    ) -> Any:
        p = _probability(dropout_p, True, off)
        return original(query, key, value, attn_mask, p, *args, **kwargs)

    return dropped


def _recurrent(original: Any, off: bool) -> Any:
    @functools.wraps(original)
    def dropped(*args: Any, **kwargs: Any) -> Any:
        at = next((place for place, item in enumerate(args) if isinstance(item, float)), None)
        if at is None:
            return original(*args, **kwargs)
        p = _probability(args[at], bool(args[at + 1]), off)
        return original(*args[:at], p, *args[at + 1 :], **kwargs)

    return dropped
