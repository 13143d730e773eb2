"""The text of log statements as closures."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import Edit, RemoveStatement, Replace, ReplaceStatement, Span

from ..._lib.host_reads.log_runs import LogRun

_LINE = 100


def is_function(context: Context, run: LogRun) -> bool:
    """Whether the closure of a run is a function of its own: of several statements, or of several lines."""
    text = _text(context, run, run.last)
    return len(run.statements) > 1 or "\n" in text or run.last.col_offset + len(text) > _LINE


def edits_of(context: Context, run: LogRun, add: str, name: str) -> list[Edit]:
    """The edits that make a closure of a run: a lambda of one statement, or a function called `name` of several."""
    names = ", ".join(run.handed.names)
    values = list(run.handed.names.values())
    args = f"({values[0]},)" if len(values) == 1 else f"({', '.join(values)})"
    texts = [_text(context, run, statement) for statement in run.statements]
    found: list[Edit] = [RemoveStatement(context.span(s), with_comment=True) for s in run.statements[:-1]]
    parameters = f" {names}" if names else ""
    if not is_function(context, run):
        line = f"{add}(lambda{parameters}: {texts[0]}, args={args}, run_async=True)"
        if run.last.col_offset + len(line) > _LINE:
            line = f"{add}(\n    lambda{parameters}: {texts[0]},\n    args={args},\n    run_async=True,\n)"
        return [*found, ReplaceStatement(context.span(run.last), line)]
    is_one = len(run.statements) == 1
    comments = ["" if is_one else _above(context, s) for s in run.statements]  # above a function, they speak of it
    body = "\n".join(comment + text for comment, text in zip(comments, texts, strict=True))
    body = "\n".join(f"    {line}" if line.strip() else line for line in body.split("\n"))
    call = f"{add}({name}, args={args}, run_async=True)"
    if run.last.col_offset + len(call) > _LINE:
        call = f"{add}(\n    {name},\n    args={args},\n    run_async=True,\n)"
    code = f"def {name}({names}):\n{body}\n\n{call}"
    start = context.module.line_start(run.last.lineno)
    indent = context.module.text[start : context.span(run.last).start]
    start = context.module.line_start(run.last.lineno - comments[-1].count("\n"))
    if indent.strip():
        return [*found, ReplaceStatement(context.span(run.last), code)]
    lines = (
        f"{indent}{line}" if line else "" for line in ([""] if _needs_blank(context, run) else []) + code.split("\n")
    )
    return [*found, Replace(Span(start, context.span(run.last).end), "\n".join(lines))]


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
    above = context.module.text[context.module.line_start(line) : context.module.line_end(line)].strip()
    return bool(above) and not above.startswith("#")


def _text(context: Context, run: LogRun, statement: ast.stmt) -> str:
    """The text of a statement in the closure, as it would stand at the begin of a line."""
    span = context.span(statement)
    text, start = context.module.text[span.start : span.end], span.start
    for place, new in sorted(run.handed.spans, reverse=True):
        if span.contains(place):
            text = text[: place.start - start] + new + text[place.end - start :]
    line = context.module.line_start(statement.lineno)
    indent = context.module.text[line : line + statement.col_offset]
    return "\n".join(line.removeprefix(indent) if number else line for number, line in enumerate(text.split("\n")))


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
