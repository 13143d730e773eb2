"""The one reading of a project's settings: ``[tool.xlaport]`` of its ``pyproject.toml``, or its ``xlaport.toml``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlaport.errors import UserError

OWN = "xlaport.toml"
SHARED = "pyproject.toml"


@dataclass(frozen=True)
class Section:
    """The keys of one table, and where it stands."""

    file: Path
    header: str
    """As it is written above the keys, without brackets; empty for the top of a file of its own."""
    values: Mapping[str, Any]

    @property
    def where(self) -> str:
        """For messages."""
        return f"{self.file}, [{self.header}]" if self.header else str(self.file)

    def inner(self, key: str) -> Section:
        """The table below a key; empty, where there is none. Raises `UserError` for what is no table."""
        table = self.values.get(key, {})
        header = f"{self.header}.{key}" if self.header else key
        if not isinstance(table, dict):
            raise UserError(f"{self.file}: {header} is a table: write [{header}], and its keys below it")
        return Section(self.file, header, table)

    def refuse_others(self, keys: Collection[str]) -> None:
        """Raise `UserError` for a key that is none of `keys`, with the one that may be meant."""
        for key in self.values:
            if key not in keys:
                import difflib  # (seldom needed, and slow to load)

                near = difflib.get_close_matches(key, keys, 1)
                hint = f"did you mean {near[0]}?" if near else f"it may have {', '.join(keys)}"
                raise UserError(f"{self.where} has no key {key}: {hint}")

    def refuse_wrong(self, kinds: Mapping[str, Kind]) -> None:
        """Raise `UserError` for a value that its key cannot have."""
        for key, value in self.values.items():
            if key in kinds and not kinds[key].admits(value):
                raise UserError(f"{self.where}: {key} is {kinds[key].told(key, value)}")


@dataclass(frozen=True)
class Kind:
    """What the values of a key are."""

    admits: Callable[[object], bool]
    told: Callable[[str, object], str]
    """What the value of a key is, and how it is written."""


def number(kind: type, least: float) -> Kind:
    """A number, or a whole number."""
    kinds = (int,) if kind is int else (int, float)
    name = "whole number" if kind is int else "number"

    def admits(value: object) -> bool:
        return not isinstance(value, bool) and isinstance(value, kinds) and value >= least

    return Kind(admits, lambda key, value: f"a {name} of {least:g} or more, not {value!r}")


def names(what: str, example: str) -> Kind:
    """A list of texts."""
    return Kind(_is_list, lambda key, _: f'a list of {what}, as in {key} = ["{example}"]')


def text(example: str) -> Kind:
    """One text."""
    return Kind(lambda value: isinstance(value, str), lambda key, _: f'a text, as in {key} = "{example}"')


SWITCH = Kind(lambda value: isinstance(value, bool), lambda _, value: f"true or false, not {value!r}")


def table_of_names(what: str, example: str) -> Kind:
    """A table whose values are lists of texts."""

    def admits(value: object) -> bool:
        return isinstance(value, dict) and all(map(_is_list, value.values()))

    return Kind(admits, lambda key, _: f"a table of {what}, as in {key} = {{ {example} }}")


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


VERIFY = "verify"
"""The table below the keys of the section itself."""


def nearest(directory: Path) -> Section | None:
    """The section that counts for a folder: of the nearest file in it or above it that has one.

    In one folder, ``xlaport.toml`` comes first. Raises `UserError` for a file that is no TOML.
    """
    for folder in (directory, *directory.parents):
        for name in (OWN, SHARED):
            section = _section(folder / name)
            if section is not None:
                return section
    return None


def _section(file: Path) -> Section | None:
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}") from error
    if file.name == SHARED and b"xlaport" not in data:
        return None  # whatever else is in it is not our affair, nor the time that reading it takes
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        values = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{file} cannot be read as TOML: {error}") from error
    if file.name == OWN:
        return Section(file, "", values)
    tool = values.get("tool", {})
    if not isinstance(tool, dict) or "xlaport" not in tool:
        return None
    return Section(file, "tool", tool).inner("xlaport")
