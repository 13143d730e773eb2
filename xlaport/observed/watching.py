"""Watches a run: marks the files of a copy, has it run, and gathers what it has shown."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from xlaport import run, source
from xlaport.analysis.of_file import analysis_of
from xlaport.config import Config
from xlaport.errors import UserError
from xlaport.facts.module import Module
from xlaport.observed.marking import is_watchable, marked, unsure
from xlaport.observed.matching import same
from xlaport.observed.placing import place_of
from xlaport.observed.record import Expression, Observations, Sort, as_json, digest, sort_of

SETTING = "XLAPORT_WATCH"
"""The environment variable that names the folder for what the probe has seen."""


@dataclass(frozen=True)
class Watched:
    """The expressions of the files of a copy that are watched, by number, each with its file, and what was seen."""

    nodes: dict[int, tuple[Path, ast.expr]]
    modules: dict[Path, Module]
    folder: Path

    @property
    def environment(self) -> tuple[tuple[str, str], ...]:
        """What the run is to be given."""
        return ((SETTING, str(self.folder)),) if self.nodes else ()

    def observed(self, copy: Path, script: str, steps: int, originals: dict[Path, Module]) -> Observations:
        """What the run has shown, of the originals of the files that have run: those are of the user's folder."""
        names = {f"{os.sep}{copy.name}{os.sep}{name}": name for name in self._names(copy)}
        told = _told(self.folder, names)
        homes = {
            path: originals.get(Path(os.path.relpath(path, copy)), module) for path, module in self.modules.items()
        }
        before: dict[ast.AST, ast.expr] = {}
        for path, module in self.modules.items():
            before |= {after: node for node, after in same(homes[path], module)}
        files: dict[str, tuple[str, list[Expression]]] = {
            digest(homes[path].text): (name, []) for path, name in zip(self.modules, self._names(copy), strict=True)
        }
        for number, (times, sorts, changes) in sorted(told.items()):
            path, node = self.nodes[number]
            own = before.get(node)
            if own is not None:
                expressions = files[digest(homes[path].text)][1]
                expressions.append(Expression(number, place_of(own), times, sorts, changes))
        return Observations(script, steps, {key: (path, tuple(found)) for key, (path, found) in files.items()})

    def _names(self, copy: Path) -> list[str]:
        return [os.path.relpath(path, os.path.realpath(copy)) for path in self.modules]


@contextlib.contextmanager
def watched(copy: Path, files: Sequence[Path], config: Config) -> Iterator[Watched]:
    """Mark files of a copy, until their run is over. Where a program would see the marks, nothing is marked."""
    with tempfile.TemporaryDirectory(prefix="xlaport-seen-") as folder:
        modules, nodes = _unsure(files, config)
        watching = Watched(nodes, modules, Path(folder))
        before: dict[Path, bytes] = {}
        try:
            for path, module in modules.items():
                own: dict[ast.AST, int] = {node: number for number, (place, node) in nodes.items() if place == path}
                if own:
                    before[path] = path.read_bytes()
                    spelled = source.decode(path, before[path])
                    path.write_bytes(source.encode(spelled, marked(module, own)))
            yield watching
        finally:
            for path, data in before.items():
                path.write_bytes(data)


def _unsure(files: Sequence[Path], config: Config) -> tuple[dict[Path, Module], dict[int, tuple[Path, ast.expr]]]:
    modules: dict[Path, Module] = {}
    nodes: dict[int, tuple[Path, ast.expr]] = {}
    found = run.analysed(files, config)
    if not is_watchable({facts.file: facts.module.text for facts in found}):
        return {}, {}
    for facts in found:
        path = Path(facts.file)
        if path.suffix != ".py":
            continue
        modules[path] = facts.module
        for node in unsure(facts.file, facts.module, analysis_of(facts).values):
            nodes[len(nodes)] = path, node
    return modules, nodes


_Told = tuple[int, tuple[Sort, ...], bool]


def _told(folder: Path, names: Mapping[str, str]) -> dict[int, _Told]:
    """What all processes of a run have told, by number."""
    found: dict[int, _Told] = {}
    for file in sorted(folder.glob("*.json")):
        for number, data in json.loads(file.read_text(encoding="utf-8")).items():
            times, sorts, changes = found.get(int(number), (0, (), False))
            own = tuple(_at_home(sort_of(sort), names) for sort in data["sorts"])
            together = tuple(dict.fromkeys((*sorts, *own)))
            found[int(number)] = times + data["times"], together, changes or data["changes"]
    return found


def _at_home(sort: Sort, names: Mapping[str, str]) -> Sort:
    """With files by their `names` in the folder, whichever copy of it has run; what else defines it is a library."""
    inner = _at_home(sort.element, names) if sort.element is not None else None
    ends = sorted((end for end in names if sort.file.endswith(end)), key=len)
    return replace(sort, element=inner, file=names[ends[-1]] if ends else "")


def save(observed: Observations, path: Path) -> None:
    """Write the evidence into a file. Raises `UserError` where that cannot be."""
    try:
        path.write_text(as_json(observed), encoding="utf-8")
    except OSError as error:
        raise UserError(f"--save-evidence {path}: {error.strerror or error}") from error
