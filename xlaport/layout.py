"""What edits owe the lines around them: no blank line too many, and arguments that stay below their bracket."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import groupby, zip_longest

from xlaport.splices import Splice, apply


def laid_out(text: str, splices: Sequence[Splice]) -> list[Splice]:
    """The splices, with those that close the gaps they leave and move the lines aligned to what they move."""
    closed = _with_closed_gaps(text, splices)
    return [*closed, *_realigned(text, closed)]


def _with_closed_gaps(text: str, splices: Sequence[Splice]) -> list[Splice]:
    """The splices and, where they take a whole paragraph out, one that takes one of its two blank lines.

    A paragraph may go by several splices; it stays one as long as something is put in its place. No blank line stays
    at either end of the text, nor at the beginning of a block.
    """
    filled = {splice.start for splice in splices if splice.text}
    gaps: list[Splice] = []
    start = end = -1
    for splice in sorted((s for s in splices if _takes_lines(text, s)), key=lambda s: s.start):
        if splice.start != end:
            start = splice.start
        end = splice.end
        if any(start <= place <= end for place in filled):
            continue
        after = _LINE.match(text, end)
        if end == len(text):
            gaps.append(Splice(_blank_lines_before(text, start), start, ""))
        elif start == 0 or _begins_a_block(text, start):
            blank = _BLANK_LINES.match(text, end)
            gaps.append(Splice(end, blank.end() if blank is not None else end, ""))
        elif after is not None and not after[0].strip() and _is_behind_a_blank_line(text, start):
            gaps.append(Splice(end, after.end(), ""))
    closing = (gap for gap in gaps if gap.start < gap.end)
    return [*splices, *(gap for gap in closing if not any(gap.conflicts(splice) for splice in splices))]


def _takes_lines(text: str, splice: Splice) -> bool:
    """Whether a splice takes whole lines out and puts nothing in their place."""
    ends = (splice.start, splice.end)
    return (
        splice.start < splice.end
        and not splice.text
        and all(place in (0, len(text)) or text[place - 1] in "\r\n" for place in ends)
    )


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)")


_BLANK_LINES = re.compile(r"(?:[ \t\f]*\r?\n)*")


def _begins_a_block(text: str, start: int) -> bool:
    """Whether the line that begins at `start` is the first one behind ``if x:``, and not behind a comment like it."""
    last = text.rfind("\n", 0, max(start - 1, 0)) + 1
    above = text[last:start].strip()
    return above.endswith(":") and not above.startswith("#")


def _blank_lines_before(text: str, start: int) -> int:
    """Where the blank lines above a line that begins at `start` begin; `start` if there are none."""
    kept = len(text[:start].rstrip())
    line = _LINE.match(text, kept)
    return line.end() if line is not None and line.end() <= start else start


def _is_behind_a_blank_line(text: str, start: int) -> bool:
    """Whether the line before the one that begins at `start` is blank."""
    if start == 0:
        return False
    end = start - (2 if text.endswith("\r\n", 0, start) else 1)
    first = max(text.rfind("\n", 0, end), text.rfind("\r", 0, end)) + 1
    return not text[first:end].strip()


# -- aligned lines -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Opening:
    """What follows an open bracket in its line."""

    line: int
    """The offset of the line."""
    column: int

    @property
    def offset(self) -> int:
        return self.line + self.column


def _realigned(text: str, splices: Sequence[Splice]) -> list[Splice]:
    """For each line that stays and was aligned to a bracket that moves: what moves it by as much."""
    if not any(_leaves_a_bracket_open(text, splice) for splice in splices):
        return []
    changed = {_line_start(text, splice.start) for splice in splices}
    moved: list[Splice] = []
    for line, opening in _aligned_lines(text):
        if opening.line not in changed:
            continue
        column = _new_column(text, [*splices, *moved], opening)
        touched = any(s.start < line + opening.column and s.end >= line for s in splices)
        if touched or column in (None, opening.column):
            continue
        changed.add(line)
        longer = column - opening.column
        moved.append(Splice(line, line, " " * longer) if longer > 0 else Splice(line, line - longer, ""))
    return moved


def _leaves_a_bracket_open(text: str, splice: Splice) -> bool:
    """Whether a line that a splice changes has more brackets opened than closed; a quick look, strings included."""
    end = text.find("\n", splice.end)
    line = text[_line_start(text, splice.start) : end if end >= 0 else len(text)]
    return sum(map(line.count, "([{")) > sum(map(line.count, ")]}"))


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def _aligned_lines(text: str) -> Iterator[tuple[int, _Opening]]:
    """The offsets of the lines inside of brackets that begin below what follows the innermost one, with that.

    What Python's tokenizer refuses has no such lines behind it.
    """
    starts = [0, *(match.end() for match in re.finditer("\n", text)), len(text)]
    openings: list[_Opening | None] = []
    """For each open bracket what follows it in its line, if anything does."""
    strings = 0
    try:
        for number, group in groupby(tokenize.generate_tokens(StringIO(text).readline), lambda token: token.start[0]):
            start, tokens = starts[number - 1], list(group)
            first, opening = tokens[0].start[1], openings[-1] if openings else None
            is_code = not strings and tokens[0].type != tokenize.NL and not text[start : start + first].strip(" ")
            if is_code and opening is not None and opening.column == first:
                yield start, opening
            for token, behind in zip_longest(tokens, tokens[1:]):
                kind = tokenize.tok_name[token.type]
                strings += {"FSTRING_START": 1, "FSTRING_END": -1}.get(kind, 0)
                if kind == "OP" and token.string in "([{":
                    follows = behind is not None and behind.type not in (tokenize.NL, tokenize.COMMENT)
                    openings.append(_Opening(start, behind.start[1]) if follows else None)
                elif kind == "OP" and token.string in ")]}" and openings:
                    openings.pop()
    except (tokenize.TokenError, SyntaxError):
        return


def _new_column(text: str, splices: Sequence[Splice], opening: _Opening) -> int | None:
    """The column that a place will have; None where a splice covers it or reaches into its line from above."""
    start, offset = opening.line, opening.offset
    if any(s.start < place < s.end for s in splices for place in (start, offset)):
        return None
    before = [Splice(s.start - start, s.end - start, s.text) for s in splices if start <= s.start < offset]
    return len(re.split("[\r\n]", apply(text[start:offset], before))[-1])
