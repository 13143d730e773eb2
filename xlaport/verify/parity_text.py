"""A printed line as its text and its numbers, and what kind of number each is.

The text is what two runs have in common: the numbers are taken out, and what says where and when a run was (devices,
paths, addresses, dates) is replaced. A number that tells of time, speed or memory is none to compare.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

_BAR = re.compile(r"\d%\s*\||it/s\b|s/it\b")
"""A progress bar: which of its states are printed depends on the clock."""
_REPLACED = (
    (re.compile(r",?\s*(device='[^']*'|grad_fn=<[^>]*>|requires_grad=True|dtype=[\w.]+)(?=[,)])"), ""),
    (re.compile(r"\btensor\(([^()\[\]]*)\)"), r"\1"),
    (re.compile(r"\b\d{4}-\d\d-\d\d([T _-]\d\d[:-]?\d\d([:-]?\d\d)?([.,]\d+)?)?"), "<time>"),
    (re.compile(r"\b\d+:\d\d(:\d\d)?([.,]\d+)?\b"), "<time>"),
    (re.compile(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} +\d+ <time>( \d{4})?"), "<time>"),
    (re.compile(r"\b0x[0-9a-fA-F]+\b"), "<address>"),
    (re.compile(r"(?<![\w.<])~?/[\w.~+@=-]+(/[\w.~+@=-]*)*"), "<path>"),
    (re.compile(r"\b(cuda|xla|tpu|cpu|gpu)(:\d+)?\b", re.IGNORECASE), "<device>"),
    (re.compile(r"\b(nccl|gloo)\b"), "<device>"),
)  # fmt: skip
_NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|nan\b|inf(?:inity)?\b)", re.IGNORECASE
)
_PADDED = re.compile(r" ?# ?")
"""A number with what fills it up to a width: ``( 9.5)`` and ``(10.5)`` are of one line."""
_NEAR = 40
"""Characters before and behind a number in which a word tells what it is."""
_CLOCK_BEFORE = re.compile(
    r"(?:(?<![a-z])(?:time|times|elapsed|took|duration|dur|eta|speed|throughput|fps|latency|seconds|secs?|ms|pid|port|date"
    r"|timestamp|[a-z]*mem|memory|maintenance|alloc|allocated|reserved|vram|hbm|rss|gpu|gpus|tflops|mfu|flops|uptime)(?![a-z])"
    r"|per.?sec|/\s?s(?:ec)?\b|/sec)[^,;|]*$",
    re.IGNORECASE,
)
_CLOCK_BEHIND = re.compile(
    r"^\s?(?:(?:ns|us|µs|ms|s|secs?|seconds?|min|mins|minutes?|h|hours?|hrs?|[kmg]i?b|bytes|fps|hz|t?flops)\b"
    r"|[a-z]*\s?/\s?(?:s|sec|second)\b|\w+ per sec)",
    re.IGNORECASE,
)
_CLOCK_NAME = re.compile(r"time|elapsed|seconds|speed|throughput|per_sec|fps|latency|memory|(?<![a-z])mem|lapse", re.I)
_SECONDS = re.compile(r"(?<![a-z])(?:data|batch|step|iter)\w* ?[([](?:t|s|sec|ms)[)\]] ?[:=]?\s*$", re.IGNORECASE)
"""A time by its unit alone: ``Data (t): 0.005 Batch (t): 0.061``."""
_LOADING = re.compile(r"(?<![a-z])data\W*$", re.IGNORECASE)
"""Behind a time: ``Time 0.107 Data 0.003``, how long the loop has waited for a batch."""
_SHARE = re.compile(
    r"acc|correct|hits?(?![a-z])|right|match|wrong|errors?(?![a-z])|precision|recall|(?<![a-z])f1|top.?[15k]|score|iou|map",
    re.IGNORECASE,
)
_OF_THE_MACHINE = re.compile(
    r"<device>|cuda|cudnn|gpu|nvidia|device|memory|version|rank|world|worker|warn", re.IGNORECASE
)


@dataclass(frozen=True)
class Number:
    """A number as it was printed. `unit`: what its last digit is worth, 0 where it stands for a whole number.

    `clock`: it tells of time, speed or memory. `share`: words around it say that it counts or averages samples; a
    percentage is one `of` 100, a count that is followed by ``/ 16`` one of 16, and others of 1.
    """

    value: float
    unit: float
    clock: bool
    share: bool
    of: float


@dataclass(frozen=True)
class Line:
    """A line as its text, in which ``#`` stands for a number, and the numbers."""

    text: str
    numbers: tuple[Number, ...]

    @property
    def measures(self) -> bool:
        """Whether it has a number that is computed: one with digits behind the point that no clock tells."""
        return any(number.unit and not number.clock for number in self.numbers)


