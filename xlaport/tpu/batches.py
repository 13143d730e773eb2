"""The largest batch that fits: found by runs of the script with other batches, each compiled, none guessed."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

from xlaport.errors import UserError
from xlaport.verify import VerifyRequest
from xlaport.verify.on_chip import Largest

_STEPS = 8
"""Steps of a run: a graph is steady behind its warm-up."""
_RUNS = 10
"""So many batches are tried, at most."""
_FINE = 8
"""Batches above twice this many are multiples of it."""


def batch_of(request: VerifyRequest, option: str) -> int:
    """The batch that the arguments of a script name by an option; `UserError` where they do not."""
    for place, word in enumerate(request.arguments):
        name, has_value, value = word.partition("=")
        if name == option:
            following = request.arguments[place + 1 : place + 2]
            text = value if has_value else (following[0] if following else "")
            if text.isdigit() and int(text):
                return int(text)
            raise UserError(f"--largest-batch {option}: {text or 'nothing'} stands behind it, and no number above 0")
    raise UserError(f"--largest-batch {option}: give the script that option with a batch: -- {option} 32")


def with_batch(request: VerifyRequest, option: str, batch: int) -> VerifyRequest:
    """The request with another batch, for a few steps."""
    words, is_next = list[str](), False
    for word in request.arguments:
        name, has_value, _ = word.partition("=")
        if is_next:
            word, is_next = str(batch), False
        elif name == option:
            word, is_next = (f"{option}={batch}", False) if has_value else (word, True)
        words.append(word)
    return dataclasses.replace(request, arguments=tuple(words), steps=min(request.steps or _STEPS, _STEPS))


def largest(first: int, limit: float, needed: Callable[[int], float]) -> Largest:
    """The largest batch of which no more is `needed` (bytes) than the `limit`, and what was tried.

    `needed` runs and compiles. Memory grows with the batch in a straight line, nearly: two batches tell where to look.
    """
    known: dict[int, float] = {}

    def fits(batch: int) -> bool:
        if batch not in known:
            known[batch] = needed(batch)
        return known[batch] <= limit

    batch = first
    while not fits(batch) and batch > 1 and len(known) < _RUNS:
        batch = max(1, batch // 2)
    if known[batch] > limit:
        return _told(known, limit)
    above = min((each for each, size in known.items() if size > limit), default=None)
    while len(known) < _RUNS:
        guess = _guess(known, limit, batch, above)
        if guess is None:
            break
        if fits(guess):
            batch = guess
        else:
            above = guess
    return _told(known, limit)


def _guess(known: dict[int, float], limit: float, below: int, above: int | None) -> int | None:
    """The batch to try next, between one that fits and one that does not; None where there is no other."""
    nearest = sorted(known, key=lambda batch: abs(known[batch] - limit))[:2]
    one, other = min(known), max(known)
    if len(nearest) == 2:
        one, other = sorted(nearest)
    slope = (known[other] - known[one]) / (other - one) if other > one else 0.0
    wanted = one + (limit - known[one]) / slope if slope > 0 else below * 2.0
    step = _FINE if below >= 2 * _FINE else 1
    lowest, highest = below + 1, above - 1 if above is not None else below * 16
    guess = min(max(math.floor(wanted), lowest), highest)
    down, up = guess // step * step, -(-lowest // step) * step
    for batch in (down, up):
        if lowest <= batch <= highest and batch not in known:
            return batch
    return None


def _told(known: dict[int, float], limit: float) -> Largest:
    fitting = [batch for batch, size in known.items() if size <= limit]
    return Largest(max(fitting, default=0), tuple(sorted((batch, int(size)) for batch, size in known.items())))
