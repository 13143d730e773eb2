"""Blocks of statements as text: where one ends, and one lifted out of the statement around it."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts.module import Module
from xlaport.rule import Replace, Span
from xlaport.splices import Splice, apply


def lifted(context: Context, statement: ast.If | ast.With, kept: list[ast.stmt], *changes: Replace) -> Replace:
    """An ``if`` replaced by one of its sides, or a ``with`` by its body, at the indentation that it had itself.

    `changes` are made in what stays.
    """
    module = context.module
    span = context.span(statement)
    base = module.text[module.line_start(statement.lineno) : span.start]
    end = end_of_block(module, getattr(statement, "orelse", None) or statement.body, span)
    first = module.position(context.span(kept[0]).start)[0]
    inner = module.text[module.line_start(first) : context.span(kept[0]).start]
    splices = [Splice(change.span.start, change.span.end, change.code) for change in changes]
    if inner.strip():  # `if x: a; b` on one line
        apart = f"{newline(module, statement.lineno)}{base}"
        code = apart.join(_spliced(module, context.span(s), splices) for s in kept)
        behind = context.span(kept[-1]).end
        _, mark, comment = module.text[behind : module.line_end(module.position(behind)[0])].partition("#")
        return Replace(Span(span.start, end), f"{code}  {mark}{comment}".rstrip())
    while _is_comment(module, first - 1):
        first -= 1
    last = module.position(end_of_block(module, kept, span))[0]
    inside_strings = {line for s in kept for node in ast.walk(s) for line in _string_lines(module, node)}
    for number in range(first, last + 1):
        start = module.line_start(number)
        line = module.text[start : module.line_end(number)]
        is_new = number in inside_strings or any(s.start < start < s.end for s in splices)
        if not is_new and (line.startswith(inner) or line.lstrip().startswith("#")):
            blanks = len(inner) if line.startswith(inner) else len(line) - len(line.lstrip())
            splices.append(Splice(start, start + blanks, base))
    text = _spliced(module, Span(module.line_start(first), module.line_end(last)), splices)
    return Replace(Span(span.start, end), text.rstrip("\r\n").removeprefix(base))


def _spliced(module: Module, span: Span, splices: list[Splice]) -> str:
    """A part of the text with those of the splices that are in it."""
    inside = (s for s in splices if span.start <= s.start and s.end <= span.end)
    return apply(
        module.text[span.start : span.end], [Splice(s.start - span.start, s.end - span.start, s.text) for s in inside]
    )


def end_of_block(module: Module, block: list[ast.stmt], outer: Span) -> int:
    """The end of a block's last line, with its comment and the comment lines that belong to the block."""
    last = block[-1].end_lineno
    assert last is not None
    indent = module.position(outer.start)[1] - 1
    while _is_comment(module, last + 1):
        line = module.text[module.line_start(last + 1) : module.line_end(last + 1)]
        if len(line) - len(line.lstrip()) <= indent:
            break
        last += 1
    text = module.text[module.line_start(last) : module.line_end(last)]
    return module.line_start(last) + len(text.rstrip("\r\n"))


def newline(module: Module, line: int) -> str:
    """What ends a line; for the last one of a file, which may have no end, what ends the line above."""
    for number in range(line, 0, -1):
        text = module.text[module.line_start(number) : module.line_end(number)]
        if end := text[len(text.rstrip("\r\n")) :]:
            return end
    return "\n"


def comment_above(module: Module, start: int) -> str:
    """The comment lines directly above the line of a statement, at its indentation."""
    line = module.position(start)[0]
    indent = module.text[module.line_start(line) : start]
    first = line
    while first > 1 and module.text.startswith(f"{indent}#", module.line_start(first - 1)):
        first -= 1
    return module.text[module.line_start(first) : module.line_start(line)]


def _is_comment(module: Module, line: int) -> bool:
    if not 1 <= line <= module.line_count:
        return False
    return module.text[module.line_start(line) : module.line_end(line)].lstrip().startswith("#")


def _string_lines(module: Module, node: ast.AST) -> range:
    """The lines that begin inside a string, whose blanks are part of its value."""
    if not isinstance(node, ast.JoinedStr | ast.Constant) or node.lineno == node.end_lineno:
        return range(0)
    assert node.end_lineno is not None
    text = module.text[module.line_start(node.lineno) : module.line_end(node.end_lineno)]
    is_long = '"""' in text or "'''" in text or re.search(r"\\\r?\n", text)
    return range(node.lineno + 1, node.end_lineno + 1) if is_long else range(0)
