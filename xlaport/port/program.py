"""The files of a program: the script, what it leads to by imports in its folder, and the documents beside them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from xlaport import project, source
from xlaport.errors import UserError
from xlaport.facts.import_graph import ImportGraph, Texts, reached
from xlaport.facts.packages import Packages
from xlaport.port.request import PortRequest


def files_of(request: PortRequest) -> list[Path]:
    """What is ported, of the folder. Raises `UserError` where the script does not lie in it."""
    if request.whole:
        return [request.folder]
    found = project.discover([request.folder], request.config.exclude)
    own = {os.path.realpath(path): path for path in found.files}
    starts = [file for file in map(os.path.realpath, _named(request)) if file in own]
    if not starts:
        raise UserError(f"{request.script}: no such file in {request.folder}, where it is to run; see --cwd")
    graph = ImportGraph(tuple(sorted(own)), Packages(sorted(own), (str(request.folder),)), Texts({}, _read))
    runs = {file: (*graph.imports[file], *_packages(file, own, request.folder)) for file in own}
    together = reached(starts, runs)
    return [*(path for file, path in own.items() if file in together), *found.documents]


def _packages(file: str, own: Collection[str], top: Path) -> Iterator[str]:
    """What runs before a module of a package does: the beginnings of the packages around it."""
    for folder in Path(file).parents:
        beginning = str(folder / "__init__.py")
        if folder == top or beginning not in own:
            return
        yield beginning


def _named(request: PortRequest) -> Iterator[Path]:
    """The script, or what a launcher starts."""
    if not request.module:
        yield request.folder / request.script
        return
    place = request.folder.joinpath(*str(request.script).split("."))
    yield from (place.with_suffix(".py"), place / "__main__.py")
    yield from (request.folder / word for word in request.arguments if word.endswith(".py"))


def _read(file: str) -> bytes | None:
    try:
        return source.read_bytes(Path(file))
    except UserError:
        return None
