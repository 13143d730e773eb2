"""Groups of steps that belong to one loop, their warm-up, and whether what they do grows with the steps.

A train loop and an eval loop end their steps at different lines, compile different graphs, and each needs a
warm-up of its own: one compile with SGD, two with an optimizer that makes its state in the first step (Adam),
up to four with DDP (measured, torch_xla 2.9).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from xlaport.verify.events import Site
from xlaport.verify.steps import Step

QUIET = 2
"""So many steps in a row without a compile end the warm-up, and so many steady steps are the least to
judge.
"""
LONGEST_WARMUP = 5
USUAL_WARMUP = 2
SELDOM = 8
"""A barrier with more steps of other loops than these between its own is no end of a step."""
ENOUGH_UNSETTLED = 6
"""A loop that has not come to rest after so many steps is judged as it is."""


@dataclass(frozen=True)
class Phase:
    """The steps of one loop. `warmup`: how many of them are not judged."""

    site: Site | None
    steps: tuple[Step, ...]
    warmup: int
    proven: bool
    """Whether enough steps ran to say anything."""

    @property
    def steady(self) -> tuple[Step, ...]:
        """The steps after warm-up; none where too few ran to know."""
        return self.steps[self.warmup :] if self.proven else ()

    @property
    def trains(self) -> bool:
        """Whether an optimizer steps in it."""
        return any(step.optimizer_steps for step in self.steps)

    @property
    def span(self) -> int:
        """How many steps of all loops there are from its first steady step to its last."""
        return self.steady[-1].number - self.steady[0].number + 1 if self.steady else 0

    @property
    def is_seldom(self) -> bool:
        """Whether it is a part of a loop around others, and none of its own: what ends an epoch."""
        numbers = [step.number for step in self.steady]
        apart = [after - before for before, after in itertools.pairwise(numbers)]
        return bool(apart) and min(apart) > SELDOM

    @property
    def ends(self) -> frozenset[int]:
        """The last steps of the passes: of several steps of this loop, one behind the other."""
        numbers = {step.number for step in self.steps}
        return frozenset(number for number in numbers if number - 1 in numbers and number + 1 not in numbers)

    @property
    def needed(self) -> int:
        """How many steps it takes, at least, before it can be judged."""
        return max(len(self.steps) + 1, USUAL_WARMUP + QUIET)


def phases(steps: Sequence[Step]) -> tuple[Phase, ...]:
    """The loops of a run, in the order in which they first appear."""
    groups: dict[tuple[str, int] | None, list[Step]] = {}
    for step in steps:
        key = (step.site.path, step.site.line) if step.site else None
        groups.setdefault(key, []).append(step)
    return tuple(_phase(group) for group in groups.values())


def main_phase(all_phases: Sequence[Phase]) -> Phase | None:
    """The loop that the verdict speaks of: the one that trains most, else the longest."""
    return max(
        all_phases,
        key=lambda phase: (sum(step.optimizer_steps for step in phase.steps), len(phase.steps)),
        default=None,
    )


def _phase(steps: list[Step]) -> Phase:
    compiled = [bool(step.added.compiles) for step in steps]
    for warmup in range(min(LONGEST_WARMUP, len(steps) - QUIET) + 1):
        if not any(compiled[warmup : warmup + QUIET]):
            return Phase(steps[0].site, tuple(steps), warmup, proven=True)
    return Phase(steps[0].site, tuple(steps), USUAL_WARMUP, proven=len(steps) >= ENOUGH_UNSETTLED)


def grows(compiled: Sequence[bool]) -> bool:
    """Whether compiles grow with the steps, as against a bounded set of graphs that has been seen.

    `compiled` says of each steady step whether it compiled. A ragged last batch, a log step or a second
    bucket compile once each and then never again. What still compiles in the last third, more often than one
    step in eight, grows; so does what compiles five times and in every quarter, however seldom.
    """
    count, length = sum(compiled), len(compiled)
    if not count:
        return False
    quarters = [compiled[length * part // 4 : length * (part + 1) // 4] for part in range(4)]
    if count >= 5 and all(any(quarter) for quarter in quarters):
        return True
    # Two kinds of batch times two kinds of scalar (an lr of 1.0 is a constant of its own) make three late graphs.
    allowed = 1 if length < 6 else 2 if length < 12 else max(3, length // 8)
    return count > allowed and any(compiled[-max(1, length // 3) :])
