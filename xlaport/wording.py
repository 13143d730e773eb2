"""What is said to people, as data: the file `texts.toml` beside the rules that say it.

A text is a table under the code of its rule and a word for the case:

    [XP301.branch]
    message = "`{what}` is read from the device in every pass of the loop in line {loop}: the host waits for the TPU."
    recipe = "Look at it every n-th step, or decide on the device."
    snippet = '''
    if step % 100 == 0:
        print({what}.item())
    '''

`message` is one line: what, and what it costs on a TPU, in at most 25 words. `recipe` says what to do, in at most 60
words, and `snippet` shows it in code; both may be left out. Braces hold the names of the user's own code (`{{` is a
brace). Code stands in backticks. `harm`, such as "STOPS", says what it costs where that is not what the rule's other
findings cost (`xlaport.rule.Harm`). A table ``[phrases]`` holds parts that several messages are made with.

What a target calls for in other words stands in ``texts.<table>.toml`` beside it (`xlaport.target.Target.table`), under
the same keys and with the same names.

`xlaport verify` says its own in the same way, under the kinds of its findings.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

FILE = "texts.toml"
PHRASES = "phrases"

_spoken_of: ContextVar[str] = ContextVar("spoken_of", default="")


@contextlib.contextmanager
def speaking_of(table: str) -> Iterator[None]:
    """What is said in this block is said of the target with this table (`Target.table`); empty for torch_xla."""
    token = _spoken_of.set(table)
    try:
        yield
    finally:
        _spoken_of.reset(token)


@dataclass(frozen=True)
class Text:
    """What is said of one place: the finding in one line, what to do, and how that looks in code."""

    message: str
    recipe: str = ""
    snippet: str = ""
    harm: str = ""
    """The name of a `Harm`, where it is not the rule's."""
    code: str = ""
    """The code of the rule, or the kind of what `verify` found."""
    of_tables: tuple[tuple[str, Text], ...] = ()
    """The same for the targets for which it is another, by `xlaport.target.Target.table`."""

    def of(self, table: str) -> Text:
        """What is said for the target with this table."""
        return dict(self.of_tables).get(table, self)

    def without_recipe(self) -> Text:
        """The same, where there is nothing to do about it."""
        return replace(self, recipe="")


class Wording:
    """The texts of a folder of rules. The file is read when the first is asked for."""

    def __init__(self, folder: Path | str) -> None:
        self.path = Path(folder, FILE)

    def __call__(self, key: str, **names: object) -> Text:
        """The text of a key, such as ``XP301.branch``, with the names filled in.

        Raises `KeyError` for a key that the file does not have, and for a name that is not given.
        """
        others = tuple(
            (table, _filled(texts[key], key, names))
            for table, (texts, _) in _tables_of(self.path).items()
            if key in texts
        )
        return replace(_filled(self.entries()[key], key, names), of_tables=others).of(_spoken_of.get())

    def phrase(self, key: str, **names: object) -> str:
        """A part of a message. Raises `KeyError` for what is missing."""
        _, others = _tables_of(self.path).get(_spoken_of.get(), ({}, {}))
        return (others.get(key) or self.phrases()[key]).format_map(names)

    def entries(self) -> Mapping[str, Mapping[str, str]]:
        """The parts of each text, as the file has them, by its key."""
        return _read(self.path)[0]

    def for_table(self, table: str) -> Mapping[str, Mapping[str, str]]:
        """The parts of the texts for the targets with this table alone, by their keys."""
        return _tables_of(self.path).get(table, ({}, {}))[0]

    def phrases(self) -> Mapping[str, str]:
        """The phrases, as the file has them."""
        return _read(self.path)[1]


def _filled(entry: Mapping[str, str], key: str, names: Mapping[str, object]) -> Text:
    filled = {part: text.format_map(names) for part, text in entry.items()}
    return Text(
        filled["message"],
        filled.get("recipe", ""),
        filled.get("snippet", ""),
        filled.get("harm", ""),
        key.partition(".")[0],
    )


@cache
def _tables_of(path: Path) -> Mapping[str, tuple[Mapping[str, Mapping[str, str]], Mapping[str, str]]]:
    """The texts and phrases for one target each, by its table: the files ``texts.<table>.toml``."""
    pattern = f"{path.stem}.*{path.suffix}"
    return {other.name.split(".")[1]: _read(other) for other in sorted(path.parent.glob(pattern))}


@cache
def _read(path: Path) -> tuple[Mapping[str, Mapping[str, str]], Mapping[str, str]]:
    # Not above: the recorder has these modules on a Python without tomli, and says nothing (`verify/package.py`).
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    with path.open("rb") as file:
        tables = tomllib.load(file)
    phrases = tables.pop(PHRASES, {})
    texts = {
        f"{code}.{case}": {part: text.strip("\n") for part, text in parts.items()}
        for code, cases in tables.items()
        for case, parts in cases.items()
    }
    return texts, phrases
