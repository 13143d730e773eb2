"""Do both save the same files, with the same values in them?"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence

from xlaport.verify.events import FileSeen, Trace, ValueSeen
from xlaport.verify.parity_lines import is_cut
from xlaport.verify.parity_noise import Noise
from xlaport.verify.parity_text import is_of_the_machine, tells_a_clock
from xlaport.verify.saying import say
from xlaport.verify.verdict import VerdictFinding, finding

_NAMED = 4
_DRAWS = ("rng", "random", "seed", "generator")
"""Parts of names under which the states of random generators are saved: those of a TPU are others."""

_ROUNDING = 0.1
"""What a rounding moves so far is nothing else: the momentum of a gradient that is 0, such as that of a bias before a
BatchNorm."""

_HALF, _BFLOAT16 = 2**-10, 2**-7
"""How far two neighbours of these types are apart, relative: what two roundings of nearly the same may come to."""

Key = tuple[str, int, str]


def values_of(trace: Trace) -> dict[Key, ValueSeen]:
    """What a run has saved, by file, number of the save, and name without what wraps a model."""
    found = (event for event in trace.events if isinstance(event, ValueSeen))
    return {(item.path, item.number, item.key.replace("module.", "")): item for item in found}


def files_of(trace: Trace) -> dict[str, FileSeen]:
    """The files that a run has written."""
    return {event.path: event for event in trace.events if isinstance(event, FileSeen)}


def different_files(original: Trace, port: Trace, noise: Noise, rounding: Trace | None) -> Iterator[VerdictFinding]:
    """The first value of each file that differs, the files that only the original has, and what is not compared."""
    mine, its = files_of(original), files_of(port)
    third = files_of(rounding) if rounding else mine
    # A run that is ended may end before what it saves.
    if not is_cut(original, port):
        for path, file in mine.items():
            if path not in its and path in third and file.how != "unknown" and not is_of_the_machine(path):
                yield finding(say("parity.unsaved", path=path), "fail", file.site, count=1)
    yield from _values(original, port, noise, rounding)
    unknown = sorted(path for path, file in mine.items() if file.how == "unknown" and path in its)
    if unknown:
        more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
        yield finding(say("parity.unknown_files", files=", ".join(unknown[:_NAMED]) + more), "note")


def _values(original: Trace, port: Trace, noise: Noise, rounding: Trace | None) -> Iterator[VerdictFinding]:
    mine, its = values_of(original), values_of(port)
    third = values_of(rounding) if rounding else {}
    saves = {(path, number) for path, number, _ in its}
    told: set[str] = set()
    for key, one in mine.items():
        path, number, name = key
        if path in told or (path, number) not in saves or _is_skipped(name):
            continue
        other, again = its.get(key), third.get(key)
        if rounding is not None and again is None:
            continue
        found = _lost(one) if other is None else _different(one, other, again, noise)
        if found is not None:
            told.add(path)
            yield found


def _is_skipped(name: str) -> bool:
    lower = name.lower()
    return tells_a_clock(name) or is_of_the_machine(name) or any(part in lower for part in _DRAWS)


def _lost(one: ValueSeen) -> VerdictFinding | None:
    """A tensor that the port does not save: of a number, it may be a setting that a TPU does not have."""
    said = say("parity.unsaved_value", path=one.path, name=one.key)
    return finding(said, "fail", one.site, count=1) if one.shape else None


def _different(one: ValueSeen, other: ValueSeen, again: ValueSeen | None, noise: Noise) -> VerdictFinding | None:
    if one.shape != other.shape:
        said = say("parity.saved_shape", path=one.path, name=one.key, original=list(one.shape), port=list(other.shape))
        return finding(said, "fail", other.site, count=1)
    moved = _apart(one, again) if again is not None else 0.0
    if moved >= _ROUNDING or (not one.shape and noise.is_clock(moved, one.step)):
        return None
    allowed = max(_allowed(one, noise), noise.times * moved, _grain((*one.values, *other.values)) if one.shape else 0.0)
    apart = _apart(one, other)
    if apart <= allowed:
        return None
    said = say("parity.saved", path=one.path, name=one.key, step=one.step, apart=apart, allowed=allowed)
    return finding(said, "fail", other.site, count=1)


def _allowed(one: ValueSeen, noise: Noise) -> float:
    known = noise.of_parameter(one.key.rpartition("/")[2].removeprefix("module."))
    return max(noise.of_tensors, noise.allowed(one.step)) if known is None else known


def _grain(values: Sequence[float]) -> float:
    """How far apart two roundings may be where values are saved in half a precision, as `.half()` leaves them."""
    if all(value.is_integer() for value in values if math.isfinite(value)):
        return 0.0  # counts, which are exact
    kinds = ((_HALF, _is_half), (_BFLOAT16, _is_bfloat16))
    return next((grain for grain, fits in kinds if all(map(fits, values))), 0.0)


def _is_half(value: float) -> bool:
    try:
        return not math.isfinite(value) or struct.unpack("<e", struct.pack("<e", value))[0] == value
    except OverflowError:
        return False


def _is_bfloat16(value: float) -> bool:
    try:
        narrow = struct.pack("<f", value)
    except OverflowError:
        return False
    return not math.isfinite(value) or (narrow[:2] == b"\0\0" and struct.unpack("<f", narrow)[0] == value)


def _apart(one: ValueSeen, other: ValueSeen) -> float:
    """How far apart, relative to the larger one: by the elements that were recorded, and by all."""
    if one.values == other.values and one.norm == other.norm:
        return 0.0
    pairs: Sequence[tuple[float, float]] = list(zip(one.values, other.values, strict=False))
    if any(math.isfinite(x) != math.isfinite(y) for x, y in pairs):
        return math.inf
    finite = [(x, y) for x, y in pairs if math.isfinite(x)]
    size = max(math.hypot(*(x for x, _ in finite)), math.hypot(*(y for _, y in finite)))
    by_elements = math.hypot(*(x - y for x, y in finite)) / size if size else 0.0
    norms = max(one.norm, other.norm)
    by_norm = abs(one.norm - other.norm) / norms if norms and math.isfinite(norms) else 0.0
    return max(by_elements, by_norm)
