"""Whether the model of an optimizer has gone, and another one like it is trained without an optimizer.

``net = Net().to(device)`` in the middle of a run leaves the optimizer with parameters of a model that nobody has any
more. No call tells so: what does is that its parameters get no gradients from one step to the next. Only then, and
seldom, all modules that there are get looked at.
"""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from typing import Any

from . import arrivals
from .gradients import Gradient
from .training import held


class Rebuilt:
    """What is known of one optimizer: asked before each of its steps."""

    def __init__(self) -> None:
        self._first: tuple[weakref.ref[Any], Gradient] | None = None
        self._before = 0
        self._idle = 0
        self._old: list[Gradient] = []
        self._new: list[tuple[weakref.ref[Any], Gradient]] = []
        self._proven = False

    def instead(self, parameters: list[Any]) -> list[Any]:
        """The parameters that get gradients in place of these, if the step that comes is lost to all of these."""
        if not self._is_idle(parameters):
            self._before = arrivals.count()
            self._old, self._new, self._proven = [], [], False
            return []
        trainable = [parameter for parameter in parameters if parameter.requires_grad]
        found = self._trained(trainable)
        self._proven = bool(found)
        if found:
            self._new = [(weakref.ref(item), Gradient(item)) for item in found]
        else:
            self._old, self._new = [], []
            self._idle += 1
            if self._idle & (self._idle - 1) == 0:  # 1, 2, 4, 8 …: to look at all objects takes a tenth of a second
                self._begin(trainable)
        return found

    def _is_idle(self, parameters: list[Any]) -> bool:
        """Whether the parameters had gradients once, and have got none since the step before, by one of them."""
        known = self._first
        one = known[0]() if known else None
        if known and one is not None and known[1].is_old(one):
            other = next((item for item in parameters if item is not one and item.grad is not None), None)
            if one.grad is not None or other is None:
                return True
        one = next((item for item in parameters if item.grad is not None), None)
        self._first = (weakref.ref(one), Gradient(one)) if one is not None else None
        return False

    def _begin(self, trainable: list[Any]) -> None:
        """Remember what is there now, to be compared before the next step."""
        if not all(arrivals.number(parameter) for parameter in trainable):
            return  # what has never been a module's, such as the copy that a library keeps in a higher precision
        elsewhere = held()
        came = [item for item in arrivals.since(self._before) if item.requires_grad and item.grad is not None]
        self._new = [(weakref.ref(item), Gradient(item)) for item in came if id(item) not in elsewhere]
        self._old = [Gradient(parameter) for parameter in trainable]

    def _trained(self, trainable: list[Any]) -> list[Any]:
        if not self._new or len(self._old) != len(trainable):
            return []
        if not all(old.is_old(parameter) for old, parameter in zip(self._old, trainable, strict=True)):
            return []
        elsewhere = held()
        pairs = [(parameter, gradient) for new, gradient in self._new if (parameter := new()) is not None]
        trained = [item for item, gradient in pairs if id(item) not in elsewhere and not gradient.is_old(item)]
        if Counter(tuple(item.shape) for item in trainable) - Counter(tuple(item.shape) for item in trained):
            return []  # another model, and not this one built anew
        return trained if self._proven or _is_of_no_module(trainable) else []


def _is_of_no_module(parameters: list[Any]) -> bool:
    """Whether no module has any of these."""
    import torch

    if gc.get_freeze_count():
        return False  # frozen objects cannot be looked at
    wanted = {id(parameter) for parameter in parameters}
    for thing in gc.get_objects():
        if issubclass(type(thing), torch.nn.Module):
            there = (getattr(thing, "_parameters", None) or {}).values()  # none: it is not built to its end
            if any(id(parameter) in wanted for parameter in there):
                return False
    return True
