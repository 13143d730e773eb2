"""Edits as text: each edit of a rule becomes splices, exact ranges of the file and what replaces them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from xlaport.facts.module import Module
from xlaport.rule import (
    Edit,
    InsertStatement,
    MoveStatement,
    RemoveArgument,
    RemoveItem,
    RemoveStatement,
    Replace,
    ReplaceStatement,
    Span,
)

_Node = TypeVar("_Node", ast.Call, ast.Dict)


class EditError(Exception):
    """An edit that cannot be applied here; its text says why."""


class SharedLineError(EditError):
    """A statement shares its line with another one; `opening` puts each on a line of its own."""

    def __init__(self, opening: Splice) -> None:
        super().__init__("the statement shares its line with another one")
        self.opening = opening


@dataclass(frozen=True, order=True)
class Splice:
    """Put `text` in the place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str
    origin: int | None = field(default=None, compare=False)
    """Where in the old text the new text stems from; None: from nowhere."""
    copied: bool = field(default=False, compare=False)
    """The text is a copy of the old text at `origin`, character by character."""

    def conflicts(self, other: Splice) -> bool:
        """Whether the two cannot both be applied. Insertions at one place can."""
        if self.start == self.end or other.start == other.end:
            return (self.start < other.start < self.end) or (other.start < self.start < other.end)
        return self.start < other.end and other.start < self.end


def apply(text: str, splices: Iterable[Splice]) -> str:
    """The text with all splices applied; they must not conflict. Those at one place keep their order."""
    pieces: list[str] = []
    done = 0
    for splice in sorted(splices, key=lambda s: (s.start, s.end)):
        pieces += [text[done : splice.start], splice.text]
        done = splice.end
    return "".join([*pieces, text[done:]])


