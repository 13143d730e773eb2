"""Measures what the rules say: `python -m tools.wording [CODE…]` lists what is too long or against the style list.

It reads the messages, recipes and snippets of the cases in `tests/snapshots/` (all of them, or those of codes that
begin so), and ends with exit code 1 where it lists anything. `tests/wording/` asserts the same.
"""

from __future__ import annotations

import re
import statistics
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parent.parent
SNAPSHOTS = ROOT / "tests" / "snapshots"
STYLE = ROOT / "tests" / "wording" / "style.toml"
LONGEST_MESSAGE = 25
LONGEST_RECIPE = 60
LONGEST_SNIPPET = 12
"""Lines."""

_FINDING = re.compile(r"(?:\S+:)?(?:cell \d+:)?\d+:\d+ ([A-Z]+\d+) (possible|\w+ (?:open|fixed)): (.*)")
_CODE = re.compile(r"`[^`]*`")


@dataclass
class Said:
    """What one finding of a case says."""

    case: str
    code: str
    message: str
    recipe: str = ""
    snippet: list[str] = field(default_factory=list)


def words(text: str) -> int:
    """The words of a text; code in backticks counts as one."""
    return len(_CODE.sub("code", text).split())


def said(codes: Sequence[str] = ()) -> Iterator[Said]:
    """What the findings of the cases say, those of rules whose code begins so."""
    for path in sorted(SNAPSHOTS.glob("*/*/findings.txt")):
        found: list[Said] = []
        for line in path.read_text(encoding="utf-8").split("\n"):
            if match := _FINDING.fullmatch(line):
                found.append(Said(f"{path.parent.parent.name}/{path.parent.name}", match[1], match[3]))
            elif line.startswith("    recipe: "):
                found[-1].recipe = line.removeprefix("    recipe: ")
            elif line.startswith("    |"):
                found[-1].snippet.append(line[6:])
        yield from (each for each in found if not codes or each.code.startswith(tuple(codes)))


@cache
def style() -> tuple[tuple[re.Pattern[str], str], ...]:
    """What is not written, and what is written instead."""
    with STYLE.open("rb") as file:
        entries = tomllib.load(file)["avoid"]
    return tuple((re.compile(rf"\b(?:{entry['words']})(?!\w)", re.IGNORECASE), entry["write"]) for entry in entries)


def faults(each: Said) -> Iterator[str]:
    """What is wrong with a text."""
    for name, text, most in (("message", each.message, LONGEST_MESSAGE), ("recipe", each.recipe, LONGEST_RECIPE)):
        if words(text) > most:
            yield f"{name} of {words(text)} words, {most} at most: {text}"
        plain = _CODE.sub("`code`", text)
        for pattern, instead in style():
            if match := pattern.search(plain):
                yield f"{name} says '{match[0]}', write {instead}: {text}"
        if text.endswith(".") and name == "message":
            yield f"message ends with a full stop: {text}"
        if text.count("`") % 2:
            yield f"{name} has a backtick without another: {text}"
    if len(each.snippet) > LONGEST_SNIPPET:
        yield f"snippet of {len(each.snippet)} lines, {LONGEST_SNIPPET} at most"


def main(codes: Sequence[str]) -> int:
    """Print the faults, each once, and the lengths. Returns the exit code."""
    found = list(said(codes))
    seen: dict[str, str] = {}
    for each in found:
        for fault in faults(each):
            seen.setdefault(f"{each.code} {fault}", each.case)
    for fault, case in seen.items():
        print(f"{case}: {fault}")
    print(summary(found))
    return 1 if seen else 0


def summary(found: Iterable[Said]) -> str:
    """The lengths, in one line."""
    messages = [words(each.message) for each in found]
    return f"{len(messages)} messages: median {statistics.median(messages)} words, longest {max(messages)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
