"""The table `sizes.toml`: functions whose result has as many elements as the data says."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from xlaport.tables import read_table

from ..._lib.shapes.constructs import EACH

FILE = Path(__file__).parents[1] / "sizes.toml"

ALONE = "alone"
_KEYS = frozenset("call needs method code compiles waits falls_back recipe inverse instead".split())


@dataclass(frozen=True)
class Sized:
    """One function, as the comment at the top of the table describes it."""

    name: str
    """The qualified name."""
    parameters: tuple[str, ...]
    needs: tuple[str, ...]
    method: bool
    code: tuple[str, ...]
    compiles: str
    waits: int
    falls_back: tuple[str, ...]
    recipe: str
    instead: tuple[str, ...]
    inverse: str | None = None

    @property
    def is_alone(self) -> bool:
        """Whether the function is meant with one argument only."""
        return ALONE in self.needs

    @property
    def tensor(self) -> tuple[str, ...]:
        """The parameters for which a tensor has to be passed."""
        return tuple(need.removeprefix("tensor ") for need in self.needs if need.startswith("tensor "))

    @property
    def without(self) -> tuple[str, ...]:
        """The parameters for which nothing may be passed."""
        return tuple(need.removeprefix("no ") for need in self.needs if need.startswith("no "))

    @property
    def compiles_for_each(self) -> bool:
        """Whether each size is a graph of its own."""
        return self.compiles == EACH


def sized(table: dict[str, Any]) -> Sized:
    """One entry of the table. Raises `ValueError` for what it cannot mean."""
    name, _, listed = str(table["call"]).rstrip(")").partition("(")
    unknown = set(table) - _KEYS
    if unknown:
        raise ValueError(f"{name}: unknown keys {sorted(unknown)}")
    parameters = tuple(listed.split(", "))
    needs = tuple(table.get("needs", ()))
    strange = {need.rpartition(" ")[2] for need in needs if need != ALONE} - set(parameters)
    if strange:
        raise ValueError(f"{name} has no parameters {sorted(strange)}")
    for code in (*table["code"], *table["instead"]):
        ast.parse(code)
    return Sized(
        name, parameters, needs, table.get("method", False), tuple(table["code"]), table["compiles"], table["waits"],
        tuple(table["falls_back"]), table["recipe"], tuple(table["instead"]),
        table.get("inverse"),
    )  # fmt: skip


@cache
def functions() -> tuple[Sized, ...]:
    """All entries, in the order of the file."""
    table = read_table(FILE)
    return tuple(sized(entry) for entry in table["function"])


@cache
def by_name() -> dict[str, tuple[Sized, ...]]:
    """The entries by their names; methods stand under ``.name``, without their tensor."""
    found: dict[str, list[Sized]] = {}
    for function in functions():
        found.setdefault(function.name, []).append(function)
        if function.method:
            found.setdefault(f".{function.name.rpartition('.')[2]}", []).append(function)
    return {name: tuple(several) for name, several in found.items()}
