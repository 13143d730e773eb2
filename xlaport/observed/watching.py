"""Watches a run: marks the files of a copy, has it run, and gathers what it has shown."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from xlaport.verify.leftovers import PREFIX

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
        return ((SETTING, str(self.folder)),)

    def observed(self, copy: Path, script: str, steps: int, originals: Mapping[str, str]) -> Observations:
        """What the run has shown, of the `originals` of the files that have run: their texts, by their places in the
        folder.
        """
        inside = re.compile(rf".*{PREFIX}[^{os.sep}]+{os.sep}{re.escape(copy.name)}{os.sep}(.+)")
        told, loaded, hindered = _told(self.folder, inside)
        names = {path: os.path.relpath(path, os.path.realpath(copy)) for path in self.modules}
        before: dict[ast.AST, ast.expr] = {}
        files: dict[Path, tuple[str, list[Expression]]] = {}
        for path, module in self.modules.items():
            text = originals.get(names[path], module.text)
            own = Module(text) if text != module.text else module
            before |= {after: node for node, after in same(own, module)}
            files[path] = digest(text), []
        for number, seen in sorted(told.items()):
            path, node = self.nodes[number]
            if (now := before.get(node)) is not None:
                files[path][1].append(replace(seen, place=place_of(now)))
        shown: dict[str, tuple[str, tuple[Expression, ...]]] = {}
        for path, (key, found) in files.items():
            name, known = shown.get(key, ("", ()))
            shown[key] = (name if known else names[path]), _together(known, found)
        for name in loaded if shown else ():  # what was not watched, and yet defines what was seen
            if name not in names.values() and (copy / name).is_file():
                shown.setdefault(digest(source.read_source(copy / name).text), (name, ()))
        return Observations(script, steps, {} if hindered else shown, loaded, hindered)


def _together(known: Iterable[Expression], more: Iterable[Expression]) -> tuple[Expression, ...]:
    """What was seen in files with the same text: of each expression, what it gave in any of them."""
    found = {each.place: each for each in known}
    for each in more:
        found[each.place] = _joined(found[each.place], each) if each.place in found else each
    return tuple(found.values())


@contextlib.contextmanager
def watched(copy: Path, files: Sequence[Path], config: Config) -> Iterator[Watched]:
    """Mark files of a copy, until their run is over. Where a program would see the marks, nothing is marked."""
    with tempfile.TemporaryDirectory(prefix="xlaport-seen-") as folder:
        modules, nodes = _unsure(copy, files, config)
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
                with contextlib.suppress(OSError):  # the script may have taken it away
                    path.write_bytes(data)


def _unsure(
    copy: Path, files: Sequence[Path], config: Config
) -> tuple[dict[Path, Module], dict[int, tuple[Path, ast.expr]]]:
    modules: dict[Path, Module] = {}
    nodes: dict[int, tuple[Path, ast.expr]] = {}
    found = run.analysed(files, config)
    if not is_watchable({facts.file: facts.module.text for facts in found}):
        return {}, {}
    for facts in found:
        path = Path(facts.file)
        if path.suffix != ".py" or not path.is_relative_to(os.path.realpath(copy)):
            continue
        modules[path] = facts.module
        for node in unsure(facts.file, facts.module, analysis_of(facts).values):
            nodes[len(nodes)] = path, node
    return modules, nodes


def _joined(one: Expression, other: Expression) -> Expression:
    """What was seen of an expression in two places, or processes."""
    return replace(
        one,
        times=one.times + other.times,
        sorts=tuple(dict.fromkeys((*one.sorts, *other.sorts))),
        changes=one.changes or other.changes,
        sizes=tuple(dict.fromkeys((*one.sizes, *other.sizes))),
    )


def _told(folder: Path, inside: re.Pattern[str]) -> tuple[dict[int, Expression], tuple[str, ...], bool]:
    """What all processes of a run have told, by number, the files that they have loaded, by their places in the
    folder, and whether marks were in the way of one; `inside` tells these places, whichever copy of it has run.
    """
    found: dict[int, Expression] = {}
    loaded, hindered = set[str](), False
    for file in sorted(folder.glob("*.json")):
        told = json.loads(file.read_text(encoding="utf-8"))
        hindered = hindered or told["hindered"]
        loaded |= {match[1] for path in told["loaded"] if (match := inside.fullmatch(path)) and path.endswith(".py")}
        for number, data in told["expressions"].items():
            sorts = tuple(_at_home(sort_of(sort), inside) for sort in data["sorts"])
            sizes = tuple(map(tuple, data["sizes"]))
            own = Expression(int(number), (0, 0, 0, 0), data["times"], sorts, data["changes"], sizes)
            found[own.number] = _joined(found[own.number], own) if own.number in found else own
    return found, tuple(sorted(loaded)), hindered


def _at_home(sort: Sort, inside: re.Pattern[str]) -> Sort:
    """With files by their places in the folder; what else defines it is a library."""
    element = _at_home(sort.element, inside) if sort.element is not None else None
    match = inside.fullmatch(sort.file)
    return replace(sort, element=element, file=match[1] if match else "")


def save(observed: Observations, path: Path) -> None:
    """Write the evidence into a file. Raises `UserError` where that cannot be."""
    try:
        path.write_text(as_json(observed), encoding="utf-8")
    except OSError as error:
        raise UserError(f"--save-evidence {path}: {error.strerror or error}") from error
