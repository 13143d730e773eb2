"""The text of log statements as closures."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import Edit, RemoveStatement, ReplaceStatement, Span

from ..._lib.host_reads.closure_text import LINE, handing, in_place_of, indented, is_code, text_in_closure
from ..._lib.host_reads.log_runs import LogRun


def is_function(context: Context, run: LogRun) -> bool:
    """Whether the closure of a run is a function of its own: of several statements, or of several lines."""
    text = text_in_closure(context, run.handed, run.last)
    return len(run.statements) > 1 or "\n" in text or run.last.col_offset + len(text) > LINE


def edits_of(context: Context, run: LogRun, add: str, name: str) -> list[Edit]:
    """The edits that make a closure of a run: a lambda of one statement, or a function called `name` of several."""
    names = ", ".join(run.handed.names)
    values = list(run.handed.names.values())
    texts = [text_in_closure(context, run.handed, statement) for statement in run.statements]
    found: list[Edit] = [RemoveStatement(context.span(s), with_comment=True) for s in run.statements[:-1]]
    parameters = f" {names}" if names else ""
    if not is_function(context, run):
        line = handing(add, f"lambda{parameters}: {texts[0]}", values, run.last.col_offset)
        return [*found, ReplaceStatement(context.span(run.last), line)]
    is_one = len(run.statements) == 1
    comments = ["" if is_one else _above(context, s) for s in run.statements]  # above a function, they speak of it
    body = "\n".join(comment + text for comment, text in zip(comments, texts, strict=True))
    call = handing(add, name, values, run.last.col_offset)
    code = f"def {name}({names}):\n{indented(body)}\n\n{call}"
    blank, above = _needs_blank(context, run), comments[-1].count("\n")
    return [*found, in_place_of(context, run.last, code, blank=blank, above=above)]


def _needs_blank(context: Context, run: LogRun) -> bool:
    """Whether a function in the place of a run would follow a statement without a blank line in between."""
    first = run.block.index(run.statements[0])
    is_one = run.block[first : first + len(run.statements)] == list(run.statements)
    anchor = run.statements[0] if is_one else run.last
    gaps = range(run.statements[0].end_lineno or 0, run.last.lineno - 1)
    lines = context.module.text.split("\n") if gaps else []
    if anchor is run.block[0] or not all(lines[number].strip() for number in gaps):
        return False
    line = anchor.lineno - 1
    if len(run.statements) > 1:
        line -= _above(context, anchor).count("\n")
    return is_code(context, line)


def _above(context: Context, statement: ast.stmt) -> str:
    """The comment lines directly above a statement that goes into a function."""
    found: list[str] = []
    line = statement.lineno - 1
    while line > 0:
        text = context.module.text[context.module.line_start(line) : context.module.line_end(line)]
        if not text.strip().startswith("#") or len(text) - len(text.lstrip()) != statement.col_offset:
            break
        found.append(text.strip())
        line -= 1
    return "".join(f"{text}\n" for text in reversed(found))


def place_of(context: Context, run: LogRun) -> Span:
    """The place of a finding: the first read, or the statement."""
    reads = context.reads.within(list(run.statements))
    node = reads[0].node if reads else run.statements[0]
    return context.span(node) if context.editable(node) else context.span(context.module.statement(node))
