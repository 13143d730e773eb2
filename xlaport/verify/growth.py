"""Graphs that are larger in each step: what a step leaves behind becomes a part of the next one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from xlaport.verify.steps import Step

_LEAST = 4
"""So many steps in a row, each with a larger graph than the one before, are no chance."""

ADVICE = (
    "keep nothing of a step that is not computed: total += loss.detach() before the barrier, "
    "history.append(loss.item()) behind it, no tensor with a gradient in a list"
)


def added_nodes(steps: Sequence[Step]) -> int | None:
    """By how many nodes the graph grows from step to step; None where it does not.

    `steps` are those that compiled. A graph that grows is compiled in every step, so these are neighbours.
    """
    sizes = [step.added.nodes // step.added.executions for step in steps if step.added.executions]
    if len(sizes) < _LEAST or any(b <= a for a, b in itertools.pairwise(sizes)):
        return None
    numbers = [step.number for step in steps]
    if numbers[-1] - numbers[0] > 2 * len(numbers):
        return None
    return (sizes[-1] - sizes[0]) // (len(sizes) - 1)
