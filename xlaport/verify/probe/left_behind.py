"""Parameters that an optimizer goes on to step after the model has got others in their place.

``net.cpu()`` and ``net.to('xla')`` make new Parameter objects where ``.cuda()`` moves the old ones, so that a save of
``net.cpu().state_dict()`` in the middle of a run ends the training: the gradients go to the new parameters, and the
optimizer has the old ones. So does an assigned parameter. A step is counted as lost only if all of it is seen: the
place in the module where the old parameter was has another one, which has just got a gradient and which no optimizer
holds; and the old one has got none since the step before. It is told once the new ones are seen not to change.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..events import LeftBehind, Site
from . import arrivals, frames
from .gradients import Gradient
from .rebuilt import Rebuilt
from .session import current, guarded
from .training import choose, held, optimizers, parameters_of, read, watch
from .wrapping import wrap

_TELL_AT = (2, 3, 10, 30, 100)
"""After so many lost steps, and at the end, it is told how many they are: a process that is killed has no end."""


@dataclass
class _Place:
    """The name in a module that a parameter of an optimizer had, and lost."""

    module: weakref.ref[Any]
    name: str
    how: str
    site: Site | None
    old: weakref.ref[Any]
    gradient: Gradient
    new: weakref.ref[Any] | None = None
    new_gradient: Gradient | None = None

    def renew(self) -> None:
        """The parameter at this place may be another one: what it has by now is no gradient of its own."""
        new = self.now()
        if new is not None and (self.new is None or self.new() is not new):
            self.new, self.new_gradient = weakref.ref(new), Gradient(new)

    def now(self) -> Any:
        """The parameter at this place."""
        return _own(module).get(self.name) if (module := self.module()) is not None else None

    def is_lost(self, elsewhere: set[int]) -> bool:
        """Whether a step now is lost to the old parameter; asked before each step. `elsewhere`: see `held`."""
        old, new = self.old(), self.now()
        if old is None or new is None:
            return False
        gets = self.new is not None and self.new() is new and self.new_gradient and not self.new_gradient.is_old(new)
        lost = gets and self.gradient.is_old(old) and new.requires_grad and id(new) not in elsewhere
        self.new, self.new_gradient, self.gradient = weakref.ref(new), Gradient(new), Gradient(old)
        return bool(lost)


@dataclass
class _State:
    """What is known of one optimizer, and of the parameters that its model has by now."""

    places: list[_Place] = field(default_factory=list)
    rebuilt: Rebuilt = field(default_factory=Rebuilt)
    lost: LeftBehind | None = None
    told: int = 0
    looked: int = 0
    sample: list[Any] = field(default_factory=list)
    values: list[Any] = field(default_factory=list)
    still: bool | None = None
    """Whether they have stayed as they are, as far as they were read: what trains them may be no optimizer of torch."""


_states: weakref.WeakKeyDictionary[Any, _State] = weakref.WeakKeyDictionary()
_moving = threading.local()
_watches_zeroing = False


def install() -> None:
    """Watch what puts parameters into modules, and the steps of optimizers; torch has just been imported."""
    import torch
    from torch.optim import optimizer as module

    def before(optimizer: Any, args: Any, kwargs: Any) -> None:
        if not torch.compiler.is_compiling():
            guarded(_before_step, optimizer)

    arrivals.install()
    wrap(torch.nn.Module, "_apply", _apply)
    wrap(torch.nn.Module, "register_parameter", _register)
    module.register_optimizer_step_pre_hook(before)
    current().at_end.append(_tell_all)


def _apply(original: Callable[..., Any], module: Any, *args: Any, **kwargs: Any) -> Any:
    """A module moves, or changes its dtype; those inside of it do so in the same call."""
    if getattr(_moving, "inside", False):
        return original(module, *args, **kwargs)
    before: list[tuple[Any, str, Any]] = []
    guarded(lambda: before.extend(_held_in(module)))
    _moving.inside = True
    try:
        return original(module, *args, **kwargs)
    finally:
        _moving.inside = False
        if before:
            guarded(_replaced, before, "moved")
        guarded(_arrived, module)
        if _states:
            guarded(_renew)


def _arrived(module: Any) -> None:
    for inner in module.modules():
        arrivals.note(_own(inner).values())


def _held_in(module: Any) -> Iterable[tuple[Any, str, Any]]:
    """The modules in a module, with the names of those of their parameters that an optimizer holds."""
    if not (known := held()):
        return
    for inner in module.modules():
        for name, parameter in _own(inner).items():
            if id(parameter) in known:
                yield inner, name, parameter


def _own(module: Any) -> dict[str, Any]:
    """The parameters of a module itself; none of one that is not built to its end, or is not Python's."""
    known = module.__dict__.get("_parameters")
    return known if isinstance(known, dict) else {}


