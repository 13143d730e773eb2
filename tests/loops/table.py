"""The table as a document: one row per program, as it was measured."""

from __future__ import annotations

from collections.abc import Mapping

from .counts import Measured
from .rows import Row

_HEAD = """\
# Loop shapes, ported and measured

Written by `pytest tests/loops --snapshot-update`, on XLA:CPU; checked by `tests/loops/test_loops.py`. Each program in
`shapes/` is ported with `xlaport convert --unsafe` and run beside the original on the CPU.

*Steps* are what the program makes, *barriers* what the port runs a graph at; after a plus, those by which a device
loader, before each batch, runs what was made since the last step (the zero of a sum, for one). *Compiles* are those in
the second half of the steps, and before in brackets; *executions* and *transfers* to the host are per step, in the
second half, outside the steps in which the program shows something; *when it logs* has both for those steps. *Values*
are the losses of each step, final weights, gradients and optimizer state, their types, what shares memory with what,
and what was printed.

The goal is as many barriers as steps, 0 compiles, 1 execution, 0 transfers, equal values.

"""
_COLUMNS = (
    "shape",
    "loop",
    "steps",
    "barriers",
    "compiles",
    "executions",
    "transfers",
    "when it logs",
    "values",
    "goal",
)


def line(name: str, row: Row, found: Measured) -> str:
    """One row. A name may have a word behind it: how it was ported."""
    program, _, how = name.partition(" ")
    met = found.meets_the_goal(row.steps + row.apart)
    goal = "met" if met else f"not for such a loop: {row.nature}" if row.nature else f"open: {row.open}"
    compiles = f"{found.compiles} ({found.warm_up})"
    apart = row.apart if found.barriers > row.apart and not how else 0
    barriers = (
        f"{found.barriers - apart}{f' + {apart}' if apart else ''}{', work left over' if found.left_over else ''}"
    )
    return _line(
        [
            f"`{program}` {how}".strip(), row.loop, str(row.steps), barriers, compiles,
            found.executions, found.transfers, found.logging, found.values, "" if how else goal,
        ]
    )  # fmt: skip


def read(text: str) -> dict[str, str]:
    """The rows of a document, by the names of their programs."""
    lines = (one for one in text.splitlines(keepends=True) if one.startswith("| `"))
    return {one.split(" | ")[0][2:].replace("`", ""): one for one in lines}


def document(rows: Mapping[str, str]) -> str:
    """The whole of it."""
    head = _line(list(_COLUMNS)) + "|" + " --- |" * len(_COLUMNS) + "\n"
    unsafe = [rows[name] for name in sorted(rows) if " " not in name]
    safe = [rows[name] for name in sorted(rows) if " " in name]
    met = sum(row.endswith("| met |\n") for row in unsafe)
    nature = sum("| not for such a loop: " in row for row in unsafe)
    rest = len(unsafe) - met - nature
    return (
        f"{_HEAD}{len(unsafe)} programs: {met} meet the goal, {nature} cannot, {rest} are open.\n\n"
        f"{head}{''.join(unsafe)}\n## Without `--unsafe`, where that makes a difference\n\n{head}{''.join(safe)}"
    )


def _line(parts: list[str]) -> str:
    return "| " + " | ".join(part.replace("|", "\\|").replace("\n", " ") for part in parts) + " |\n"
