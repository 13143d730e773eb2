"""The files of a program: the script, what it leads to by imports in its folder, and the documents beside them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from xlaport import project, source
from xlaport.errors import UserError
from xlaport.facts.import_graph import ImportGraph, Texts, reached
from xlaport.facts.packages import Packages
from xlaport.notebook.convert import is_notebook
from xlaport.port import notebooks
from xlaport.port.request import PortRequest


def files_of(request: PortRequest, loaded: Sequence[str] = ()) -> list[Path]:
    """What is ported, of the folder; `loaded`: files of it that a run has imported, whatever the code says. Raises
    `UserError` where the script does not lie in the folder.
    """
    if request.whole:
        return [request.folder]
    found = project.discover([request.folder], request.config.exclude)
    own = {os.path.realpath(path): path for path in found.files}
    starts = [file for file in map(os.path.realpath, _named(request)) if file in own]
    if not starts:
        raise UserError(f"{request.script}: no such file in {request.directory}, where it is to run; see --cwd")
    starts += [file for name in loaded if (file := os.path.realpath(request.folder / name)) in own]
    packages = Packages(sorted(own), (str(request.folder),), lambda: _added(request.folder))
    graph = ImportGraph(tuple(sorted(own)), packages, Texts({}, _read))
    runs = {file: (*graph.imports[file], *_packages(file, own, request.folder)) for file in own}
    together = reached(starts, runs)
    return [*(path for file, path in own.items() if file in together), *found.documents]


def named_in_python_path(folder: Path) -> Iterator[Path]:
    """What PYTHONPATH names of a folder: modules are imported from there."""
    places = (Path(os.path.realpath(place)) for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place)
    yield from (place for place in places if place.is_relative_to(folder))


def _added(folder: Path) -> Iterator[tuple[str, str]]:
    """As if a file of the folder itself added them to ``sys.path``."""
    yield from ((str(folder / "sitecustomize.py"), str(place)) for place in named_in_python_path(folder))


def root_of(directory: Path) -> Path:
    """The folder around a script's own that holds what it imports by PYTHONPATH, of the same git work tree."""
    work_tree = next((parent for parent in (directory, *directory.parents) if (parent / ".git").exists()), None)
    if work_tree is None:
        return directory
    return Path(os.path.commonpath([directory, *named_in_python_path(work_tree)]))


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
        yield request.directory / request.script
        return
    place = request.directory.joinpath(*str(request.script).split("."))
    yield from (place.with_suffix(".py"), place / "__main__.py")
    yield from (request.directory / word for word in request.arguments if word.endswith(".py"))


def _read(file: str) -> bytes | None:
    try:
        return notebooks.code_of(Path(file)) if is_notebook(Path(file)) else source.read_bytes(Path(file))
    except UserError:
        return None
