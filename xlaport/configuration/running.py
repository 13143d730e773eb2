"""What ``convert`` and ``check`` are asked to do: by the command line, and by the project where that is silent."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from xlaport import registry
from xlaport.config import Config, IgnoredIn
from xlaport.configuration import keys
from xlaport.configuration.section import Section, nearest
from xlaport.ignore import Patterns
from xlaport.rule import Rule
from xlaport.targets.known import DEFAULT


@dataclass(frozen=True)
class Asked:
    """What the command line says; None where it is silent."""

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    """These two come beside those of the project."""
    exclude: tuple[str, ...] | None = None
    unsafe: bool | None = None
    multi: bool | None = None
    target: str | None = None
    packs: tuple[str, ...] = ()
    """These come beside those of the project."""
    force_exclude: bool = False
    baseline: Path | None = None
    isolated: bool = False
    """Whether what the project says does not count."""


def configured(paths: Sequence[Path], asked: Asked) -> Config:
    """What is to be done with the files and folders of a command line.

    The project is that of the folder that holds all `paths`. What the command line says takes the place of what
    stands under the same key; `select` there comes before `ignore` here where it is as exact. Raises `UserError` for
    a project's settings that make no sense.
    """
    section = None if asked.isolated else _section(paths)
    values = section.values if section is not None else {}
    packs = (*keys.packs(section), *asked.packs)
    folder = os.path.realpath(section.file.parent) if section is not None else ""
    if section is not None:
        keys.refuse_unknown_codes(section, registry.load_all(packs))

    def listed(key: str) -> tuple[str, ...]:
        return tuple(code.strip().upper() for code in values.get(key, ()))

    def chosen(said: tuple[str, ...] | None, key: str) -> tuple[str, ...]:
        return said if said is not None else listed(key)

    def left_out(key: str) -> tuple[Patterns, ...]:
        return (Patterns(folder, tuple(values[key])),) if values.get(key) else ()

    return Config(
        select=chosen(asked.select, "select"),
        ignore=chosen(asked.ignore, "ignore") + listed("extend-ignore") + asked.extend_ignore,
        extend_select=listed("extend-select") + asked.extend_select,
        baseline=asked.baseline or (Path(folder, values["baseline"]) if "baseline" in values else None),
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
    return registry.load_all((*keys.packs(section), *packs))


def _section(paths: Sequence[Path]) -> Section | None:
    """That of the folder which holds all the paths."""
    try:
        # Without `..`, and with links as they are named.
        places = [Path(os.path.abspath(path)) for path in paths]
        folder = Path(os.path.commonpath([place if place.is_dir() else place.parent for place in places]))
    except (FileNotFoundError, ValueError):  # the working directory was deleted; no path at all, or several drives
        return None
    section = nearest(folder)
    if section is not None:
        keys.refuse_wrong(section)
    return section


def _ignored_in(folder: str, pattern: str, codes: Sequence[str]) -> IgnoredIn:
    others = pattern.startswith("!")
    return IgnoredIn(
        Patterns(folder, (pattern.removeprefix("!"),)), tuple(code.strip().upper() for code in codes), others
    )
