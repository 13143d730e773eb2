"""What the counts of one run come to: a row of the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Measured:
    """One port as it was measured; the texts are the cells of its row."""

    barriers: int
    compiles: int
    """In the second half of the steps: all phases of a program have been seen by then."""
    warm_up: int
    executions: str
    transfers: str
    logging: str
    """Executions and transfers in the steps in which the program shows something."""
    left_over: bool
    """The last steps left work that no barrier has run."""
    values: str

    def meets_the_goal(self, barriers: int) -> bool:
        """As many barriers as there should be, and (0, 1, 0) outside the steps in which the program shows something."""
        counts = (self.barriers, self.compiles, self.executions, self.transfers, self.left_over, self.values)
        return counts == (barriers, 0, "1", "0", False, "equal")


def measured(observation: dict[str, Any], differences: Sequence[str]) -> Measured:
    """The row of a port, given what distinguishes it from the original."""
    if "error" in observation:
        return Measured(0, 0, 0, "", "", "", False, observation["error"].strip().splitlines()[-1])
    counts = observation["counts"]
    intervals = counts["intervals"]
    steady = intervals[len(intervals) // 2 :]
    quiet = [i for i in steady if not i["logged"]]
    loud = [(i["executions"], i["transfers"]) for i in steady if i["logged"]]
    values = "; ".join(differences[:1]) or "equal"
    if counts["fallbacks"]:
        values += f"; falls back to the host: {' '.join(counts['fallbacks'])}"
    return Measured(
        len(intervals),
        sum(i["compiles"] for i in steady),
        sum(i["compiles"] for i in intervals) - sum(i["compiles"] for i in steady),
        _often(i["executions"] for i in quiet),
        _often(i["transfers"] for i in quiet),
        _often(f"{executions} + {transfers}" for executions, transfers in loud),
        counts["left_over"],
        values,
    )


def _often(values: Iterable[Any]) -> str:
    """The values, and how often, where they are not all the same."""
    found = Counter(values)
    if len(found) <= 1:
        return "".join(str(value) for value in found)
    return ", ".join(f"{value} ({n}x)" for value, n in sorted(found.items()))
