"""Comments at any place of the programs that the rules are tested with: what they ask to keep is kept."""

from __future__ import annotations

import io
import random
import tokenize
from pathlib import Path

import pytest

from xlaport import registry
from xlaport.engine import ConversionError, Settings, convert
from xlaport.rule import Applicability
from xlaport.suppressions.comments import in_python
from xlaport.targets.known import target

PROGRAMS = sorted((Path(__file__).parent.parent / "snapshots").glob("*/*/before.py"))
CATALOGUE = registry.load()
RULES = registry.choose(CATALOGUE, (), ())
EVERYTHING = Settings(
    target(), frozenset({Applicability.SAFE, Applicability.UNSAFE}), ("XP6", "XP7"), catalogue=CATALOGUE
)
ASKED = ("", "", "[XP]", *(f"[XP{family}]" for family in range(1, 9)))


def commented(text: str, chance: random.Random) -> str:
    """The text with comments behind some of its lines, and above some of its statements."""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    lines = text.split("\n")
    layout = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)
    ends = {t.start[0] - 1 for t in tokens if t.type in (tokenize.NEWLINE, tokenize.NL)}
    behind = sorted(row for row in ends if row < len(lines) and lines[row].strip() and "#" not in lines[row])
    before = [tokenize.NEWLINE, *(t.type for t in tokens if t.type not in layout)]
    code = [t for t in tokens if t.type not in layout]
    first = [t for t, last in zip(code, before, strict=False) if last == tokenize.NEWLINE]
    above = [t.start[0] - 1 for t in first if t.string not in ("else", "elif", "except", "finally", "")]
    for row in chance.sample(behind, min(len(behind), chance.choice((1, 1, 2, 4)))):
        lines[row] += f"  # xlaport: ignore{chance.choice(ASKED)}"
    for row in sorted(chance.sample(above, min(len(above), chance.choice((0, 1, 2)))), reverse=True):
        indent = lines[row][: len(lines[row]) - len(lines[row].lstrip())]
        lines.insert(row, f"{indent}# xlaport: ignore{chance.choice(ASKED)}")
    return "\n".join(lines)


def unindented(text: str) -> str:
    """The text without what stands left of its lines: lines in brackets move with the bracket."""
    return "\n".join(line.strip() for line in text.rstrip("\n").split("\n"))


@pytest.mark.parametrize("seed", range(4))
def test_what_they_keep_is_kept(seed: int) -> None:
    chance = random.Random(seed)
    looked_at = 0
    for path in chance.sample(PROGRAMS, 12):
        text = path.read_bytes().decode("utf-8")
        if "\r" in text or not text.isascii():
            continue
        try:
            convert(text, "a.py", RULES, EVERYTHING)
        except ConversionError:
            continue
        before = commented(text, chance)
        conversion = convert(before, "a.py", RULES, EVERYTHING)
        assert convert(conversion.text, "a.py", RULES, EVERYTHING).text == conversion.text, before
        for comment in in_python(before).all:
            looked_at += 1
            start, end = comment.governs.start, comment.governs.end
            if comment.directive.codes in ((), ("XP",)):
                assert unindented(before[start:end]) in unindented(conversion.text), before
            rows = range(before.count("\n", 0, start) + 1, before.count("\n", 0, end) + 1)
            told = [f for f in conversion.findings if f.line in rows and comment.directive.names(f.code)]
            assert [f for f in told if not f.code.startswith("XP0")] == [], before
    assert looked_at > 10
