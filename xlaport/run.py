"""A run over files: read, convert in memory, and write where the caller asks for it."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from xlaport import engine, project, registry, source
from xlaport.config import Config
from xlaport.context import Context, known_roles
from xlaport.documents.run import convert_documents, imports_torch
from xlaport.errors import UserError
from xlaport.facts.account import Account, account
from xlaport.facts.module import Module
from xlaport.facts.program import Program
from xlaport.notebook.convert import Notebook, convert_notebook, foreign, is_notebook, open_notebook
from xlaport.result import FileError, FileResult, RunResult
from xlaport.rule import DocumentRule, Rule
from xlaport.suppressions.comments import in_python
from xlaport.suppressions.directive import MARK


def convert(
    paths: Sequence[Path], config: Config, progress: Callable[[int, int], None] = lambda done, total: None
) -> RunResult:
    """Convert the files under `paths` in memory; nothing is written.

    What the files import from their own project, and what imports them, is read, too, so that a file's findings do
    not depend on which of the others are named with it; only what has to change in several files at once needs all.

    A file that cannot be read, parsed or converted becomes an error of the result; the others go on. Raises
    `UserError` for a configuration that makes no sense. Configurations and launchers that were found in a folder
    matter only beside code of torch's. `progress` is told how many of the Python files that matter are done, and
    their number.
    """
    with _seldom_collected():
        return _convert(paths, config, progress)


@contextlib.contextmanager
def _seldom_collected() -> Iterator[None]:
    """Parsed files are large and full of cycles: looking for garbage as often as usual takes half of the time."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 20, 4)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@dataclass(frozen=True)
class _Work:
    """The files of a run, read, and what is to be done with them."""

    rules: Sequence[Rule]
    settings: engine.Settings
    found: project.Discovery
    sources: list[tuple[Path, bytes, engine.Member | None]]
    """Those that the rules may concern; without a member, what a notebook has beside its code may."""
    notebooks: dict[Path, Notebook]
    uses_torch: bool
    errors: list[FileError]


def _prepare(paths: Sequence[Path], config: Config) -> _Work:
    catalogue = registry.load_all(config.packs)
    rules = registry.choose(catalogue, config.select, config.ignore, config.insisted)
    settings = replace(config.settings(), catalogue=catalogue)
    found = project.discover(paths, config.exclude, force=config.force_exclude)
    errors = list(found.errors)
    uses_torch = False
    data: dict[Path, bytes] = {}
    notebooks: dict[Path, Notebook] = {}
    words = _words(rules), _words(rules, across=True)
    for path in found.files:
        try:
            if is_notebook(path):
                notebook = open_notebook(path, words[0] | _words(rules, of_documents=True))
                data[path] = notebook.data if notebook is not None else b""
                if notebook is not None:
                    notebooks[path] = notebook
                    if path in paths and (why := foreign(notebook)) is not None:
                        errors.append(FileError(project.display_path(path), why))
            else:
                data[path] = source.read_bytes(path)
            uses_torch = uses_torch or imports_torch(data[path])
        except UserError as error:
            errors.append(FileError(project.display_path(path), str(error)))
    program = _program(paths, data, settings, config.exclude, notebooks)
    wanted = project.admitted(program, *words)
    sources = [
        (path, content, engine.Member(program, file) if file in wanted else None)
        for path, content in data.items()
        if (file := os.path.realpath(path)) in wanted or path in notebooks
    ]
    return _Work(rules, settings, found, sources, notebooks, uses_torch, errors)


def _convert(paths: Sequence[Path], config: Config, progress: Callable[[int, int], None]) -> RunResult:
    work = _prepare(paths, config)
    found, errors = work.found, work.errors
    files: list[FileResult] = []
    for done, (path, content, member) in enumerate(work.sources):
        progress(done, len(work.sources))
        try:
            rules = config.rules_for(path, work.rules)
            if path in work.notebooks:
                shown = project.display_path(path)
                files += convert_notebook(work.notebooks[path], shown, rules, work.settings, member)
            elif member is not None:
                files.append(_convert_file(source.decode(path, content), rules, work.settings, member))
        except UserError as error:
            errors.append(FileError(project.display_path(path), str(error)))
    matter = found.documents if work.uses_torch else sorted(found.named)
    documents, unread = convert_documents(
        matter, found.named, lambda path: config.rules_for(path, work.rules), work.settings
    )
    files = sorted([*files, *documents], key=lambda file: file.path)
    errors += unread
    return RunResult(
        work.settings.target.name,
        len(found.files),
        sum(member is not None for _, _, member in work.sources),
        tuple(files),
        tuple(errors),
        documents=len(documents),
        notebooks=sum(map(is_notebook, found.files)),
        packs=config.packs,
    )


