"""The JSON of a notebook: its code cells, and where in the text their sources stand."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xlaport.errors import UserError
from xlaport.finding import Span
from xlaport.source import Source

MAX_BYTES = 100_000_000
"""Most of a large notebook is images of its outputs, which cost little."""

_BLANKS = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()
_PYTHON = frozenset({"python", "ipython", "python2", "python3"})


@dataclass(frozen=True)
class Cell:
    """A code cell."""

    number: int
    """Its place among all cells, those of text included, from 1."""
    source: str
    span: Span
    """Where the JSON of its source stands: a string, or a list of strings."""
    language: str | None = None
    """The language that the cell itself names."""


@dataclass(frozen=True)
class NotebookDocument:
    """A notebook."""

    cells: tuple[Cell, ...]
    language: str | None
    """Of its kernel; None where the notebook does not say."""
    metadata: Mapping[str, Any]
    metadata_span: Span

    @property
    def is_python(self) -> bool:
        """Whether its kernel runs Python, as far as it says."""
        return self.language is None or self.language in _PYTHON


def decode(path: Path, data: bytes) -> Source:
    """The text of a notebook, which is UTF-8 whatever it says; `UserError` if it is not."""
    bom = data.startswith(codecs.BOM_UTF8)
    body = data[len(codecs.BOM_UTF8) :] if bom else data
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        raise UserError(f"is not valid utf-8 at line {line}, as a notebook has to be: save it in Jupyter") from error
    return Source(path, text, "utf-8", bom, "\n")


def read(text: str) -> NotebookDocument:
    """What the text of a notebook says; `UserError` where it is none."""
    try:
        whole = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise UserError(
            f"is not a notebook: its JSON is broken at line {error.lineno}, column {error.colno} ({error.msg}); "
            "restore it, or open and save it in Jupyter"
        ) from None
    except RecursionError:
        raise UserError("is not a notebook: its JSON is nested too deeply") from None
    top = dict(_members(text, _skipped(text, 0))) if isinstance(whole, dict) else {}
    metadata = top.get("metadata", _Value({}, Span(0, 0)))
    cells = list(_cells(text, top))
    if not any(key in top and isinstance(top[key].value, list) for key in ("cells", "worksheets")):
        raise UserError("is not a notebook: its JSON has no cells; export it again from Jupyter, Colab or Kaggle")
    about = metadata.value if isinstance(metadata.value, dict) else {}
    return NotebookDocument(tuple(_code(text, cells)), _language(about), about, metadata.span)


@dataclass(frozen=True)
class _Value:
    """A JSON value and its place."""

    value: Any
    span: Span


def _cells(text: str, top: Mapping[str, _Value]) -> Iterator[_Value]:
    """The cells: of the notebook, or before nbformat 4 of its worksheets."""
    holders: Sequence[Mapping[str, _Value]] = [top]
    if "cells" not in top and "worksheets" in top and isinstance(top["worksheets"].value, list):
        sheets = _items(text, top["worksheets"].span.start)
        holders = [dict(_members(text, sheet.span.start)) for sheet in sheets if isinstance(sheet.value, dict)]
    for holder in holders:
        if "cells" in holder and isinstance(holder["cells"].value, list):
            yield from _items(text, holder["cells"].span.start)


def _code(text: str, cells: Sequence[_Value]) -> Iterator[Cell]:
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell.value, dict) or cell.value.get("cell_type") != "code":
            continue
        members = dict(_members(text, cell.span.start))
        source = members.get("source") or members.get("input")
        if source is None or (joined := _joined(source.value)) is None:
            continue
        yield Cell(number, joined, source.span, _own_language(cell.value))


def _joined(source: object) -> str | None:
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return None


def _language(metadata: Mapping[str, Any]) -> str | None:
    info, kernel = metadata.get("language_info"), metadata.get("kernelspec")
    for holder, key in ((info, "name"), (kernel, "language")):
        if isinstance(holder, dict) and isinstance(name := holder.get(key), str) and name:
            return name.lower()
    return None


def _own_language(cell: Mapping[str, Any]) -> str | None:
    """The language of one cell: nbformat 3 has it beside the code, VS Code in the metadata."""
    metadata = cell.get("metadata")
    editor = metadata.get("vscode") if isinstance(metadata, dict) else None
    named = editor.get("languageId") if isinstance(editor, dict) else cell.get("language")
    return named.lower() if isinstance(named, str) else None


def is_python(language: str | None) -> bool:
    """Whether a language that a cell names is Python."""
    return language is None or language in _PYTHON


# -- JSON with places: the text has been decoded as a whole before, so it is well-formed ----------------------


def _members(text: str, at: int) -> Iterator[tuple[str, _Value]]:
    """The members of the object that begins at an offset."""
    at = _skipped(text, at + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        value = _value(text, _skipped(text, _skipped(text, at) + 1))
        yield key, value
        at = _next(text, value.span.end)


def _items(text: str, at: int) -> Iterator[_Value]:
    """The items of the list that begins at an offset."""
    at = _skipped(text, at + 1)
    while text[at] != "]":
        value = _value(text, at)
        yield value
        at = _next(text, value.span.end)


def strings(text: str, span: Span) -> list[Span]:
    """The places of the strings of a source: of its lines, or of the one string that it is."""
    if text[span.start] != "[":
        return [span]
    return [value.span for value in _items(text, span.start)]


def _value(text: str, start: int) -> _Value:
    value, end = _DECODER.raw_decode(text, start)
    return _Value(value, Span(start, end))


def _next(text: str, end: int) -> int:
    at = _skipped(text, end)
    return _skipped(text, at + 1) if text[at] == "," else at


def _skipped(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found is not None else at
