"""What IPython understands in a cell and Python does not: magics, shell lines, questions, other languages.

Each is hidden in a placeholder with as many lines, and the rest stays where it is. No line that is hidden could be
Python: none of its statements begins with one of these signs, ends with a question mark, or assigns ``!`` or ``%``.
(See "Input transformation" in IPython's documentation.)
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass

from xlaport.notebook import placeholders

_PYTHON_CELLS = frozenset(
    "capture debug heat ipytest lprun memit mprun notify prun pyinstrument scalene snakeviz time timeit wandb".split()
)
"""Cell magics below which Python of the notebook's own names stands."""

_CELL_MAGIC = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*(?P<line>%%(?P<name>\w*)[^\r\n]*)")
_INDENT = re.compile(r"[ \t\f]*")
_SIGNS = frozenset("!%?,;/")
_CONTINUED_LINE = re.compile(r"(?:[^\r\n]*\\(?:\r\n|\r|\n))*[^\r\n]*")
_TOKEN = re.compile(
    r"""
      (?P<plain>[^#"'()\[\]{}\\\r\n=?]+ | \#[^\r\n]* | \\(?:\r\n|\r|\n)
        | \"{3}(?:[^\\]|\\.)*?\"{3} | '{3}(?:[^\\]|\\.)*?'{3}
        | "(?:[^"\\\r\n]|\\(?:\r\n|.))*" | '(?:[^'\\\r\n]|\\(?:\r\n|.))*')
    | (?P<open>[(\[{])
    | (?P<close>[)\]}])
    | (?P<end>\r\n|\r|\n)
    | (?P<assigned>=[ \t]*(?=!(?!=)|%{1,2}[^\W\d]))
    | (?P<question>\?)
    | .
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True)
class Masked:
    """A cell as Python can read it."""

    text: str
    problem: tuple[int, str] | None = None
    """Why all of the cell is hidden, where it should have been Python: the line in it, and what is wrong there."""


def mask(source: str) -> Masked:
    """The cell with all that is not Python hidden."""
    problem = _problem(source)
    if problem is None:
        # A marker of our own in the user's text could not be told apart from one that stands for something.
        if not placeholders.is_taken(source):
            return Masked(source)
        return Masked(placeholders.statement(source), (1, "it holds a name that xlaport uses for itself"))
    magic = _CELL_MAGIC.match(source)
    if placeholders.is_taken(source) or (magic is not None and not holds_python(magic["name"])):
        return Masked(placeholders.statement(source))
    start = magic.end("line") if magic is not None else 0
    head = "" if magic is None else source[: magic.start("line")] + placeholders.statement(magic["line"])
    text = head + _without_magics(source[start:])
    problem = _problem(text)
    return Masked(text) if problem is None else Masked(placeholders.statement(source), problem)


def holds_python(name: str) -> bool:
    """Whether what stands below a cell magic is Python of the notebook's own names."""
    return name in _PYTHON_CELLS


def cell_magic(source: str) -> tuple[str, int] | None:
    """The name of the magic that a whole cell is for, and where the text below it begins."""
    found = _CELL_MAGIC.match(source)
    return (found["name"], found.end()) if found is not None else None


def _problem(text: str) -> tuple[int, str] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return error.lineno or 1, error.msg
    except (RecursionError, MemoryError):
        return 1, "it is nested too deeply"
    except ValueError as error:  # null characters, lone surrogates
        return 1, " ".join(str(error).split())
    return None


def _without_magics(source: str) -> str:
    """The lines, each logical line with something of IPython's hidden as a whole or from the sign on."""
    pieces: list[str] = []
    at = 0
    while at < len(source):
        indent = _INDENT.match(source, at)
        start = indent.end() if indent is not None else at
        if source[start : start + 1] in _SIGNS and start < len(source):
            end = continued_end(source, start)
            pieces += [source[at:start], placeholders.statement(source[start:end])]
        else:
            end = _python(source, at, start, pieces)
        at = end
        if source.startswith("\r\n", at):
            pieces.append("\r\n")
            at += 2
        elif at < len(source) and source[at] in "\r\n":
            pieces.append(source[at])
            at += 1
    return "".join(pieces)


def _python(source: str, at: int, start: int, pieces: list[str]) -> int:
    """Add a logical line of Python, which may hold a question or assign a magic; returns where it ends."""
    depth, end = 0, start
    while end < len(source) and (token := _TOKEN.match(source, end)) is not None:
        kind = token.lastgroup
        if kind == "end" and depth <= 0:
            break
        if kind == "assigned" and depth == 0:
            hidden = continued_end(source, token.end())
            pieces += [source[at : token.end()], placeholders.value(source[token.end() : hidden])]
            return hidden
        if kind == "question" and re.match(r"\?*[ \t]*(?=[\r\n]|\Z)", source[end:]):
            last = continued_end(source, end)
            pieces += [source[at:start], placeholders.statement(source[start:last])]
            return last
        depth += (kind == "open") - (kind == "close")
        end = token.end()
    pieces.append(source[at:end])
    return end


def continued_end(source: str, start: int) -> int:
    """Where a line ends that goes on below each backslash at its end."""
    found = _CONTINUED_LINE.match(source, start)
    return found.end() if found is not None else len(source)
