"""A shell's words with their exact places: quotes, expansions, comments, here-documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from xlaport.documents.document import NEWLINE
from xlaport.finding import Span


@dataclass(frozen=True)
class Word:
    """One word of a command: as it is written, and what it says where the shell computes nothing in it."""

    text: str
    value: str | None
    span: Span

    @property
    def inner(self) -> Span:
        """The word without the quotes around the whole of it."""
        return self.tail(0)

    def tail(self, start: int) -> Span:
        """What follows the first `start` characters, without the quotes around the whole of that."""
        rest = self.text[start:]
        quoted = len(rest) >= 2 and rest[0] == rest[-1] and rest[0] in "\"'" and rest[0] not in rest[1:-1]
        return Span(self.span.start + start + quoted, self.span.end - quoted)


_CONTINUED = re.compile(r"\\(?:\r\n|\r|\n)")
_HEREDOC = re.compile(r"<<(-?)[ \t]*(?:'([^'\r\n]+)'|\"([^\"\r\n]+)\"|\\?(\w[\w.-]*))")
_LITERAL = re.compile(r"[^\s\\'\"$`;&|()<>]+")
_ITEM = re.compile(r'"((?:[^"\\]|\\.)*)"')


def values(text: str, span: Span) -> Iterator[Word]:
    """The strings of a list as JSON writes it, as words."""
    for match in _ITEM.finditer(text, span.start, span.end):
        yield Word(match[0], match[1] if "\\" not in match[1] else None, Span(match.start(), match.end()))


class Scanner:
    """Cuts a text into commands, each a list of words."""

    def __init__(self, text: str, comments_inside: bool = False) -> None:
        self.text = text
        self.comments_inside = comments_inside
        """Whether a line that is a comment may stand inside of a continued command, as in a Dockerfile."""
        self._found: list[list[Word]] = []

    def scan(self, start: int, end: int) -> list[list[Word]]:
        """The commands between two offsets; those inside of others follow them."""
        self._found = []
        self._commands(start, end)
        return sorted(self._found, key=lambda words: words[0].span)

    def _commands(self, start: int, end: int) -> None:
        text = self.text
        words: list[Word] = []
        heredocs: list[str] = []
        while start < end:
            character = text[start]
            if continued := _CONTINUED.match(text, start, end):
                start = continued.end()
            elif character in " \t\f\v":
                start += 1
            elif character == "#":
                start = self._line_end(start, end)
                if self.comments_inside and words and (newline := NEWLINE.match(text, start)):
                    start = newline.end()
            elif character in "\r\n":
                words = self._finish(words)
                start += 1
                for delimiter in heredocs:
                    start = self._behind_heredoc(start, end, delimiter)
                heredocs.clear()
            elif character in ";|()" or (character == "&" and text[start - 1 : start] not in (">", "<")):
                if text.startswith("&>", start):
                    start += 1
                else:
                    words = self._finish(words)
                start += 1
            elif character in "<>&":
                heredoc = _HEREDOC.match(text, start, end) if not text.startswith("<<<", start) else None
                if heredoc:
                    heredocs.append(next(part for part in heredoc.groups()[1:] if part))
                    start = heredoc.end()
                else:
                    start += 3 if text.startswith("<<<", start) else 1
            else:
                word = self._word(start, end)
                words.append(word)
                start = word.span.end
        self._finish(words)

    def _finish(self, words: list[Word]) -> list[Word]:
        if words:
            self._found.append(words)
        return []

    def _line_end(self, start: int, end: int) -> int:
        newline = NEWLINE.search(self.text, start, end)
        return newline.start() if newline else end

    def _behind_heredoc(self, start: int, end: int, delimiter: str) -> int:
        line = start
        while line < end:
            stop = self._line_end(line, end)
            newline = NEWLINE.match(self.text, stop, end)
            behind = newline.end() if newline else end
            if self.text[line:stop].strip() == delimiter:
                return behind
            line = max(behind, line + 1)
        return end

    def _word(self, start: int, end: int) -> Word:
        text = self.text
        value: list[str] | None = []
        place = start
        while place < end:
            character = text[place]
            said: str | None = None
            if literal := _LITERAL.match(text, place, end):
                said, behind = literal[0], literal.end()
            elif character == "'":
                closing = text.find("'", place + 1, end)
                behind = end if closing < 0 else closing + 1
                said = text[place + 1 : behind - 1]
            elif character == '"':
                said, behind = self._double(place, end)
            elif character == "\\" and not _CONTINUED.match(text, place):
                said, behind = text[place + 1 : place + 2], place + 2
            elif character in "$`":
                said, behind = self._expansion(place, end)
            else:
                break
            value = None if said is None or value is None else [*value, said]
            place = min(max(behind, place + 1), end)
        place = max(place, start + 1)
        return Word(text[start:place], None if value is None else "".join(value), Span(start, place))

    def _double(self, start: int, end: int) -> tuple[str | None, int]:
        """What a string in double quotes says, if nothing in it is computed, and the offset behind it."""
        text = self.text
        place = start + 1
        plain = True
        while place < end and text[place] != '"':
            if text[place] == "\\":
                place += 2
                plain = False
            elif text[place] in "$`":
                said, place = self._expansion(place, end)
                plain = plain and said is not None
            else:
                place += 1
        return (text[start + 1 : place] if plain else None), min(place + 1, end)

    def _expansion(self, start: int, end: int) -> tuple[str | None, int]:
        """The offset behind the expansion at `start`; what it says, if it is a mere ``$``."""
        text = self.text
        if text[start] == "`":
            closing = text.find("`", start + 1, end)
            if closing < 0:
                return None, end
            self._commands(start + 1, closing)
            return None, closing + 1
        if text.startswith("$((", start):
            closing = text.find("))", start, end)
            return None, end if closing < 0 else closing + 2
        if text.startswith(("$(", "${"), start):
            behind = self._balanced(start + 1, end)
            if text[start + 1] == "(":
                self._commands(start + 2, behind - 1)
            return None, behind
        name = re.compile(r"\$(?:\w+|[@*#?!$-])").match(text, start, end)
        return (None, name.end()) if name else ("$", start + 1)

    def _balanced(self, start: int, end: int) -> int:
        """The offset behind the bracket that closes the one at `start`; quotes hide brackets."""
        text = self.text
        opening, closing = text[start], {"(": ")", "{": "}"}[text[start]]
        depth, place = 0, start
        while place < end:
            character = text[place]
            if character == "\\":
                place += 1
            elif character == "'" and opening == "(":
                found = text.find("'", place + 1, end)
                place = end if found < 0 else found
            elif character == '"':
                found = place + 1
                while found < end and text[found] != '"':
                    found += 2 if text[found] == "\\" else 1
                place = found
            elif character == opening:
                depth += 1
            elif character == closing:
                depth -= 1
                if not depth:
                    return place + 1
            place += 1
        return end
