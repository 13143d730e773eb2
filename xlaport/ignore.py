"""What git ignores, decided for one folder entry at a time, as git itself does.

pathspec answers for whole paths only: asked about a folder on the way, it takes the usual ``*``, ``!*/``,
``!*.py`` for "ignore every folder". Entry by entry the rules are simple: the last pattern that matches the
entry decides, and nothing in an ignored folder is ever asked about. Character classes by name (``[:alpha:]``)
are not known.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path


@dataclass(frozen=True)
class Ignored:
    """Ignore files on top of each other, the strongest first."""

    layers: tuple[_Layer, ...] = ()

    def with_lines(self, folder: str, lines: Iterable[str]) -> Ignored:
        """These layers and, on top, patterns that are relative to `folder`."""
        return Ignored((_Layer(os.path.join(folder, ""), _runs(lines)), *self.layers))

    def with_file(self, folder: str, path: str) -> Ignored:
        """These layers and, on top, the ignore file at `path` (nothing, if it can't be read)."""
        try:
            if not os.path.isfile(path):  # a pipe would be waited for
                return self
            data = Path(path).read_bytes()
        except OSError:
            return self
        lines = data.decode("utf-8-sig", "surrogateescape").split("\n")
        return self.with_lines(folder, (line.removesuffix("\r") for line in lines))

    def match(self, path: str, is_folder: bool) -> bool:
        """Whether the entry at `path`, in a folder that is not ignored, is ignored."""
        for layer in self.layers:
            relative = path[len(layer.folder) :].replace(os.sep, "/") + "/" * is_folder
            for ignores, pattern in layer.runs:
                if pattern.fullmatch(relative):
                    return ignores
        return False


@dataclass(frozen=True)
class Patterns:
    """Patterns as in a ``.gitignore`` of `folder` (its true path)."""

    folder: str
    lines: tuple[str, ...]

    def match(self, path: str, is_folder: bool = False) -> bool:
        """Whether they match the true path of a file or folder in `folder`, or a folder that it lies in."""
        if not Path(path).is_relative_to(self.folder) or path == self.folder:
            return False
        ignored = self._compiled
        inner = [str(p) for p in Path(path).parents if p.is_relative_to(self.folder) and str(p) != self.folder]
        return any(ignored.match(each, is_folder=True) for each in inner) or ignored.match(path, is_folder)

    @cached_property
    def _compiled(self) -> Ignored:
        return Ignored().with_lines(self.folder, self.lines)


@dataclass(frozen=True)
class _Layer:
    folder: str
    """Where the patterns start from, with a slash at its end."""
    runs: tuple[tuple[bool, re.Pattern[str]], ...]
    """The last first: whether a run of patterns ignores or (``!``) takes back, and all of it as one."""


def around(folder: str) -> Ignored:
    """What the repository around `folder` ignores in it, from the ignore files above it."""
    chain = [folder, *map(str, Path(folder).parents)]
    repository = next((parent for parent in chain if os.path.lexists(os.path.join(parent, ".git"))), None)
    if repository is None:
        return Ignored()
    ignored = Ignored().with_file(repository, os.path.join(_git_folder(repository), "info", "exclude"))
    # From the repository down to the folder, whose own file is read by who enters it.
    for inner in reversed(chain[: chain.index(repository) + 1]):
        if inner != repository and ignored.match(inner, is_folder=True):
            # A folder in an ignored one was named by the user: he means it, and nothing above has a say.
            return Ignored()
        if inner != folder:
            ignored = ignored.with_file(inner, os.path.join(inner, ".gitignore"))
    return ignored


def _git_folder(repository: str) -> str:
    """Where git keeps ``info/exclude``: ``.git``, or what that points to in a worktree or a submodule."""
    folder = os.path.join(repository, ".git")
    try:
        if os.path.isfile(folder):
            pointer = os.fsdecode(Path(folder).read_bytes())
            folder = os.path.join(repository, pointer.removeprefix("gitdir:").strip())
        common = Path(folder, "commondir")
        if common.is_file():
            folder = os.path.join(folder, os.fsdecode(common.read_bytes()).strip())
    except OSError:
        pass
    return folder


def _runs(lines: Iterable[str]) -> tuple[tuple[bool, re.Pattern[str]], ...]:
    rules = [rule for rule in map(_rule, lines) if rule is not None]
    # One expression for each run of patterns with the same effect: asked thousands of times, it pays.
    return tuple(
        (ignores, re.compile("|".join(pattern for _, pattern in run), re.DOTALL))
        for ignores, run in groupby(reversed(rules), key=lambda rule: rule[0])
    )


def _rule(line: str) -> tuple[bool, str] | None:
    """One line of an ignore file: whether it ignores, and an expression for paths (folders: with a slash)."""
    if line.startswith("#"):
        return None
    ignores = not line.startswith("!")
    # Spaces at the end do not count, unless escaped.
    glob = re.sub(r"(?<!\\) +$", "", line.removeprefix("!"))
    only_folders = glob.endswith("/")
    glob = glob.removesuffix("/")
    # With a slash in it a pattern starts from its folder; without, it matches at any depth.
    anywhere = "" if "/" in glob else "(?:.*/)?"
    glob = glob.removeprefix("/")
    tokens = list(_TOKEN.finditer(glob))
    if not tokens or any(token.lastgroup == "bad" for token in tokens):
        return None
    return ignores, anywhere + "".join(map(_expression, tokens)) + ("/" if only_folders else "/?")


_TOKEN = re.compile(
    r"""
    (?P<folders> (?<![^/]) \*\*+ /)       # `**/`: any number of folders, or none
  | (?P<inside>  (?<![^/]) \*\*+ $)       # `/**` at the end: all that is inside
  | (?P<name>    (?<![^/]) \*+ (?![^/]))  # a whole name, which is never empty
  | (?P<star>    \*+)
  | (?P<one>     \?)
  | (?P<set>     \[ [!^]? \]? (?:\\.|[^]\\])* \])
  | (?P<escaped> \\.)
  | (?P<plain>   [^[\\])
  | (?P<bad>     .)                       # an open bracket, a backslash at the end: git matches nothing
    """,
    re.VERBOSE | re.DOTALL,
)

_FIXED = {"folders": "(?:.*/)?", "inside": ".+", "name": "[^/]+", "star": "[^/]*", "one": "[^/]"}


def _expression(token: re.Match[str]) -> str:
    text = token.group()
    if token.lastgroup == "set":
        return _set(text[1:-1])
    return _FIXED.get(str(token.lastgroup)) or re.escape(text[-1])


def _set(inner: str) -> str:
    """The inside of a bracket expression, as one of `re` (that never matches a slash)."""
    negated = inner[:1] in ("!", "^")
    parts = []
    for low, high in re.findall(r"(\\.|.)(?:-(\\.|.))?", inner[negated:], re.DOTALL):
        first, last = low[-1], (high or low)[-1]
        # Of a range that runs backwards, git matches the first character.
        parts.append(f"{re.escape(first)}-{re.escape(max(first, last))}")
    return f"(?!/)[{'^' * negated}{''.join(parts)}]"
