"""How a report looks where it is printed: how wide, in colors or not, and how much of it."""

from __future__ import annotations

import enum
import io
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_WIDEST, _NARROWEST = 120, 40
"""Columns: a line that is longer is hard to read (what goes to no terminal is as wide); a table has no room in less."""


class Color(str, enum.Enum):
    """What ``--color`` asks for."""

    auto = "auto"
    always = "always"
    never = "never"


class Detail(enum.Enum):
    """How much is told."""

    SUMMARY = "summary"
    """The errors and the totals."""
    FINDINGS = "findings"
    """One entry for each finding; those that are alike, once."""
    EVIDENCE = "evidence"
    """Each finding with its recipe, its notes, and its lines or what became of them."""


_STYLES: Mapping[str, str] = {
    "path": "bold",
    "place": "",
    "code": "cyan",
    "fixed": "green",
    "waits": "yellow",
    "left": "magenta",
    "quiet": "dim",
    "quoted": "bold",
    " ": "dim",
    "-": "red",
    "+": "green",
    "@": "cyan",
    "error": "bold red",
    "next": "bold",
}


@dataclass(frozen=True)
class Look:
    """How a report looks. `width` in columns."""

    width: int = _WIDEST
    color: bool = False
    detail: Detail = Detail.FINDINGS

    def text(self, role: str, words: str) -> Text:
        """Words that look like what they are."""
        from rich.text import Text

        return Text(words, style=_STYLES[role])

    def prose(self, words: str) -> Text:
        """A sentence; the code in it, in backticks, stands out."""
        text = self.text("place", words)
        for match in re.finditer(r"`[^`]*`", words):
            text.stylize(_STYLES["quoted"], *match.span())
        return text

    def render(self, parts: Iterable[RenderableType]) -> str:
        """The parts, one below the other; each line ends with a newline, and none with a space."""
        from rich.console import Console

        stream = io.StringIO()
        console = Console(
            file=stream, width=self.width, force_terminal=self.color, color_system="standard" if self.color else None,
            no_color=not self.color, highlight=False, markup=False, emoji=False, legacy_windows=False, _environ={},
        )  # fmt: skip
        for part in parts:
            if getattr(part, "no_wrap", None):  # `print` joins texts, and what comes out wraps
                console.print(part, no_wrap=True, overflow="ignore", crop=False)
            else:
                console.print(part)
        # A table fills its lines up with spaces, a styled one up to the escape sequence that ends it.
        return re.sub(r" +((?:\x1b\[0m)?)(?=\n)", r"\1", stream.getvalue())


def look(stream: TextIO, color: Color = Color.auto, detail: Detail = Detail.FINDINGS) -> Look:
    """How a report looks on a stream: what the command line says, then NO_COLOR and FORCE_COLOR, then what it is."""
    is_terminal = stream.isatty()
    # The variable COLUMNS counts on a terminal and elsewhere.
    width = shutil.get_terminal_size((_WIDEST, 24)).columns if is_terminal or "COLUMNS" in os.environ else _WIDEST
    return Look(max(_NARROWEST, min(width, _WIDEST)), wants_color(is_terminal, color), detail)


def wants_color(is_terminal: bool, color: Color = Color.auto) -> bool:
    """Whether there are colors, as https://no-color.org and https://force-color.org have it."""
    if color is not Color.auto:
        return color is Color.always
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (is_terminal and os.environ.get("TERM") != "dumb")