def is_of_the_machine(text: str) -> bool:
    """Whether it speaks of devices, versions or processes: what a port says otherwise, or not at all."""
    return _OF_THE_MACHINE.search(text) is not None


def tells_a_clock(name: str) -> bool:
    """Whether something of this name is told by a clock, or by a counter of memory."""
    return _CLOCK_NAME.search(name) is not None


def _flat(text: str) -> str:
    """A line of JSON with objects in objects, each number behind all its names: they say what it is."""
    if not (text.startswith("{") and text.endswith("}") and text.count("{") > 1):
        return text
    try:
        whole = json.loads(text)
    except ValueError:
        return text
    return "; ".join(f"{name}: {value}" for name, value in _named(whole, ""))


def _named(value: object, name: str) -> Iterator[tuple[str, object]]:
    if not isinstance(value, dict):
        yield name, value
        return
    for key, inner in value.items():
        yield from _named(inner, f"{name}/{key}" if name else str(key))


@cache
def parsed(text: str) -> Line | None:
    """A printed line; None for a progress bar."""
    if _BAR.search(text):
        return None
    text = _flat(text)
    for pattern, other in _REPLACED:
        text = pattern.sub(other, text)
    found = list(_NUMBER.finditer(text))
    ends = [0, *(match.end() for match in found)]
    starts = [*(match.start() for match in found), len(text)]
    numbers: list[Number] = []
    for at, match in enumerate(found):
        before, behind = text[ends[at] : starts[at]], text[ends[at + 1] : starts[at + 1]]
        number = _number(
            match.group(), before[-_NEAR:], behind[:_NEAR], found[at + 1].group() if found[at + 1 :] else ""
        )
        # `Time 0.2 ( 0.3)` is a time and its mean.
        follows = numbers and numbers[-1].clock and not re.search(r"\w", before)
        if _SECONDS.search(before):
            number = replace(number, clock=True)
        loads = _LOADING.search(before) and any(number.clock for number in numbers)
        numbers.append(replace(number, clock=True) if follows or loads else number)
    return Line(_PADDED.sub("#", " ".join(_NUMBER.sub("#", text).split())), tuple(numbers))


def _number(written: str, before: str, behind: str, following: str) -> Number:
    clock = bool(_CLOCK_BEFORE.search(before) or tells_a_clock(_last_word(before)) or _CLOCK_BEHIND.match(behind))
    percent = behind.lstrip().startswith("%")
    digits, _, power = written.lower().partition("e") if "n" not in written.lower() else ("", "", "")
    _, point, fraction = digits.partition(".")
    unit = 10.0 ** (int(power or 0) - len(fraction)) if point or power or percent else 0.0
    share = percent or bool(_SHARE.search(before)) or bool(re.match(r"\s?/\s?$", behind))
    of = 100.0 if percent else float(following) if re.match(r"\s?/\s?$", behind) and following.isdigit() else 1.0
    return Number(float(written), unit, clock, share, of)


def _last_word(before: str) -> str:
    words = re.findall(r"[A-Za-z_]+", before)
    return words[-1] if words else ""