def facts(paths: Sequence[Path], config: Config) -> tuple[list[tuple[str, Account]], list[FileError]]:
    """What is known of the files under `paths` before any conversion, by the paths to show; and the errors."""
    with _seldom_collected():
        work = _prepare(paths, config)
        accounts: list[tuple[str, Account]] = []
        for path, content, member in work.sources:
            shown = project.display_path(path)
            try:
                if path in work.notebooks:
                    raise UserError("is a notebook: --explain-facts reads scripts (jupyter nbconvert --to script)")
                if member is None:
                    continue
                module = engine.parse(source.decode(path, content).text)
                view = member.program.seen_from(member.file, module)
                accounts.append((shown, account(Context(module, work.settings.target, view=view).steps)))
            except (UserError, engine.ConversionError) as error:
                work.errors.append(FileError(shown, str(error)))
        return accounts, work.errors


def modules(script: Path) -> list[Module]:
    """A script and what it imports of its project, at any distance, as far as it can be parsed. The script is first."""
    program = _program([script], {script: source.read_bytes(script)}, Config().settings(), (), {})
    todo, seen = [os.path.realpath(script)], dict[str, Module]()
    while todo:
        file = todo.pop()
        facts = program.facts(file) if file not in seen else None
        if facts is not None:
            seen[file] = facts.module
            todo += program.graph.imported(file)
    return list(seen.values())


def _words(rules: Sequence[Rule], across: bool = False, of_documents: bool = False) -> frozenset[bytes]:
    wanted = [rule for rule in rules if isinstance(rule, DocumentRule) is of_documents]
    return frozenset(word.encode() for rule in wanted for word in (rule.across if across else rule.words))


def _program(
    paths: Sequence[Path],
    data: Mapping[Path, bytes],
    settings: engine.Settings,
    exclude: project.Exclude,
    notebooks: Mapping[Path, Notebook],
) -> Program:
    """The project of the files of a run. What they import, or are imported by, is read and not reported on."""
    opened = {os.path.realpath(path): notebook for path, notebook in notebooks.items()}

    def read(file: str) -> bytes | None:
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

    files = {os.path.realpath(path): content for path, content in data.items()}
    tops = [os.path.realpath(path) for path in paths if path.is_dir()]
    program = Program(
        files, tops, read, parsed, known_roles(settings.target), lambda p: project.around(list(files), tops, exclude, p)
    )
    # What goes together with a file that asks to be left out is not done in the others either.
    program.writable -= {file for file, content in files.items() if _asks_to_be_skipped(file, content)}
    return program


def _asks_to_be_skipped(file: str, content: bytes) -> bool:
    if MARK.encode() not in content:
        return False
    try:
        return in_python(source.decode(Path(file), content).text).skips_file
    except UserError:
        return False


def _convert_file(
    file: source.Source, rules: Sequence[Rule], settings: engine.Settings, member: engine.Member
) -> FileResult:
    shown = project.display_path(file.path)
    result = FileResult(file.path, file.text, file.text, encoding=file.encoding, bom=file.bom)
    try:
        converted = engine.convert(file.text, shown, rules, settings, file.newline, member)
    except engine.ConversionError as error:
        return replace(result, error=FileError(shown, str(error)))
    return replace(result, after=converted.text, findings=converted.findings)


def write(run: RunResult) -> RunResult:
    """Write the changed files in their places. One that cannot be written keeps its text and gets an error."""
    files = (_written(file, file.path) if file.changed else file for file in run.files)
    return replace(run, files=tuple(files))


def write_to(run: RunResult, roots: Sequence[Path], folder: Path) -> RunResult:
    """Write the port of `roots` into `folder`: everything in a root keeps its path relative to it.

    Files that did not change, and those that are not Python, are copied, so that the port runs there. Raises
    `UserError` where the folder is one of the roots, lies in one, or is a file.
    """
    from xlaport import copying

    places = copying.copy(roots, folder)
    files = []
    for file in run.files:
        place = places.get(file.path)
        files.append(_written(file, place) if place is not None and file.changed else file)
    return replace(run, files=tuple(files))


def _written(file: FileResult, place: Path) -> FileResult:
    spelled = source.Source(file.path, file.before, file.encoding, file.bom, "\n")
    try:
        before = source.encode(spelled, file.before) if place == file.path else None
        source.write_atomically(place, source.encode(spelled, file.after), before)
    except UserError as error:
        return replace(file.as_found(), error=FileError(project.display_path(place), str(error)))
    return file
