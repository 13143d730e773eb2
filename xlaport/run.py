"""A run over files: read, convert in memory, and write where the caller asks for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from xlaport import engine, project, source, syntax
from xlaport.analysis.of_file import analyse
from xlaport.caching.evidence import Seen
from xlaport.caching.runs import NOTHING, Done, Remembered
from xlaport.config import Config
from xlaport.context import Context
from xlaport.documents.run import convert_documents
from xlaport.errors import UserError
from xlaport.facts.account import Account, account
from xlaport.facts.line_account import LineAccount, line_account
from xlaport.facts.module import Module
from xlaport.facts.program import Facts
from xlaport.garbage import Aside, seldom_collected
from xlaport.notebook.convert import convert_notebook, is_notebook
from xlaport.result import FileError, FileResult, RunResult
from xlaport.rule import Rule
from xlaport.work import Reading, Typed, Work, prepare, read
from xlaport.workers import Sharing, is_forked, processes

if TYPE_CHECKING:
    from xlaport.caching.store import Store

_T = TypeVar("_T")


@dataclass(frozen=True)
class Effort:
    """How a run goes about its work; what it finds is the same."""

    jobs: int = 1
    """How many processes share the files."""
    store: Store | None = None
    """Where earlier runs have left what they found."""
    progress: Callable[[int, int], None] = lambda done, total: None
    """Is told how many of the Python files that matter are done, and their number."""


def convert(
    paths: Sequence[Path], config: Config, effort: Effort | None = None, typed: Typed | None = None
) -> RunResult:
    """Convert the files under `paths`, or what was `typed`, in memory; nothing is written.

    What the files import from their own project, and what imports them, is read, too, so that a file's findings do
    not depend on which of the others are named with it; only what has to change in several files at once needs all.

    A file that cannot be read, parsed or converted becomes an error of the result; the others go on. Raises
    `UserError` for a configuration that makes no sense. Configurations and launchers that were found in a folder
    matter only beside code of torch's.
    """
    with seldom_collected():
        return _convert(read(paths, config, typed), config, effort or Effort())


def _convert(reading: Reading, config: Config, effort: Effort) -> RunResult:
    known = Remembered(effort.store, reading, config) if effort.store is not None else None
    standing = known.standing() if known is not None else NOTHING
    done = standing.done
    if not standing.files >= reading.data.keys():
        work = prepare(reading, effort.jobs)
        parsed = sum(member is not None for _, _, member in work.sources)
        work = replace(work, sources=tuple(source for source in work.sources if source[0] not in standing.files))
        partly = (path for path in reading.data if len(config.rules_for(path, reading.rules)) < len(reading.rules))
        named = frozenset(map(os.path.realpath, partly))
        for program in filter(None, (work.program, work.unseen)):
            program.partly = named
        aside = Aside(lambda: work.program.dropped)
        if processes(len(work.sources), effort.jobs) > 1:  # once, and not once in each process
            for program in filter(None, (work.program, work.unseen)):
                members = (member for _, _, member in work.sources if member is not None)
                analyse(program, (member.file for member in members if member.file))
        sharing = Sharing(lambda numbers: _piece(work, config, numbers, aside), len(work.sources), effort.jobs)
        pieces = sharing.results(effort.progress)
        done = Done(
            tuple(sorted([*done.files, *(f for piece in pieces for f in piece.files)], key=lambda file: file.path)),
            tuple(sorted([*done.errors, *(e for piece in pieces for e in piece.errors)], key=lambda e: e.path)),
            parsed,
        )
        if known is not None:
            seen = [Seen.by(work.program), *(piece.seen for piece in pieces if piece.seen is not None)]
            known.keep(done, seen, standing)
    found = reading.found
    matter = found.documents if reading.uses_torch else sorted(found.named)
    documents, unread = convert_documents(
        matter, found.named, lambda path: config.rules_for(path, reading.rules), reading.settings
    )
    return RunResult(
        reading.settings.target.name,
        len(found.files),
        done.parsed,
        tuple(sorted([*done.files, *documents], key=lambda file: file.path)),
        (*reading.errors, *done.errors, *unread),
        documents=len(documents),
        notebooks=sum(map(is_notebook, found.files)),
        packs=config.packs,
    )


@dataclass(frozen=True)
class _Piece:
    """What came of some of the files of a run."""

    files: tuple[FileResult, ...]
    errors: tuple[FileError, ...]
    seen: Seen | None
    """What was read for it; None where that is known from the project itself."""


def _piece(work: Work, config: Config, numbers: range, aside: Aside) -> _Piece:
    files: list[FileResult] = []
    errors: list[FileError] = []
    for path, content, member in work.sources[numbers.start : numbers.stop]:
        rules = config.rules_for(path, work.reading.rules)
        try:
            if path in work.reading.notebooks:
                notebook, shown = work.reading.notebooks[path], project.display_path(path)
                files += convert_notebook(notebook, shown, rules, work.reading.settings, member)
            elif member is not None:
                files.append(_convert_file(source.decode(path, content), rules, work.reading.settings, member))
            elif (fault := syntax.fault(source.decode(path, content).text)) is not None:
                errors.append(FileError(project.display_path(path), fault))
        except UserError as error:
            errors.append(FileError(project.display_path(path), str(error)))
        aside.after_file()
    return _Piece(tuple(files), tuple(errors), Seen.by(work.program) if is_forked() else None)


def facts(paths: Sequence[Path], config: Config) -> tuple[list[tuple[str, Account]], list[FileError]]:
    """What is known of the files under `paths` before any conversion, by the paths to show; and the errors."""
    return _known(paths, config, lambda context: account(context.steps))


def analysed(paths: Sequence[Path], config: Config) -> list[Facts]:
    """The files under `paths`, with all that is known of them; those that cannot be parsed are left out."""
    program = prepare(read(paths, config)).program
    found = (program.facts(file) for file in program.files)
    return [facts for facts in found if facts is not None]


def facts_of_line(
    path: Path, line: int, config: Config
) -> tuple[list[tuple[str, LineAccount | None]], list[FileError]]:
    """What is known of a line of a file."""
    return _known([path], config, lambda context: line_account(context.step_code, line))


def _known(
    paths: Sequence[Path], config: Config, ask: Callable[[Context], _T]
) -> tuple[list[tuple[str, _T]], list[FileError]]:
    """What the facts of each file answer."""
    with seldom_collected():
        work = prepare(read(paths, config))
        settings, errors = work.reading.settings, list(work.reading.errors)
        accounts: list[tuple[str, _T]] = []
        for path, content, member in work.sources:
            shown = project.display_path(path)
            try:
                if path in work.reading.notebooks:
                    raise UserError("is a notebook: --explain-facts reads scripts (jupyter nbconvert --to script)")
                if member is None:
                    continue
                module = engine.parse(source.decode(path, content).text)
                view = member.program.seen_from(member.file, module)
                accounts.append((shown, ask(Context(module, settings.target, view=view))))
            except (UserError, engine.ConversionError) as error:
                errors.append(FileError(shown, str(error)))
        return accounts, errors


def modules(script: Path) -> list[Module]:
    """A script and what it imports of its project, at any distance, as far as it can be parsed. The script is first."""
    found = project.Discovery((script,), ())
    data = {script: source.read_bytes(script)}
    program = prepare(Reading((), Config().settings(), found, data, {}, True, (), (), ())).program
    todo, seen = [os.path.realpath(script)], dict[str, Module]()
    while todo:
        file = todo.pop()
        facts = program.facts(file) if file not in seen else None
        if facts is not None:
            seen[file] = facts.module
            todo += program.graph.imported(file)
    return list(seen.values())


def _convert_file(
    file: source.Source, rules: Sequence[Rule], settings: engine.Settings, member: engine.Member
) -> FileResult:
    shown = project.display_path(file.path)
    result = FileResult(file.path, file.text, file.text, encoding=file.encoding, bom=file.bom)
    try:
        converted = engine.convert(file.text, shown, rules, settings, file.newline, member)
    except engine.ConversionError as error:
        return replace(result, error=FileError(shown, str(error)))
    return replace(result, after=converted.text, findings=converted.findings, possible=converted.possible)


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
        files.append(_written(file, place) if place is not None and file.changed else replace(file, place=place))
    return replace(run, files=tuple(files))


def write_into(run: RunResult, folder: Path, copy: Path) -> None:
    """Write the changed files of a folder at their places in a copy of it. Raises `UserError` where that fails."""
    for file in run.changed:
        place = copy / os.path.relpath(os.path.realpath(file.path), folder)
        written = _written(file, place)
        if written.error is not None:
            raise UserError(f"{written.error.path}: {written.error.message}")


def _written(file: FileResult, place: Path) -> FileResult:
    spelled = source.Source(file.path, file.before, file.encoding, file.bom, "\n")
    try:
        before = source.encode(spelled, file.before) if place == file.path else None
        source.write_atomically(place, source.encode(spelled, file.after), before)
    except UserError as error:
        return replace(file.as_found(), error=FileError(project.display_path(place), str(error)))
    return replace(file, place=place)
