"""The table `numbers.toml`: where a Python number that changes from step to step is baked into the graph."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from xlaport.tables import read_table

FILE = Path(__file__).parents[2] / "shapes" / "numbers.toml"

EACH, ONCE = "each", "once"
_KEYS = frozenset("call syntax program place method code setup numbers compiles special computes recipe".split())


@dataclass(frozen=True)
class Construct:
    """One place where a number can stand, as the comment at the top of the table describes it."""

    kind: str
    """``call``, ``syntax`` or ``program``."""
    name: str
    """The qualified name of a function; Python's syntax; what a program shows."""
    parameters: tuple[str, ...]
    """The parameters of a function, in order; `*name` takes all positional arguments that are left."""
    place: str
    method: bool
    code: tuple[str, ...]
    setup: str
    numbers: frozenset[str]
    compiles: str
    special: tuple[int, ...]
    computes: bool
    """Whether the number is computed with, and says no place and no size."""
    recipe: str

    @property
    def is_baked_in(self) -> bool:
        """Whether each value of the number is a graph of its own."""
        return self.compiles == EACH


def construct(table: dict[str, Any]) -> Construct:
    """One entry of the table. Raises `ValueError` for what it cannot mean."""
    (kind,) = (key for key in ("call", "syntax", "program") if key in table)
    unknown = set(table) - _KEYS
    if unknown:
        raise ValueError(f"{table[kind]}: unknown keys {sorted(unknown)}")
    name, parameters = str(table[kind]), tuple[str, ...]()
    if kind == "call":
        name, _, listed = name.rstrip(")").partition("(")
        parameters = tuple(listed.split(", "))
        if table["place"] not in {p.lstrip("*") for p in parameters}:
            raise ValueError(f"{name} has no parameter {table['place']}")
    for code in table["code"]:
        ast.parse(code)
    return Construct(
        kind,
        name,
        parameters,
        table.get("place", ""),
        table.get("method", False),
        tuple(table["code"]),
        table.get("setup", ""),
        frozenset(table.get("numbers", "int float").split()),
        table["compiles"],
        tuple(table["special"]),
        table.get("computes", False),
        table.get("recipe", ""),
    )


@cache
def constructs() -> tuple[Construct, ...]:
    """All entries, in the order of the file."""
    table = read_table(FILE)
    return tuple(construct(entry) for entry in table["construct"])
