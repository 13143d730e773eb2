"""The scalars of a configuration file, whatever it is written in."""

from __future__ import annotations

import re

from xlaport.documents.document import NEWLINE, Document, Kind
from xlaport.documents.entry import ITEM, Entry, Unreadable
from xlaport.documents.flow import Dialect, Reader
from xlaport.finding import Span


def entries(document: Document) -> tuple[Entry, ...]:
    """The scalars in the order of the text; none where the text is not what its name promises."""
    try:
        found = _READERS[document.kind](document.text)
    except (Unreadable, RecursionError):  # brackets a thousand deep
        return ()
    return tuple(found)


def _yaml(text: str) -> list[Entry]:
    from xlaport.documents import yaml_entries  # here: it loads PyYAML, which few runs need

    return yaml_entries.read(text)


def _json(text: str) -> list[Entry]:
    reader = Reader(text, Dialect.JSON)
    if reader.skip(reader.value(0, ())) != len(text):
        raise Unreadable
    return reader.entries


_HEADER = re.compile(r"(\[\[?)([^\]\r\n]*)(\]\]?)")
_PART = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|([\w-]+))\s*(?:\.|$)")


def _toml(text: str) -> list[Entry]:
    reader = Reader(text, Dialect.TOML)
    table: tuple[str, ...] = ()
    start = reader.skip(0)
    while start < len(text):
        if header := _HEADER.match(text, start):
            table = tuple(next(filter(None, part.groups()), "") for part in _PART.finditer(header[2]))
            table += (ITEM,) * (len(header[1]) - 1)
            start = header.end()
        else:
            key, start = reader.key(start)
            start = reader.value(start, (*table, *key))
        start = reader.skip(start)
    return reader.entries


_SECTION = re.compile(r"\[([^\]]+)\]")
_OPTION = re.compile(r"(?P<key>[^\s#;=:\[][^=:]*?)[ \t]*(?:[=:][ \t]*(?P<value>.*))?$")
_INI_VALUE = re.compile(r"[ \t]*(?P<value>.*?)[ \t]*(?:[ \t][#;].*)?$")


def _ini(text: str) -> list[Entry]:
    """As `configparser` reads it; quotes around a value are no part of it."""
    found: list[Entry] = []
    section: tuple[str, ...] = ()
    option: tuple[str, ...] | None = None
    start = 0
    while start < len(text):
        newline = NEWLINE.search(text, start)
        end = newline.start() if newline else len(text)
        line = text[start:end]
        if not line.strip() or line.lstrip().startswith(("#", ";")):
            pass
        elif line[0] in " \t":
            if option is not None:
                found += _ini_value(text, start, end, (*section, *option, ITEM))
        elif header := _SECTION.match(line):
            section, option = (header[1],), None
        elif match := _OPTION.match(line):
            option = (match["key"],)
            if match["value"] is not None:
                found += _ini_value(text, start + match.start("value"), end, (*section, *option))
        else:
            raise Unreadable
        start = newline.end() if newline else len(text)
    return found


def _ini_value(text: str, start: int, end: int, keys: tuple[str, ...]) -> list[Entry]:
    match = _INI_VALUE.match(text[start:end])
    if match is None or not match["value"] or match["value"][0] in "#;":
        return []
    outer = Span(start + match.start("value"), start + match.end("value"))
    value = match["value"]
    quotes = len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'"
    inner = Span(outer.start + 1, outer.end - 1) if quotes else outer
    return [Entry(keys, text[inner.start : inner.end], outer, inner)]


_READERS = {Kind.YAML: _yaml, Kind.JSON: _json, Kind.TOML: _toml, Kind.INI: _ini}
