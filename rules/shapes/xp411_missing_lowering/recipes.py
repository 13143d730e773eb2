"""The file `recipes.toml`: what to do about the functions that XLA has no kernel for."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from xlaport.tables import read_table

from .lowerings import Function, functions

FILE = Path(__file__).parents[1] / "recipes.toml"

GIVEN, ABSENT, MORE, COMPUTED = "given", "absent", "more", "computed"
"""Conditions of `when`: an argument is given, is not given, is not the number 1, is a tensor of the device."""
_AS_THEY_ARE = frozenset("instead rule kernel_on write rename helper why only_gradient rows where".split())
_KEYS = _AS_THEY_ARE | frozenset("of parameters when snippet only drops tensors numbers safe".split())


@dataclass(frozen=True)
class Recipe:
    """What to do about some functions, as the comment at the top of the file describes it."""

    of: tuple[str, ...]
    """Qualified names."""
    parameters: tuple[str, ...] = ()
    when: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
    instead: str = ""
    snippet: str = ""
    rule: str | None = None
    """The rule that speaks of it; an empty text where no rule can tell. None: XP411."""
    kernel_on: str = ""
    write: str = ""
    rename: str = ""
    helper: str = ""
    only: frozenset[str] = frozenset()
    drops: frozenset[str] = frozenset()
    tensors: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    is_safe: bool = False
    why: str = ""
    only_gradient: bool = False
    """Whether the function itself has a kernel, called so, and its gradient alone has none."""
    rows: bool = False
    """Whether it is meant of rows alone, tensors of three dimensions as `Conv1d` takes them."""
    where: str = ""
    """When the host computes it, as a clause."""

    @property
    def is_reported(self) -> bool:
        """Whether XP411 speaks of it."""
        return self.rule is None and not self.kernel_on


@dataclass(frozen=True)
class Missing:
    """A function that the host computes, and what to do about it: one way for each kind of call."""

    function: Function
    recipes: tuple[Recipe, ...]


def recipe(table: dict[str, Any]) -> Recipe:
    """One entry of the file. Raises `ValueError` for what it cannot mean."""
    unknown = set(table) - _KEYS
    if unknown:
        raise ValueError(f"{table['of'][0]}: unknown keys {sorted(unknown)}")
    parameters = tuple(table["parameters"].split(", ")) if "parameters" in table else ()
    when: list[tuple[str, str | tuple[str, ...]]] = []
    for name, value in table.get("when", {}).items():
        if name not in parameters:
            raise ValueError(f"{table['of'][0]} has no parameter {name}")
        if isinstance(value, list):
            for code in value:
                if code != ABSENT:
                    ast.literal_eval(code)
            value = tuple(value)
        elif value == ABSENT:
            value = (ABSENT,)
        elif value not in (GIVEN, MORE, COMPUTED):
            raise ValueError(f"{table['of'][0]}: {name} cannot be {value}")
        when.append((name, value))
    values: dict[str, Any] = {key: table[key] for key in _AS_THEY_ARE if key in table}
    values |= {key: _names(table, key, parameters) for key in ("only", "drops", "tensors", "numbers")}
    values |= {"snippet": table.get("snippet", "").strip("\n"), "is_safe": table.get("safe", False)}
    return Recipe(tuple(f"torch.{name}" for name in table["of"]), parameters, tuple(when), **values)


def _names(table: dict[str, Any], key: str, parameters: tuple[str, ...]) -> frozenset[str]:
    found = frozenset(table.get(key, "").split())
    if not found <= set(parameters):
        raise ValueError(f"{table['of'][0]} has no parameter {min(found - set(parameters))}")
    return found


@cache
def recipes() -> tuple[Recipe, ...]:
    """All entries, in the order of the file."""
    entries: list[dict[str, Any]] = _document()["recipe"]
    for entry in entries:
        code = entry.get("write", "").replace("{prefix}", "F.").replace("{torch}", "torch").replace("{rest}", "")
        entry.setdefault("instead", "<written>" if code else "<otherwise>")
        for name, text in {**snippets(), "write": code}.items():
            for key in entry.keys() & {"instead", "snippet"}:
                entry[key] = entry[key].replace(f"<{name}>", text.strip("\n"))
    return tuple(recipe(entry) for entry in entries)


def snippets() -> dict[str, str]:
    """Texts that several entries share."""
    found: dict[str, str] = _document()["snippets"]
    return found


@cache
def _document() -> dict[str, Any]:
    return read_table(FILE)


@cache
def missing() -> dict[str, Missing]:
    """What XP411 speaks of, by all the names that it has. A method has a name that begins with a dot."""
    written: dict[str, list[Recipe]] = {}
    for entry in recipes():
        for name in entry.of:
            written.setdefault(name, []).append(entry)
    found: dict[str, Missing] = {}
    for name, function in functions().items():
        chosen = tuple(entry for entry in written.get(name, ()) if entry.is_reported)
        if name not in written and function.is_always:
            chosen = (Recipe((name,), instead=snippets()["otherwise"]),)
        if chosen and not function.raises:
            answered = Missing(function, chosen)
            found |= dict.fromkeys((name, *function.also), answered)
            if function.method:
                found.setdefault(f".{function.method}", answered)
    return found
