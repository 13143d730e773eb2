"""Edits as text: each edit of a rule becomes splices, exact ranges of the file and what replaces them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from types import ModuleType
from typing import TypeVar

from xlaport.facts.module import Module
from xlaport.finding import (
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
from xlaport.new_code import COMPOUND, fits_a_shared_line, indent_of, indent_unit, kept_lines
from xlaport.notebook.placeholders import are_apart
from xlaport.quoting import Quoting
from xlaport.source import with_ends
from xlaport.splices import Splice, once
from xlaport.suppressions.directive import MARK

_Node = TypeVar("_Node", ast.Call, ast.Dict)


class EditError(Exception):
    """An edit that cannot be applied here; its text says why."""


class CellError(EditError):
    """An edit that would carry something from one cell of a notebook into another."""


class SharedLineError(EditError):
    """A statement shares its line with another one; `opening` puts each on a line of its own."""

    def __init__(self, opening: tuple[Splice, ...]) -> None:
        super().__init__("the statement shares its line with another one")
        self.opening = opening


_STRING = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")
"""So that what is left of a line has a # only where a comment begins."""


class Realiser:
    """Turns the edits of one file into splices."""

    def __init__(self, module: Module, newline: str) -> None:
        self.module = module
        self.newline = newline
        self._quoting = Quoting(module)

    @cached_property
    def _by_span(self) -> dict[Span, list[ast.AST]]:
        found: dict[Span, list[ast.AST]] = {}
        for node in self.module.nodes:
            if isinstance(node, ast.Call | ast.Dict | ast.stmt):
                found.setdefault(self.module.span(node), []).append(node)
        return found

    def splices(self, *edits: Edit) -> list[Splice]:
        """The splices of some edits, each once. Raises `EditError`."""
        return once(splice for edit in edits for splice in self._splices(edit, edits))

    def _splices(self, edit: Edit, edits: Sequence[Edit]) -> list[Splice]:
        if isinstance(edit, Replace):
            code = self._quoting.fitted(edit)
            if code is None:
                raise EditError("an f-string cannot hold this")
            return [Splice(edit.span.start, edit.span.end, with_ends(code, self.newline, self.module.text))]
        if isinstance(edit, RemoveArgument):
            gone = {e.argument for e in edits if isinstance(e, RemoveArgument) and e.call == edit.call}
            return [self._remove_argument(edit, gone)]
        if isinstance(edit, RemoveItem):
            return [self._remove_item(edit)]
        if isinstance(edit, RemoveStatement):
            return self._remove_statement(edit)
        if isinstance(edit, ReplaceStatement):
            return [self._replace_statement(self._statement(edit.statement), self._quoting.styled(edit.code))]
        if isinstance(edit, InsertStatement):
            splice = self._insert(self._statement(edit.anchor), self._quoting.styled(edit.code), edit.before)
            return [replace(splice, origin=edit.origin)] if edit.origin else [splice]
        return self._move(edit)

    # -- expressions -----------------------------------------------------------------------------------

    def _remove_argument(self, edit: RemoveArgument, gone: Collection[Span]) -> Splice:
        """Those beside it that go, too, go with it: a comma between two belongs to both."""
        call = self._node(edit.call, ast.Call)
        arguments = sorted([self.module.span(a) for a in call.args] + [self.module.span(k) for k in call.keywords])
        if edit.argument not in arguments:
            raise EditError("the argument is not part of the call")
        first = last = arguments.index(edit.argument)
        while first > 0 and arguments[first - 1] in gone:
            first -= 1
        while last + 1 < len(arguments) and arguments[last + 1] in gone:
            last += 1
        new = on_island(lambda islands: islands.without_arguments(self._text(edit.call), first, last))
        return self._minimal(edit.call, Span(arguments[first].start, arguments[last].end), new)

    def _remove_item(self, edit: RemoveItem) -> Splice:
        display = self._node(edit.display, ast.Dict)
        keys = [self.module.span(key) if key is not None else None for key in display.keys]
        if edit.key not in keys:
            raise EditError("the key is not part of the dict")
        index = keys.index(edit.key)
        removed = Span(edit.key.start, self.module.span(display.values[index]).end)
        new = on_island(lambda islands: islands.without_item(self._text(edit.display), index))
        return self._minimal(edit.display, removed, new)

    def _minimal(self, span: Span, removed: Span, new: str) -> Splice:
        """Only what differs, so that other edits of the same expression can be applied beside it.

        All of `removed` belongs to the splice, also where its text is like that of its neighbours: no other
        edit may reach into it.
        """
        old = self._text(span)
        limit = min(len(old), len(new))
        head = 0
        while head < min(limit, removed.start - span.start) and old[head] == new[head]:
            head += 1
        tail = 0
        while tail < min(limit - head, span.end - removed.end) and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        return Splice(span.start + head, span.end - tail, new[head : len(new) - tail])

    # -- statements ------------------------------------------------------------------------------------

    def _remove_statement(self, edit: RemoveStatement) -> list[Splice]:
        statement = self._statement(edit.statement)
        splice = self._replace_statement(statement, None)
        if splice.text:
            return [splice]
        first = self._lines(statement)[0]
        first = (
            self._with_comments(first, indent_of(self.module, statement))
            if edit.with_comment
            else self._with_requests(first)
        )
        return [replace(splice, start=self.module.line_start(first))]

    def _replace_statement(self, statement: ast.stmt, code: str | None) -> Splice:
        span = self.module.span(statement)
        in_block = statement not in self.module.tree.body
        if code is None and in_block and len(self.module.block(statement)) == 1:
            code = "pass"
        if code is not None:
            if not fits_a_shared_line(code):
                self._need_own_lines(statement)
            return Splice(span.start, span.end, self._indented(code, indent_of(self.module, statement), first=False))
        self._need_own_lines(statement)
        first, last = self._lines(statement)
        return Splice(self.module.line_start(first), self.module.line_end(last), "")

    def _insert(self, anchor: ast.stmt, code: str, before: bool) -> Splice:
        self._need_own_lines(anchor)
        text = self._indented(code, indent_of(self.module, anchor), first=True)
        offset = self._beside(anchor, before)
        if self._at_open_end(offset):
            return Splice(offset, offset, self.newline + text)
        return Splice(offset, offset, text + self.newline)

    def _move(self, edit: MoveStatement) -> list[Splice]:
        statement = self._statement(edit.statement)
        anchor = self._statement(edit.anchor)
        self._need_own_lines(statement)
        self._need_own_lines(anchor)
        if self.module.block(statement) is not self.module.block(anchor):
            raise EditError("the statement would move to another block")
        if statement is anchor:
            raise EditError("the statement cannot move beside itself")
        if are_apart(self.module, statement, anchor):
            raise CellError("a statement would move to another cell")
        first, last = self._lines(statement)
        first = self._with_comments(first, indent_of(self.module, statement))
        start, end = self.module.line_start(first), self.module.line_end(last)
        text = self.module.text[start:end]
        offset = self._beside(anchor, edit.before)
        removed = Splice(start, end, "")
        if self._at_open_end(offset):
            moved = Splice(offset, offset, text.rstrip("\r\n"), Span(start, end), copied=True)
            return [removed, Splice(offset, offset, self.newline), moved]
        if not text.endswith(("\n", "\r")):
            text += self.newline
        return [removed, Splice(offset, offset, text, Span(start, end), copied=True)]

    def _beside(self, anchor: ast.stmt, before: bool) -> int:
        """The offset of the line start directly above or below a statement."""
        first, last = self._lines(anchor)
        if before:
            return self.module.line_start(self._with_requests(first))
        # Comments at the end of a block belong to it: its next line is the one below them.
        depth = len(indent_of(self.module, anchor))
        line = last + 1
        while line <= self.module.line_count and isinstance(anchor, COMPOUND):
            text = self.module.text[self.module.line_start(line) : self.module.line_end(line)]
            content = text.lstrip(" \t\f")
            if content.startswith("#") and len(text) - len(content) > depth:
                last = line
            elif content.strip():
                break
            line += 1
        return self.module.line_end(last)

    def _at_open_end(self, offset: int) -> bool:
        """Whether the text ends here without a newline."""
        return offset == len(self.module.text) and not self.module.text.endswith(("\n", "\r"))

    def _lines(self, statement: ast.stmt) -> tuple[int, int]:
        """The first and the last line of a statement, decorators included."""
        assert statement.end_lineno is not None
        return self.module.position(self.module.span(statement).start)[0], statement.end_lineno

    def _with_comments(self, line: int, indent: str) -> int:
        """The first of the comment lines that stand directly above a line, at the same indentation."""
        while line > 1:
            above = self.module.text[self.module.line_start(line - 1) : self.module.line_end(line - 1)]
            if not above.startswith(indent + "#"):
                break
            line -= 1
        return line

    def _with_requests(self, line: int) -> int:
        """The first of the comment lines directly above a line that ask to ignore what it has; the line, without any.

        They speak of that line, and of no other that might come to stand there.
        """
        first = above = line
        while above > 1 and MARK in self.module.text:
            above -= 1
            text = self.module.text[self.module.line_start(above) : self.module.line_end(above)].lstrip()
            if not text.startswith("#"):
                break
            first = above if MARK in text else first
        return first

    # -- lines -----------------------------------------------------------------------------------------

    def _need_own_lines(self, statement: ast.stmt) -> None:
        """Raise `SharedLineError` where something else than blanks and a comment is on the lines."""
        span = self.module.span(statement)
        first, last = self._lines(statement)
        tail = self.module.text[span.end : self.module.line_end(last)]
        if not self._begins_a_line(span.start) or re.fullmatch(r"[ \t\f]*(#.*)?[\r\n]*", tail) is None:
            raise SharedLineError(self._opening(statement, first))

    def _opening(self, statement: ast.stmt, line: int) -> tuple[Splice, ...]:
        """What puts the statements of a shared line on lines of their own."""
        first, last = self._sharing(statement)
        start, end = self.module.line_start(first), self.module.line_end(last)
        old = self.module.text[start:end]
        unit = indent_unit(self.module, statement)
        new = on_island(lambda islands: islands.with_own_lines(old, line - first + 1, self.newline, unit))
        if new == old:
            raise EditError("the statement shares its line with another one")
        return tuple(_respaced(start, old, new))

    def _sharing(self, statement: ast.stmt) -> tuple[int, int]:
        """The lines of the smallest group of whole statements that begins and ends with its lines."""
        while True:
            block = self.module.block(statement)
            left = right = block.index(statement)
            while left > 0 and self._joined(block[left - 1], block[left]):
                left -= 1
            while right + 1 < len(block) and self._joined(block[right], block[right + 1]):
                right += 1
            start = self.module.span(block[left]).start
            # An `elif` is a statement for `ast`, but it has no text of its own.
            if self._begins_a_line(start) and not self.module.text.startswith("elif", start):
                return self.module.position(start)[0], self._lines(block[right])[1]
            statement = self.module.statement(self.module.parents[statement])

    def _begins_a_line(self, offset: int) -> bool:
        """Whether only blanks stand before an offset in its line, and the line continues no other."""
        start = self.module.line_start(self.module.position(offset)[0])
        if self.module.text[start:offset].strip(" \t\f"):
            return False
        above = self.module.text[self.module.line_start(self.module.position(max(start - 1, 0))[0]) : start]
        return not above.rstrip("\r\n").endswith("\\") or "#" in _STRING.sub("", above)

    def _joined(self, first: ast.stmt, second: ast.stmt) -> bool:
        """Whether two neighbours in a block stand in one line: ``a; b``."""
        gap = self.module.text[self.module.span(first).end : self.module.span(second).start]
        return re.search(r"[\r\n]", re.sub(r"#[^\r\n]*|\\(?:\r\n|\r|\n)", "", gap)) is None

    def _indented(self, code: str, indent: str, first: bool) -> str:
        """The lines of `code`, written as at the left margin, at an indentation.

        The inside of a string stays as it is, and so do the further lines of a statement that was copied from
        the file with its indentation.
        """
        lines = re.split(r"\r\n|\r|\n", code)
        kept = kept_lines("\n".join(lines), indent) if len(lines) > 1 else set()
        out = [
            (indent if index not in kept and (first or index) else "") + line if line else line
            for index, line in enumerate(lines)
        ]
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


def _respaced(start: int, old: str, new: str) -> Iterator[Splice]:
    """The splices that make `old`, at `start`, into `new`, which differs in blanks, newlines and semicolons."""
    here = there = 0
    while here < len(old) or there < len(new):
        if old[here : here + 1] == new[there : there + 1]:
            here, there = here + 1, there + 1
            continue
        end, new_end = here, there
        while end < len(old) and old[end] in " \t\f\r\n\\;":
            end += 1
        while new_end < len(new) and new[new_end] in " \t\f\r\n":
            new_end += 1
        if (end, new_end) == (here, there):
            raise EditError("the statement shares its line with another one")
        yield Splice(start + here, start + end, new[there:new_end])
        here, there = end, new_end


def on_island(change: Callable[[ModuleType], str]) -> str:
    """What `change` makes with LibCST, which is loaded where it is needed and only there."""
    from xlaport import islands

    try:
        return change(islands)
    except islands.IslandError as error:
        raise EditError(f"LibCST refuses this piece ({str(error).splitlines()[0]})") from None
