"""The table `not_on_xla.toml`: what PyTorch has and XLA has not."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from xlaport.tables import read_table

FILE = Path(__file__).parents[2] / "shapes" / "not_on_xla.toml"
RAISES, DIFFERS = "raises", "differs"
_KINDS = ("function", "method", "attribute", "keyword")
_KEYS = frozenset("code outcome error why recipe helper right_for".split())


@dataclass(frozen=True)
class Missing:
    """One entry, as the comment at the top of the table describes it."""

    kind: str
    name: str
    code: str
    outcome: str
    error: str
    why: str
    recipe: str
    right_for: int | None
    helper: str = ""

    @property
    def lacks_gradient(self) -> bool:
        """Whether XLA has it, and only `backward()` fails."""
        return ".backward()" in self.code


def entry(table: dict[str, Any]) -> Missing:
    """One entry of the table. Raises `ValueError` for what it cannot mean."""
    (kind,) = (key for key in _KINDS if key in table)
    unknown = set(table) - _KEYS - {kind}
    if unknown or table["outcome"] not in (RAISES, DIFFERS) or (table["outcome"] == RAISES) != ("error" in table):
        raise ValueError(f"{table[kind]}: unknown keys {sorted(unknown)}, or no outcome with its error")
    ast.parse(table["code"], mode="eval")
    said = (table.get("error", ""), table["why"], table["recipe"])
    return Missing(
        kind, table[kind], table["code"], table["outcome"], *said, table.get("right_for"), table.get("helper", "")
    )


@cache
def missing() -> tuple[Missing, ...]:
    """All entries, in the order of the file."""
    return tuple(entry(table) for table in read_table(FILE)["missing"])
