"""A run over files: read, convert in memory, and write where the caller asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from xlaport import engine, project, registry, source
from xlaport.config import Config
from xlaport.documents.run import convert_documents, imports_torch
from xlaport.errors import UserError
from xlaport.result import FileError, FileResult, RunResult
from xlaport.rule import DocumentRule, Rule


def convert(paths: Sequence[Path], config: Config) -> RunResult:
    """Convert the files under `paths` in memory; nothing is written.

    A file that cannot be read, parsed or converted becomes an error of the result; the others go on. Raises
    `UserError` for a configuration that makes no sense. Configurations and launchers that were found in a folder
    matter only beside code of torch's.
    """
    rules = registry.choose(registry.load(), config.select, config.ignore)
    settings = config.settings()
    words = {word.encode() for rule in rules if not isinstance(rule, DocumentRule) for word in rule.words}
    found = project.discover(paths, config.exclude)
    files: list[FileResult] = []
    errors = list(found.errors)
    parsed = 0
    uses_torch = False
    for path in found.files:
        try:
            data = source.read_bytes(path)
            uses_torch = uses_torch or imports_torch(data)
            if not project.passes_prefilter(data, words):
                continue
            parsed += 1
            files.append(_convert_file(source.decode(path, data), rules, settings))
        except UserError as error:
            errors.append(FileError(project.display_path(path), str(error)))
    matter = found.documents if uses_torch else sorted(found.named)
    documents, unread = convert_documents(matter, found.named, rules, settings)
    files = sorted([*files, *documents], key=lambda file: file.path)
    errors += unread
    return RunResult(settings.target.name, len(found.files), parsed, tuple(files), tuple(errors), len(documents))


def _convert_file(file: source.Source, rules: Sequence[Rule], settings: engine.Settings) -> FileResult:
    shown = project.display_path(file.path)
    result = FileResult(file.path, file.text, file.text, encoding=file.encoding, bom=file.bom)
    try:
        converted = engine.convert(file.text, shown, rules, settings, file.newline)
    except engine.ConversionError as error:
        return replace(result, error=FileError(shown, str(error)))
    return replace(result, after=converted.text, findings=converted.findings)


def write(run: RunResult) -> RunResult:
    """Write the changed files in their places. One that cannot be written keeps its text and gets an error."""
    return replace(run, files=tuple(_written(file, file.path) if file.changed else file for file in run.files))


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
        source.write_atomically(place, source.encode(spelled, file.after))
    except UserError as error:
        return replace(file.as_found(), error=FileError(project.display_path(place), str(error)))
    return file