def _register(original: Callable[..., None], module: Any, *args: Any, **kwargs: Any) -> None:
    """A parameter is given to a module: nearly always one that is new there."""
    name = args[0] if args else kwargs.get("name")
    before = _own(module).get(name) if isinstance(name, str) else None
    original(module, *args, **kwargs)
    guarded(_registered, module, name, before)


def _registered(module: Any, name: str, before: Any) -> None:
    arrivals.note([_own(module).get(name)])
    if before is not None:
        _replaced([(module, name, before)], "set")
        _renew()


def _replaced(before: Iterable[tuple[Any, str, Any]], how: str) -> None:
    """Remember the places at which the parameters of optimizers were, and others are now."""
    gone = [(module, name, old) for module, name, old in before if _own(module).get(name) is not old]
    site = frames.site() if gone else None
    for optimizer in optimizers() if gone else ():
        own = {id(parameter) for parameter in parameters_of(optimizer)}
        for module, name, old in gone:
            if id(old) in own:
                places = _states.setdefault(optimizer, _State()).places
                places.append(_Place(weakref.ref(module), name, how, site, weakref.ref(old), Gradient(old)))
                _watch_zeroing()


def _renew() -> None:
    for state in list(_states.values()):
        for place in state.places:
            place.renew()


def _watch_zeroing() -> None:
    """A gradient that is set to zeros, and not to None, has been written to, and is no new one."""
    global _watches_zeroing
    if not _watches_zeroing:
        from torch.optim import Optimizer

        _watches_zeroing = True
        wrap(Optimizer, "zero_grad", _zero)


def _zero(original: Callable[..., None], optimizer: Any, *args: Any, **kwargs: Any) -> None:
    original(optimizer, *args, **kwargs)
    guarded(_zeroed, optimizer)


def _zeroed(optimizer: Any) -> None:
    for place in _states[optimizer].places if optimizer in _states else ():
        if (old := place.old()) is not None:
            place.gradient = Gradient(old)


def _before_step(optimizer: Any) -> None:
    state = _states.setdefault(optimizer, _State())
    parameters = parameters_of(optimizer)
    lost = _lost(parameters, state) if state.places else []
    new = [place.now() for place in lost] or state.rebuilt.instead(parameters)
    if not new:
        return
    trainable = sum(parameter.requires_grad for parameter in parameters)
    if lost:
        count, how, site, sooner = len({id(place.old()) for place in lost}), lost[0].how, lost[0].site, 0
    else:
        count, how, site, sooner = trainable, "rebuilt", None, 1  # it takes two steps to see it
    watched, before = watch(optimizer), state.lost
    since, steps = (before.since, before.lost) if before else (watched.steps - sooner, sooner)
    state.lost = LeftBehind(watched.index, count, max(count, trainable), since, steps + 1, how, site)
    if not state.sample or any(reference() is None for reference in state.sample):
        state.sample, state.values = choose(new) or choose(new, "cpu"), []
    if all(parameter.device.type == "cpu" for parameter in new):
        _look(state)  # no barrier comes any more


def _lost(parameters: list[Any], state: _State) -> list[_Place]:
    """The places of the parameters that the step that comes is lost to."""
    own = {id(parameter) for parameter in parameters}
    state.places = [place for place in state.places if (old := place.old()) is not None and _stays(place, old, own)]
    elsewhere = held() if state.places else set()
    return [place for place in state.places if place.is_lost(elsewhere)]


def _stays(place: _Place, old: Any, own: set[int]) -> bool:
    """Whether the optimizer still has the old parameter, and the module not again."""
    return id(old) in own and place.now() is not old


def after_barrier() -> None:
    """The pending graph has just been run: what the model has is data now."""
    for state in list(_states.values()):
        _look(state)


def _look(state: _State) -> None:
    """Look if the new parameters have changed, once for each step that is lost, and tell it, at some of these."""
    import torch

    if state.lost is None or not state.sample or state.looked == state.lost.lost or state.still is False:
        return
    if state.values and state.lost.lost not in _TELL_AT:
        return
    now = read(state.sample)
    if now is None:
        return
    state.looked = state.lost.lost
    if state.values:
        state.still = all(torch.equal(a, b) for a, b in zip(state.values, now, strict=True))
        _tell(state)
    else:
        state.values = now


def _tell_all() -> None:
    for state in list(_states.values()):
        _tell(state)


def _tell(state: _State) -> None:
    if state.still and state.lost is not None and state.lost.lost > state.told:
        state.told = state.lost.lost
        current().emit(state.lost)
