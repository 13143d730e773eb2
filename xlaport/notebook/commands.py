"""The commands of a notebook's shell lines, as the text of a script whose lines are those of the joined cells."""

from __future__ import annotations

import re

from xlaport.notebook.cells import Joined
from xlaport.notebook.magics import cell_magic, continued_end, holds_python

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
_COMMAND = re.compile(
    r"[ \t]*(?:[\w.]+[ \t]*=[ \t]*)?(?P<sign>!!?|%(?:sx|system|env|pip|conda|mamba)\b|%%(?:sx|system)\b)"
)
_SHELLS = frozenset({"bash", "sh", "zsh", "system", "sx", ""})
_NAMES_A_PROGRAM = re.compile(r"%(?=pip|conda|mamba)")


def commands_of(joined: Joined) -> str:
    """The commands, each where it stands in the joined text; all else is blank."""
    lines: list[str] = []
    for index, part in enumerate(joined.parts):
        if index:
            lines.append("\n")
        source = part.cell.source
        magic = cell_magic(source)
        if magic is not None and magic[0] in _SHELLS:
            lines += [_blank(source[: magic[1]]), source[magic[1] :]]
        elif part.text != source and part.problem is None and (magic is None or holds_python(magic[0])):
            lines += _commands(source)
        else:
            lines.append(_blank(source))
        lines.append("\n" if part.is_open else "")
    return "".join(lines)


def _commands(source: str) -> list[str]:
    found: list[str] = []
    at = 0
    while at < len(source):
        command = _COMMAND.match(source, at)
        if command is not None:
            end = continued_end(source, command.end())
            # `%pip install x` runs the program pip; the other signs are no part of the command.
            start = _NAMES_A_PROGRAM.match(source, command.start("sign"))
            begin = start.end() if start is not None else command.end()
            found += [_blank(source[at:begin]), source[begin:end]]
            at = end
        line = _LINE.match(source, at)
        end = line.end() if line is not None else len(source)
        found.append(_blank(source[at:end]))
        at = end
    return found


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
