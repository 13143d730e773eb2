"""Copying what a conversion with ``--out`` leaves unchanged, so that the port can be run where it lies."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Sequence
from pathlib import Path

from xlaport.errors import UserError
from xlaport.project import NEVER_ENTERED, display_path


def check(roots: Sequence[Path], folder: Path) -> None:
    """Raise `UserError` where `folder` can be no copy of the roots: it is a file, lies in one of them or around it."""
    target = folder.resolve()
    if folder.exists() and not folder.is_dir():
        raise UserError(f"--out {display_path(folder)} is a file: name a folder")
    for root in roots:
        inside = root.resolve()
        if inside == target or inside in target.parents:
            raise UserError(f"--out {display_path(folder)} lies in {display_path(root)}: name a folder outside of it")
        if target in inside.parents:
            raise UserError(f"--out {display_path(folder)} holds {display_path(root)}: name a folder of its own")


def copy(roots: Sequence[Path], folder: Path) -> dict[Path, Path]:
    """Copy the roots (files and folders) into `folder`; returns where each copied file lies now.

    Folders that hold no code of the user's (``.git``, environments) and temporary files are left out. Raises
    `UserError` where a copy is impossible or two roots would overwrite each other.
    """
    check(roots, folder)
    places: dict[Path, Path] = {}
    links: dict[Path, str] = {}
    try:
        for root in roots:
            if root.is_dir():
                files, linked = _files(root)
                for file in files:
                    _place(places, file, folder / file.relative_to(root))
                links |= {folder / link.relative_to(root): _target(link, root) for link in linked}
            elif root.exists():
                _place(places, root, folder / root.name)
        for origin, place in places.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            _copy(origin, place)
        for place, leads_to in links.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.is_symlink():
                place.unlink()
            if not place.exists():
                place.symlink_to(leads_to)
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        raise UserError(f"--out {display_path(folder)}: cannot copy{where}: {error.strerror}") from None
    return places


def _copy(origin: Path, place: Path) -> None:
    """Copy a file with its mode and times, so that `place` never holds half of it."""
    temporary = place.with_name(f".{place.name[:40]}.xlaport-{secrets.token_hex(4)}.tmp")
    try:
        shutil.copy2(origin, temporary)
        os.replace(temporary, place)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _place(places: dict[Path, Path], origin: Path, place: Path) -> None:
    if place in places.values():
        raise UserError(f"--out: two files would become {display_path(place)}; convert their folders one at a time")
    places[origin] = place


def _target(link: Path, root: Path) -> str:
    """Where the copy of a link to a folder leads: as it did, where that is copied, too; else to the folder itself."""
    target = os.readlink(link)
    inside = link.resolve().is_relative_to(root.resolve())
    return target if inside and not os.path.isabs(target) else str(link.resolve())


def _files(root: Path) -> tuple[list[Path], list[Path]]:
    """The files below a folder, and the links to folders, which are not entered."""
    found: list[Path] = []
    links: list[Path] = []
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        links += [here / name for name in sorted(folders) if (here / name).is_symlink() and name not in NEVER_ENTERED]
        folders[:] = sorted(
            name
            for name in folders
            if name not in NEVER_ENTERED
            and not (here / name / "pyvenv.cfg").exists()
            and not (here / name).is_symlink()
        )
        found += [here / name for name in sorted(files) if (here / name).is_file()]
    return found, links
