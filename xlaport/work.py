"""The files of a run: read, and put together with the project that they belong to."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePath

from xlaport import engine, project, registry, source
from xlaport.config import Config
from xlaport.context import known_roles
from xlaport.documents.run import imports_torch
from xlaport.errors import UserError
from xlaport.facts.module import Module
from xlaport.facts.packages import Packages
from xlaport.facts.program import Program
from xlaport.memory import kept_characters
from xlaport.notebook.convert import Notebook, foreign, is_notebook, open_notebook
from xlaport.observed.record import NOTHING_OBSERVED, Observations
from xlaport.result import FileError
from xlaport.rule import DocumentRule, Rule
from xlaport.suppressions.comments import in_python
from xlaport.suppressions.directive import MARK
from xlaport.workers import processes


@dataclass(frozen=True)
class Reading:
    """The files of a run as they are on disk. See `read`."""

    rules: Sequence[Rule]
    settings: engine.Settings
    found: project.Discovery
    data: Mapping[Path, bytes]
    """Of a notebook its code; nothing where it holds no trigger word."""
    notebooks: Mapping[Path, Notebook]
    uses_torch: bool
    errors: tuple[FileError, ...]
    tops: tuple[str, ...]
    """The folders that were named, by their true paths."""
    exclude: project.Exclude
    observed: Observations = NOTHING_OBSERVED
    is_run: bool = False
    """See `Config.is_run`."""

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The same as `data`, by the true paths."""
        return {os.path.realpath(path): content for path, content in self.data.items()}

    def around(self, packages: Packages) -> list[str]:
        """The other files of the projects of files that were named themselves."""
        return project.around(list(self.files), self.tops, self.exclude, packages)

    def text(self, path: Path) -> str:
        """The text of a file, as its result has it. Raises `UserError` where it is none."""
        notebook = self.notebooks.get(path)
        return notebook.source.text if notebook is not None else source.decode(path, self.data[path]).text


@dataclass(frozen=True)
class Work:
    """What is to be done: the files that rules may concern, and their project."""

    reading: Reading
    program: Program
    unseen: Program | None
    """The same, of which no run is known; None where none is."""
    sources: tuple[tuple[Path, bytes, engine.Member | None], ...]
    """Without a member, what a notebook has beside its code may concern rules; of a script it is asked if it parses."""


@dataclass(frozen=True)
class Typed:
    """A program that came on standard input."""

    path: Path
    """What it is called; it need not be there."""
    data: bytes


def read(paths: Sequence[Path], config: Config, typed: Typed | None = None) -> Reading:
    """Read the files under `paths`, or `typed` alone. Raises `UserError` for a configuration that makes no sense."""
    catalogue = registry.load_all(config.packs)
    rules = registry.choose(catalogue, config.select, config.ignore, config.insisted, config.extend_select)
    settings = replace(config.settings(), catalogue=catalogue)
    rules = registry.about(rules, settings.target)
    if typed is not None:
        found = project.discover_typed(typed.path, config.exclude, force=config.force_exclude)
    else:
        found = project.discover(paths, config.exclude, force=config.force_exclude)
    errors = list(found.errors)
    uses_torch = False
    data: dict[Path, bytes] = {}
    notebooks: dict[Path, Notebook] = {}
    words = _words(rules) | _words(rules, of_documents=True)
    for path in found.files:
        try:
            if is_notebook(path):
                notebook = open_notebook(path, words)
                data[path] = notebook.data if notebook is not None else b""
                if notebook is not None:
                    notebooks[path] = notebook
                    if path in paths and (why := foreign(notebook)) is not None:
                        errors.append(FileError(project.display_path(path), why))
            else:
                data[path] = typed.data if typed is not None else source.read_bytes(path)
            uses_torch = uses_torch or imports_torch(data[path])
        except UserError as error:
            errors.append(FileError(project.display_path(path), str(error)))
    tops = _tops(paths)
    seen, is_run = config.observed, config.is_run
    return Reading(
        rules, settings, found, data, notebooks, uses_torch, tuple(errors), tops, config.exclude, seen, is_run
    )


def _tops(paths: Sequence[Path]) -> tuple[str, ...]:
    """The folders that count as the top of a project: those that are given, or that of a script beside them.

    In `train.py models`, the script's own folder is where Python looks for `models.unet`, whatever is in there.
    """
    folders = [os.path.realpath(path) for path in paths if path.is_dir()]
    beside = {os.path.dirname(os.path.realpath(path)) for path in paths if not path.is_dir()} if folders else set()
    around = [top for top in beside if all(PurePath(folder).is_relative_to(top) for folder in (*folders, *beside))]
    return tuple(around or folders)


def prepare(reading: Reading, jobs: int = 1) -> Work:
    """Put the files together. What they import, or are imported by, is read and not reported on.

    `jobs`: how many processes may share the work, and the memory for parsed files.
    """
    kept = kept_characters(processes(len(reading.data), jobs))
    program = _program(reading, kept, reading.observed)
    unseen = _program(reading, kept, NOTHING_OBSERVED) if reading.observed.files else None
    wanted = project.admitted(program, _words(reading.rules), _words(reading.rules, across=True))
    sources = tuple(
        (path, content, engine.Member(program, file, unseen=unseen) if file in wanted else None)
        for path, content in reading.data.items()
        if (file := os.path.realpath(path)) in wanted or path in reading.notebooks or not is_notebook(path)
    )
    return Work(reading, program, unseen, sources)


def _words(rules: Sequence[Rule], across: bool = False, of_documents: bool = False) -> frozenset[bytes]:
    wanted = [rule for rule in rules if isinstance(rule, DocumentRule) is of_documents]
    return frozenset(word.encode() for rule in wanted for word in (rule.across if across else rule.words))


def _program(reading: Reading, kept: int, observed: Observations) -> Program:
    opened = {os.path.realpath(path): notebook for path, notebook in reading.notebooks.items()}

    def read_other(file: str) -> bytes | None:
        try:
            return source.read_bytes(Path(file))
        except UserError:
            return None

    def parsed(file: str, content: bytes) -> Module | None:
        try:
            text = opened[file].joined.text if file in opened else source.decode(Path(file), content).text
            return engine.parse(text)
        except (UserError, engine.ConversionError):
            return None

    further = known_roles(reading.settings.target)
    program = Program(reading.files, reading.tops, read_other, parsed, further, reading.around, kept, observed)
    program.is_run = reading.is_run
    # What goes together with a file that asks to be left out is not done in the others either.
    program.writable -= {file for file, content in reading.files.items() if _asks_to_be_skipped(file, content)}
    return program


def _asks_to_be_skipped(file: str, content: bytes) -> bool:
    if MARK.encode() not in content:
        return False
    try:
        return in_python(source.decode(Path(file), content).text).skips_file
    except UserError:
        return False
