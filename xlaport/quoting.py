"""What an f-string can hold: an edit in one is written so that it does not end the string, for every Python."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from functools import cached_property

from xlaport.facts import fstrings
from xlaport.facts.module import Module
from xlaport.rule import Replace, Span

_QUOTE = re.compile(r"[A-Za-z]{0,2}['\"]")


class Quoting:
    """Fits edits into the f-strings of one file."""

    def __init__(self, module: Module) -> None:
        self.module = module

    def fitted(self, edit: Replace) -> str | None:
        """The new code, with other quotes where it stands inside of an f-string; None where it cannot stand there."""
        index = bisect_left(self._strings, edit.span.start, key=lambda span: span.start) - 1
        if index < 0 or edit.span.end >= self._strings[index].end:
            return edit.code
        return self._in_string(edit, self._strings[index])

    def _in_string(self, edit: Replace, string: Span) -> str | None:
        """Before Python 3.12, a field holds no backslash, no comment, and none of the quotes around it."""
        text, code, place = self.module.text, edit.code, edit.span.start
        literal = fstrings.literal_around(text, string.start, string.end, place)
        if literal is None or "\\" in code or "#" in code or re.search(r"\blambda\b|:=", code):
            return None
        quote = literal[2]
        if len(quote) == 1 and re.search(r"[\r\n]", code):
            return None
        if quote[0] in code:
            other = "'" if quote[0] == '"' else '"'
            if other in code or self._is_nested(place):
                return None
            code = code.replace(quote[0], other)
        return f" {code}" if code.startswith("{") and text[place - 1] == "{" else code

    def _is_nested(self, place: int) -> bool:
        """Whether an offset is in a string that is itself in an f-string."""
        inner = [s for s in self.module.of_type(ast.JoinedStr) if self.module.fstring(s) is not None]
        spans = (self.module.span(s) for s in inner if self.module.is_placed(s))
        return any(s.start < place < s.end and _QUOTE.match(self.module.text, s.start) for s in spans)

    @cached_property
    def _strings(self) -> list[Span]:
        """The outermost f-strings, in source order."""
        strings = self.module.of_type(ast.JoinedStr)
        return [self.module.span(string) for string in strings if self.module.fstring(string) is None]
