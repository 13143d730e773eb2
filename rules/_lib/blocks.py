"""Blocks of statements as text: where one ends, and one lifted out of the statement around it."""

from __future__ import annotations

import ast
import re

from xlaport.context import Context
from xlaport.facts.module import Module
from xlaport.rule import Replace, Span


def lifted(context: Context, statement: ast.If | ast.With, kept: list[ast.stmt]) -> Replace:
    """An ``if`` replaced by one of its sides, or a ``with`` by its body, at the indentation that it had itself."""
    module = context.module
    span = context.span(statement)
    base = module.text[module.line_start(statement.lineno) : span.start]
    end = end_of_block(module, getattr(statement, "orelse", None) or statement.body, span)
    first = module.position(context.span(kept[0]).start)[0]
    inner = module.text[module.line_start(first) : context.span(kept[0]).start]
    if inner.strip():  # `if x: a; b` on one line
        apart = f"{newline(module, statement.lineno)}{base}"
        return Replace(Span(span.start, end), apart.join(module.segment(s) for s in kept))
    while _is_comment(module, first - 1):
        first -= 1
    last = module.position(end_of_block(module, kept, span))[0]
    inside_strings = {line for s in kept for node in ast.walk(s) for line in _string_lines(module, node)}
    lines = []
    for number in range(first, last + 1):
        line = module.text[module.line_start(number) : module.line_end(number)]
        if number == last:
            line = line.rstrip("\r\n")
        if number not in inside_strings:
            if line.startswith(inner):
                line = base + line[len(inner) :]
            elif line.lstrip().startswith("#"):
                line = base + line.lstrip()
        lines.append(line)
    return Replace(Span(span.start, end), "".join(lines).removeprefix(base))


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
