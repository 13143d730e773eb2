"""A run over documents: which of those found are looked at, and what becomes of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from xlaport.documents.convert import convert
from xlaport.documents.document import MAX_BYTES, Document, Kind, decode, kind_of
from xlaport.engine import ConversionError, Settings
from xlaport.errors import UserError
from xlaport.project import display_path
from xlaport.result import FileError, FileResult
from xlaport.rule import DocumentRule, Rule, SuppressionRule
from xlaport.source import read_bytes

_IMPORTS_TORCH = re.compile(rb"^[ \t]*(?:import|from)[ \t]+torch\b", re.MULTILINE)


def imports_torch(data: bytes) -> bool:
    """Whether a Python file, by its bytes, makes its project one of torch: then its documents matter."""
    return b"torch" in data and _IMPORTS_TORCH.search(data) is not None


def convert_documents(
    paths: Iterable[Path], named: Collection[Path], rules: Callable[[Path], Sequence[Rule]], settings: Settings
) -> tuple[list[FileResult], list[FileError]]:
    """Convert documents in memory, each by its own `rules`. Returns those that one may concern, and the errors.

    Of what was found in a folder, files that hold data (large, binary) are passed over; `named` by the user,
    they are errors.
    """
    files: list[FileResult] = []
    errors: list[FileError] = []
    for path in paths:
        try:
            if path not in named and path.stat().st_size > MAX_BYTES:
                continue
            result = _convert(path, read_bytes(path), rules(path), settings)
        except (UserError, OSError) as error:
            if path in named:
                errors.append(FileError(display_path(path), str(error)))
            continue
        if result is not None:
            files.append(result)
    return files, errors


def _convert(path: Path, data: bytes, rules: Sequence[Rule], settings: Settings) -> FileResult | None:
    kind = kind_of(path)
    if kind is None or not any(_may_concern(rule, kind, data) for rule in rules):
        return None
    source = decode(path, data)
    shown = display_path(path)
    result = FileResult(path, source.text, source.text, encoding=source.encoding, bom=source.bom)
    try:
        converted = convert(Document(source.text, kind), shown, rules, settings)
    except ConversionError as error:
        return replace(result, error=FileError(shown, str(error)))
    return replace(result, after=converted.text, findings=converted.findings)


def _may_concern(rule: Rule, kind: Kind, data: bytes) -> bool:
    concerns = kind in rule.kinds if isinstance(rule, DocumentRule) else isinstance(rule, SuppressionRule)
    return concerns and any(word.encode() in data for word in rule.words)