class Realiser:
    """Turns the edits of one file into splices."""

    def __init__(self, module: Module, newline: str) -> None:
        self.module = module
        self.newline = newline
        self._by_span: dict[Span, list[ast.AST]] = {}
        for node in module.nodes:
            if isinstance(node, ast.expr | ast.stmt | ast.keyword):
                self._by_span.setdefault(module.span(node), []).append(node)

    def splices(self, edit: Edit) -> list[Splice]:
        """The splices of one edit. Raises `EditError`."""
        if isinstance(edit, Replace):
            return [Splice(edit.span.start, edit.span.end, edit.code)]
        if isinstance(edit, RemoveArgument):
            return [self._remove_argument(edit)]
        if isinstance(edit, RemoveItem):
            return [self._remove_item(edit)]
        if isinstance(edit, RemoveStatement):
            return self._replace_statement(self._statement(edit.statement), None)
        if isinstance(edit, ReplaceStatement):
            return self._replace_statement(self._statement(edit.statement), edit.code)
        if isinstance(edit, InsertStatement):
            splice = self._insert(self._statement(edit.anchor), edit.code, edit.before)
            return [replace(splice, origin=edit.origin.start)] if edit.origin else [splice]
        return self._move(edit)

    # -- expressions -----------------------------------------------------------------------------------

    def _remove_argument(self, edit: RemoveArgument) -> Splice:
        from xlaport import islands

        call = self._node(edit.call, ast.Call)
        arguments = sorted([self.module.span(a) for a in call.args] + [self.module.span(k) for k in call.keywords])
        if edit.argument not in arguments:
            raise EditError("the argument is not part of the call")
        index = arguments.index(edit.argument)
        return self._minimal(edit.call, islands.without_argument(self._text(edit.call), index))

    def _remove_item(self, edit: RemoveItem) -> Splice:
        from xlaport import islands

        display = self._node(edit.display, ast.Dict)
        keys = [self.module.span(key) if key is not None else None for key in display.keys]
        if edit.key not in keys:
            raise EditError("the key is not part of the dict")
        return self._minimal(edit.display, islands.without_item(self._text(edit.display), keys.index(edit.key)))

    def _minimal(self, span: Span, new: str) -> Splice:
        """Only what differs, so that other edits of the same expression can be applied beside it."""
        old = self._text(span)
        limit = min(len(old), len(new))
        head = 0
        while head < limit and old[head] == new[head]:
            head += 1
        tail = 0
        while tail < limit - head and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        return Splice(span.start + head, span.end - tail, new[head : len(new) - tail])

    # -- statements ------------------------------------------------------------------------------------

    def _replace_statement(self, statement: ast.stmt, code: str | None) -> list[Splice]:
        span = self.module.span(statement)
        if code is None and len(self.module.block(statement)) == 1:
            code = "pass"
        self._need_own_lines(statement)
        if code is not None:
            return [Splice(span.start, span.end, self._indented(code, self._indent(statement), first=False))]
        assert statement.end_lineno is not None
        first = self.module.position(span.start)[0]
        end = self.module.line_end(statement.end_lineno)
        if self._is_blank(first - 1) and self._is_blank(statement.end_lineno + 1):
            end = self.module.line_end(statement.end_lineno + 1)  # a paragraph goes with one of its blank lines
        return [Splice(self.module.line_start(first), end, "")]

    def _insert(self, anchor: ast.stmt, code: str, before: bool) -> Splice:
        self._need_own_lines(anchor)
        text = self._indented(code, self._indent(anchor), first=True) + self.newline
        if before:
            line = self.module.position(self.module.span(anchor).start)[0]
            offset = self.module.line_start(line)
            return Splice(offset, offset, text)
        assert anchor.end_lineno is not None
        offset = self.module.line_end(anchor.end_lineno)
        if offset == len(self.module.text) and not self.module.text.endswith(("\n", "\r")):
            return Splice(offset, offset, self.newline + text[: -len(self.newline)])
        return Splice(offset, offset, text)

    def _move(self, edit: MoveStatement) -> list[Splice]:
        statement = self._statement(edit.statement)
        anchor = self._statement(edit.anchor)
        self._need_own_lines(statement)
        self._need_own_lines(anchor)
        if self._indent(statement) != self._indent(anchor):
            raise EditError("the statement would move to another block")
        if len(self.module.block(statement)) == 1:
            raise EditError("the statement is the only one of its block")
        assert statement.end_lineno is not None
        first = self.module.position(self.module.span(statement).start)[0]
        first = self._with_comments(first, self._indent(statement))
        start, end = self.module.line_start(first), self.module.line_end(statement.end_lineno)
        text = self.module.text[start:end]
        if not text.endswith(("\n", "\r")):
            text += self.newline
        if edit.before:
            offset = self.module.line_start(self.module.position(self.module.span(anchor).start)[0])
        else:
            assert anchor.end_lineno is not None
            offset = self.module.line_end(anchor.end_lineno)
            if offset == len(self.module.text) and not self.module.text.endswith(("\n", "\r")):
                text = self.newline + text.rstrip("\r\n")
        return [Splice(start, end, ""), Splice(offset, offset, text, start, copied=True)]

    def _is_blank(self, line: int) -> bool:
        if line < 1 or line > self.module.line_count:
            return False
        return not self.module.text[self.module.line_start(line) : self.module.line_end(line)].strip()

    def _with_comments(self, line: int, indent: str) -> int:
        """The first of the comment lines that stand directly above a line, at the same indentation."""
        while line > 1:
            above = self.module.text[self.module.line_start(line - 1) : self.module.line_end(line - 1)]
            if not above.startswith(indent + "#"):
                break
            line -= 1
        return line

    def _need_own_lines(self, statement: ast.stmt) -> None:
        """Raise `SharedLineError` where something else than blanks and a comment is on the lines."""
        span = self.module.span(statement)
        line = self.module.position(span.start)[0]
        assert statement.end_lineno is not None
        head = self.module.text[self.module.line_start(line) : span.start]
        tail = self.module.text[span.end : self.module.line_end(statement.end_lineno)]
        if head.strip(" \t\f") or re.fullmatch(r"[ \t\f]*(#.*)?[\r\n]*", tail) is None:
            raise SharedLineError(self._opening(statement, line))

    def _opening(self, statement: ast.stmt, line: int) -> Splice:
        """What puts the statements of a shared line on lines of their own."""
        from xlaport import islands

        parent = self.module.parents[statement]
        sharing: list[ast.stmt] = [s for s in self.module.block(statement) if _touches(s, line)]
        if isinstance(parent, ast.stmt) and _touches(parent, line) and parent.lineno <= line:
            sharing = [parent]
        first = self.module.position(self.module.span(sharing[0]).start)[0]
        last = sharing[-1].end_lineno
        assert last is not None
        start, end = self.module.line_start(first), self.module.line_end(last)
        old = self.module.text[start:end]
        new = islands.with_own_lines(old, line - first + 1, self.newline)
        if new == old:
            raise EditError("the statement shares its line with another one")
        return Splice(start, end, new)

    def _indent(self, statement: ast.stmt) -> str:
        start = self.module.span(statement).start
        return self.module.text[self.module.line_start(self.module.position(start)[0]) : start]

    def _indented(self, code: str, indent: str, first: bool) -> str:
        lines = code.split("\n")
        out = [(indent if first or index else "") + line if line else line for index, line in enumerate(lines)]
        return self.newline.join(out)

    # -- look-up ---------------------------------------------------------------------------------------

    def _text(self, span: Span) -> str:
        return self.module.text[span.start : span.end]

    def _node(self, span: Span, kind: type[_Node]) -> _Node:
        for node in self._by_span.get(span, ()):
            if isinstance(node, kind):
                return node
        raise EditError("the place of the edit is not the expression that it speaks of")

    def _statement(self, span: Span) -> ast.stmt:
        for node in self._by_span.get(span, ()):
            if isinstance(node, ast.stmt):
                return node
        raise EditError("the place of the edit is not a statement")


def _touches(statement: ast.stmt, line: int) -> bool:
    """Whether a statement has a part on a line."""
    assert statement.end_lineno is not None
    return statement.lineno <= line <= statement.end_lineno
