"""Why operations were compiled in a step: which of them got something new, and which only what followed from that.

An operation is compiled for the shapes of what it gets, and for some of its numbers. The first one in a step that gets
another shape than before is a cause. One behind it whose sizes have changed by as much, or in the same proportion, is a
consequence of it, as all are in the backward pass of that step: what is to be changed is the line of the first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...differences import BOUNDS, DATA, GROWTH, LAST_BATCH, NUMBER, SHAPE
from ...dynamo import shape_text
from ...events import Counts, Point, Site
from .. import compiled, frames, loading
from ..session import current
from ..variables import Variables

_REMEMBERED = 64
"""Compiled calls that are kept, for each operation."""
_EXPLAINED = 12
"""Causes that are looked into, per line: after so many it is clear that they do not end."""
_MOST = 24
"""Tensors and numbers of a call that are looked at."""

_Pair = tuple[int, int]
"""A size as it was and as it is."""
_Part = tuple[int, tuple[int, ...]]
"""Where a tensor begins in the memory that it is a part of, and how far its elements are apart."""


@dataclass(frozen=True)
class _Call:
    """One call that was compiled: of which operation, where, and what it got and gave."""

    site: Site | None
    inputs: tuple[str, ...]
    numbers: tuple[float, ...]
    parts: tuple[_Part, ...]
    outputs: tuple[str, ...]


@dataclass
class _Cause:
    """What made operations be compiled in the step that is open. `pairs`: the sizes that it has changed."""

    site: Site | None
    offset: int
    words: str | None
    kind: str
    pairs: list[_Pair] = field(default_factory=list)
    backward: str | None = None
    compiles: int = 0
    seconds: float = 0.0
    thread: int = 0
    is_first: bool = False
    """Whether the operation was compiled for the first time there."""


_calls: defaultdict[str, list[_Call]] = defaultdict(list)
_explained: defaultdict[Site | None, int] = defaultdict(int)
_grown: dict[tuple[Site | None, str], tuple[str, int]] = {}
"""The shape that an operation in a line got at last, and by how much it was longer than the one before."""
_open: list[_Cause] = []
"""The causes in this step."""
_passed: set[tuple[Site | None, int]] = set()
"""Where a loop may have come to the end of a pass since then: where a value was read, or a compiled function called."""
_new: list[tuple[str, _Call]] = []
"""What was compiled in this step: other layers, which run in the same line, are nothing that it was before."""


def compiled_for(operation: str, arguments: Iterable[Any], result: Any, count: int, seconds: float) -> None:
    """A call of an operation was compiled, in so many programs."""
    tensors, numbers = _parts(arguments)
    shapes, outputs = (tuple(filter(None, map(shape_text, found))) for found in (tensors, _parts([result])[0]))
    backward = backward_node()
    parts = tuple((tensor.storage_offset(), tuple(tensor.stride())) for tensor in tensors)
    call = _Call(frames.site(), shapes, numbers, parts, outputs)
    cause = _cause(operation, call, backward)
    cause.compiles, cause.seconds = cause.compiles + count, cause.seconds + seconds
    _new.append((operation, call))


def tell() -> None:
    """Write down what has been compiled so far in this step."""
    for cause in _open:
        if cause.compiles:
            current().emit(
                Point(
                    "op",
                    cause.site,
                    Counts(compiles=cause.compiles),
                    cause.backward,
                    cause.words,
                    seconds=round(cause.seconds, 4),
                    thread=cause.thread,
                    cause=cause.kind,
                    place=cause.site if cause.words else None,
                    offset=cause.offset,
                )
            )
            cause.compiles, cause.seconds = 0, 0.0


def passes(site: Site | None) -> None:
    """A value is read, or a compiled function was called: where that comes again, a loop has no other end of a pass."""
    place = (site, frames.offset())
    if place in _passed:
        step_ended()
    _passed.add(place)


def step_ended() -> None:
    """What comes now is of another step."""
    tell()
    _passed.clear()
    for operation, call in _new:
        known = _calls[operation]
        known.append(call)
        del known[:-_REMEMBERED]
    _new.clear()
    _open.clear()


def _cause(operation: str, call: _Call, backward: str | None) -> _Cause:
    old = _before(operation, call)
    pairs = list(_changed(old, call)) if old else []
    new = old is not None and (bool(pairs) or old.numbers != call.numbers or old.parts != call.parts)
    shaped = [cause for cause in _open if cause.pairs]
    if shaped and (backward or new):
        known = next((cause for cause in shaped if all(_follows(pair, cause.pairs) for pair in pairs)), None)
        if known or backward:
            return known or shaped[0]
    if not new:  # reached for the first time, as are lines behind it; or it cannot be told why
        alike = (cause for cause in _open if not cause.words and cause.is_first == (old is None))
        same = next((cause for cause in alike if cause.is_first or cause.site == call.site), None)
        if same:
            return same
    words, kind = _told(operation, old, call) if old and new else (None, "")
    thread, offset = frames.thread(), frames.offset()
    cause = _Cause(call.site, offset, words, kind, pairs, backward, thread=thread, is_first=old is None)
    _open.append(cause)
    return cause


def _before(operation: str, call: _Call) -> _Call | None:
    """The call that this one is most like, of the same line, or of another one if but one size has changed."""
    alike = [other for other in reversed(_calls[operation]) if _is_alike(other, call)]
    here = [other for other in alike if other.site == call.site]
    if here:
        return min(here, key=lambda other: len(set(_changed(other, call))))
    return next((other for other in alike if len({*_changed(other, call)}) == 1), None)


def _is_alike(other: _Call, call: _Call) -> bool:
    """Whether two calls differ in sizes and numbers alone."""
    both = zip((*other.inputs, *other.outputs), (*call.inputs, *call.outputs), strict=False)
    lengths = [(len(c.inputs), len(c.outputs), len(c.numbers)) for c in (other, call)]
    return lengths[0] == lengths[1] and all(_kind(a) == _kind(b) for a, b in both)


def _kind(shape: str) -> tuple[str, int]:
    return shape.partition("[")[0], len(_sizes(shape))


def _sizes(shape: str) -> list[int]:
    return [int(size) for size in re.findall(r"(?<=[\[,])\d+", shape)]


def _changed(old: _Call, new: _Call) -> Iterator[_Pair]:
    """The sizes in which two calls differ."""
    for before, after in zip((*old.inputs, *old.outputs), (*new.inputs, *new.outputs), strict=True):
        yield from ((a, b) for a, b in zip(_sizes(before), _sizes(after), strict=True) if a != b)


def _follows(pair: _Pair, pairs: Sequence[_Pair]) -> bool:
    """Whether a size has changed by as much as one of some others, or in the same proportion."""
    old, new = pair
    return any(new - old == after - before or old * after == new * before for before, after in pairs)


def _told(operation: str, old: _Call, new: _Call) -> tuple[str, str]:
    """How a call differs from an older one, in words, and as one of the kinds of `differences`."""
    _explained[new.site] += 1
    variables = Variables() if _explained[new.site] <= _EXPLAINED else None
    lines = [(new.site.path, new.site.line)] if new.site else []
    inputs = [(a, b) for a, b in zip(old.inputs, new.inputs, strict=True) if a != b]
    if inputs:
        before, after = inputs[0]
        named = variables.tensor(after, lines) if variables else None
        who = named or f"an input of `{operation}`"
        words, longer = f"{who}: {before} became {after}", compiled.longer(before, after)
        last, place = loading.last_batch(before, after), (new.site, operation)
        was, _grown[place] = _grown.get(place), (after, longer)
        if last:
            return f"{words}, {last}", LAST_BATCH
        if longer and was == (before, longer):
            return f"{words}, longer every time", GROWTH
        return words, SHAPE
    numbers = [(a, b) for a, b in zip(old.numbers, new.numbers, strict=True) if a != b]
    if numbers:
        (before_number, now), *_ = numbers
        number = variables.number(now, lines) if variables else None
        called = f"{number}, a Python number" if number else "a Python number"
        return f"{before_number:g} became {now:g}: {called}, given to `{operation}`", NUMBER
    sizes = [(a, b) for a, b in zip(old.outputs, new.outputs, strict=True) if a != b]
    if sizes:
        return f"`{operation}` gave {sizes[0][0]} and gives {sizes[0][1]}: as large as the data says", DATA
    (was_at, _), (is_at, _) = next((a, b) for a, b in zip(old.parts, new.parts, strict=True) if a != b)
    if was_at != is_at:
        return f"`{operation}` gets a part of a tensor, from element {is_at} on, and from {was_at} on before", BOUNDS
    return f"an input of `{operation}` has another memory layout (a transpose, or a slice of another tensor)", SHAPE


def _parts(values: Iterable[Any]) -> tuple[list[Any], tuple[float, ...]]:
    """The tensors and the numbers among values, in lists, too."""
    import torch

    tensors, numbers = list[Any](), list[float]()
    for value in values:
        if isinstance(value, torch.Tensor):
            tensors.append(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            numbers.append(float(value))
        elif isinstance(value, list | tuple):
            inner, more = _parts(value[:_MOST])
            tensors, numbers = tensors + inner, numbers + list(more)
    return tensors[:_MOST], tuple(numbers[:_MOST])


def backward_node() -> str | None:
    """Which node of the backward pass runs in this thread."""
    import torch

    node = torch._C._current_autograd_node()
    return node.name() if node is not None else None
