"""What ``convert`` and ``check`` are asked to do: by the command line, and by the project where that is silent."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlaport import registry
from xlaport.config import Config, IgnoredIn
from xlaport.configuration.section import SWITCH, Section, names, nearest, table_of_names, text
from xlaport.errors import UserError
from xlaport.ignore import Patterns
from xlaport.rule import Rule
from xlaport.target import DEFAULT, target

_KINDS = {
    "select": names("codes of rules, or their beginnings", "XP1"),
    "ignore": names("codes of rules, or their beginnings", "XP305"),
    "exclude": names("patterns of files", "third_party/"),
    "extend-exclude": names("patterns of files", "third_party/"),
    "per-file-ignores": table_of_names("patterns of files, each with codes of rules", '"tests/**" = ["XP3"]'),
    "target": text(DEFAULT),
    "unsafe": SWITCH,
    "multi": SWITCH,
    "rules": names("folders or packages with rules", "tools/xlaport_rules"),
}


@dataclass(frozen=True)
class Asked:
    """What the command line says; None where it is silent."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    unsafe: bool | None = None
    multi: bool | None = None
    target: str | None = None
    packs: tuple[str, ...] = ()
    """These come beside those of the project."""
    force_exclude: bool = False
    isolated: bool = False
    """Whether what the project says does not count."""


def configured(paths: Sequence[Path], asked: Asked) -> Config:
    """What is to be done with the files and folders of a command line.

    The project is that of the folder that holds all `paths`. What the command line says takes the place of what
    stands under the same key; `select` there comes before `ignore` here where it is as exact. Raises `UserError` for
    a project's settings that make no sense.
    """
    section = None if asked.isolated else _section(paths)
    values = _checked(section) if section is not None else {}
    packs = (*_packs(section, values), *asked.packs)
    folder = os.path.realpath(section.file.parent) if section is not None else ""
    if section is not None:
        _refuse_unknown_codes(section, values, registry.load_all(packs))

    def chosen(said: tuple[str, ...] | None, key: str) -> tuple[str, ...]:
        return said if said is not None else tuple(code.strip().upper() for code in values.get(key, ()))

    def left_out(key: str) -> tuple[Patterns, ...]:
        return (Patterns(folder, tuple(values[key])),) if values.get(key) else ()

    return Config(
        select=chosen(asked.select, "select"),
        ignore=chosen(asked.ignore, "ignore"),
        exclude=((asked.exclude if asked.exclude is not None else left_out("exclude")) + left_out("extend-exclude")),
        unsafe=values.get("unsafe", False) if asked.unsafe is None else asked.unsafe,
        target=asked.target or values.get("target", DEFAULT),
        multi=values.get("multi", False) if asked.multi is None else asked.multi,
        force_exclude=asked.force_exclude,
        insisted=(asked.select or ()) if asked.ignore is None else (),
        per_file=tuple(_ignored_in(folder, *item) for item in values.get("per-file-ignores", {}).items()),
        packs=packs,
    )


def all_rules(packs: Sequence[str], *, isolated: bool) -> tuple[Rule, ...]:
    """The rules that there are here: the built-in ones, those of the working directory's project, and of `packs`."""
    section = None if isolated else _section([Path()])
    values = _checked(section) if section is not None else {}
    return registry.load_all((*_packs(section, values), *packs))


def _section(paths: Sequence[Path]) -> Section | None:
    """That of the folder which holds all the paths."""
    try:
        # Without `..`, and with links as they are named.
        places = [Path(os.path.abspath(path)) for path in paths]
        return nearest(Path(os.path.commonpath([place if place.is_dir() else place.parent for place in places])))
    except (FileNotFoundError, ValueError):  # the working directory was deleted; no path at all, or several drives
        return None


def _checked(section: Section) -> dict[str, Any]:
    section.refuse_wrong(_KINDS)
    values = dict(section.values)
    if "target" in values:
        try:
            target(values["target"])
        except UserError as error:
            raise UserError(f"{section.where}: target: {error}") from None
    return values


def _packs(section: Section | None, values: dict[str, Any]) -> tuple[str, ...]:
    """Folders are those of the project; what is no folder there is a package."""
    if section is None:
        return ()
    packs = []
    for name in values.get("rules", ()):
        folder = os.path.realpath(section.file.parent / name)
        packs.append(folder if os.path.isdir(folder) else name)
        try:
            registry.load(packs[-1])
        except UserError as error:
            raise UserError(f"{section.where}: rules: {error}") from None
    return tuple(packs)


def _refuse_unknown_codes(section: Section, values: dict[str, Any], rules: Sequence[Rule]) -> None:
    per_file = [(f'per-file-ignores."{name}"', codes) for name, codes in values.get("per-file-ignores", {}).items()]
    for key, codes in (*((key, values.get(key, ())) for key in ("select", "ignore")), *per_file):
        for code in codes:
            if not any(rule.code.startswith(code.strip().upper() or "\0") for rule in rules):
                raise UserError(
                    f"{section.where}: {key}: no rule has a code that begins with '{code}'; `xlaport rules` lists them"
                )


def _ignored_in(folder: str, pattern: str, codes: Sequence[str]) -> IgnoredIn:
    others = pattern.startswith("!")
    return IgnoredIn(
        Patterns(folder, (pattern.removeprefix("!"),)), tuple(code.strip().upper() for code in codes), others
    )
