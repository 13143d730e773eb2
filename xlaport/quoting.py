"""The quotes of new code: those that the file has, and in an f-string those that do not end it, for every Python."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from bisect import bisect_left
from functools import cached_property

from xlaport.facts import fstrings
from xlaport.facts.module import Module
from xlaport.finding import Replace, Span

_QUOTE = re.compile(r"[A-Za-z]{0,2}['\"]")
_PLAIN = re.compile(r"\"[^\"'\\\n]*\"")
_FEW, _MANY = 3, 10
"""A file has single quotes where so many strings have them, and at most one in so many has double ones."""


class Quoting:
    """Fits edits into the text of one file."""

    def __init__(self, module: Module) -> None:
        self.module = module

    def fitted(self, edit: Replace) -> str | None:
        """The new code, with other quotes where it stands inside of an f-string; None where it cannot stand there."""
        index = bisect_left(self._strings, edit.span.start, key=lambda span: span.start) - 1
        if index < 0 or edit.span.end >= self._strings[index].end:
            return self.styled(edit.code)
        return self._in_string(edit, self._strings[index])

    def styled(self, code: str) -> str:
        """New code with single quotes, where the file has these; what is the file's own keeps what it has."""
        if '"' not in code or not self._has_single_quotes:
            return code
        lines, depth = code.splitlines(keepends=True), 0
        try:
            tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
        except (tokenize.TokenError, SyntaxError):
            return code
        for token in tokens:
            name = tokenize.tok_name[token.type]
            depth += (name == "FSTRING_START") - (name == "FSTRING_END")
            if name == "STRING" and not depth and _PLAIN.fullmatch(token.string):
                if token.string not in self.module.text:
                    row, (start, end) = token.start[0] - 1, (token.start[1], token.end[1])
                    lines[row] = f"{lines[row][:start]}'{token.string[1:-1]}'{lines[row][end:]}"
        return "".join(lines)

    @cached_property
    def _has_single_quotes(self) -> bool:
        """Whether the strings of the file stand in single quotes, but for a few."""
        text = self.module.text
        strings = (node for node in self.module.of_type(ast.Constant) if isinstance(node.value, str))
        starts = [self.module.span(node).start for node in strings if self.module.is_placed(node)]
        single, double = (sum(text.startswith(quote, start) for start in starts) for quote in "'\"")
        double -= sum(text.startswith('"""', start) for start in starts)
        return single >= max(_FEW, double * _MANY)

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
