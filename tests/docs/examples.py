"""The marked blocks of a page, and what running them prints.

`<!-- file: NAME -->` before a block: it is a file of that name. `<!-- run -->` before a console block: its commands,
the lines that begin with ``$ ``, are run one after the other, and print what stands below them; ``...`` stands for
anything, also for lines. `<!-- run: 2 -->` says how the last of them exits; without it, 0 and 1 will do.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ANYTHING = "..."
_BLOCK = re.compile(r"^<!-- (file|run)(?:: (\S+))? -->\n```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"^```(\w+)$", re.MULTILINE)
_OF_AUTHORS = ("rule-authors.md", "writing.md")
_UNMARKED = ("sh", "text")
"""Languages of blocks that show what is not run: how to install, how to call something on another machine."""


@dataclass(frozen=True)
class Printed:
    """What a command prints, and how it exits."""

    output: str
    code: int
    errors: str = ""


def pages() -> list[Path]:
    """The pages that may have examples: all but those that say how pages and rules are written."""
    found = sorted((ROOT / "docs").rglob("*.md"))
    return [ROOT / "README.md", *(page for page in found if page.name not in _OF_AUTHORS)]


def unmarked(text: str) -> int:
    """How many blocks are neither a file nor run."""
    return sum(language not in _UNMARKED for language in _FENCE.findall(_BLOCK.sub("", text)))


def matches(expected: str, actual: str) -> bool:
    """Whether an output is as written."""
    parts = [re.escape(part) for part in expected.strip().split(ANYTHING)]
    return re.fullmatch(".*?".join(parts), actual.strip(), re.DOTALL) is not None


def play(
    text: str, folder: Path, run: Callable[[list[str]], Printed], *, update: bool = False
) -> tuple[str, list[str]]:
    """Write the files of a page into a folder, and run its commands there.

    Returns the page, and what is not as it says. With `update`, outputs without ``...`` become what is printed now.
    """
    wrong: list[str] = []

    def step(match: re.Match[str]) -> str:
        what, argument, _, body = match.groups()
        if what == "file":
            place = folder / argument
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(body, encoding="utf-8")
            return match[0]
        commands = re.split(r"^(?=\$ )", body, flags=re.MULTILINE)
        new = "".join(_played(command, argument, run, wrong, update) for command in commands)
        return match[0].replace(f"\n{body}```", f"\n{new}```")

    return _BLOCK.sub(step, text), wrong


def _played(text: str, code: str | None, run: Callable[[list[str]], Printed], wrong: list[str], update: bool) -> str:
    """One command with its output, as it is now."""
    if not text.startswith("$ "):
        return text
    command, _, expected = text.partition("\n")
    words = shlex.split(command.removeprefix("$ "))
    done = run(words)
    if done.code not in ((0, 1) if code is None else (int(code),)):
        wrong.append(f"{command} exits with {done.code}\n{done.output[-2000:]}\n{done.errors[-2000:]}")
    elif not matches(expected, done.output):
        if update and ANYTHING not in expected:
            return f"{command}\n{done.output.strip()}\n"
        wrong.append(f"{command} prints\n{done.output}\n{done.errors[-2000:]}")
    return text
