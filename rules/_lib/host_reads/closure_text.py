"""What is written where statements become a closure: their text, and a function in their place."""

from __future__ import annotations

import ast

from xlaport.context import Context
from xlaport.rule import Edit, Replace, ReplaceStatement, Span

from .closures import Handed

LINE = 100


def text_in_closure(context: Context, handed: Handed, statement: ast.stmt) -> str:
    """The text of a statement in the closure, as it would stand at the begin of a line."""
    span = context.span(statement)
    text, start = context.module.text[span.start : span.end], span.start
    for place, new in sorted(handed.spans, reverse=True):
        if span.contains(place):
            text = text[: place.start - start] + new + text[place.end - start :]
    line = context.module.line_start(statement.lineno)
    indent = context.module.text[line : line + statement.col_offset]
    return "\n".join(line.removeprefix(indent) if number else line for number, line in enumerate(text.split("\n")))


def indented(text: str) -> str:
    """Lines, each four blanks further to the right."""
    return "\n".join(f"    {line}" if line.strip() else line for line in text.split("\n"))


def handing(add: str, name: str, values: list[str], column: int) -> str:
    """``xm.add_step_closure(log, args=(loss,), run_async=True)``, in one line if it fits."""
    args = f"({values[0]},)" if len(values) == 1 else f"({', '.join(values)})"
    call = f"{add}({name}, args={args}, run_async=True)"
    if column + len(call) > LINE:
        call = f"{add}(\n    {name},\n    args={args},\n    run_async=True,\n)"
    return call


def is_code(context: Context, line: int) -> bool:
    """Whether a line is code, from which a function below is set apart."""
    text = context.module.text[context.module.line_start(line) : context.module.line_end(line)].strip()
    return bool(text) and not text.startswith("#")


def in_place_of(context: Context, statement: ast.stmt, code: str, *, blank: bool, above: int = 0) -> Edit:
    """The edit that puts lines in the place of a statement and of so many lines above; `blank`: an empty one first."""
    start = context.module.line_start(statement.lineno)
    indent = context.module.text[start : context.span(statement).start]
    start = context.module.line_start(statement.lineno - above)
    if indent.strip():
        return ReplaceStatement(context.span(statement), code)
    lines = (f"{indent}{line}" if line else "" for line in ([""] if blank else []) + code.split("\n"))
    return Replace(Span(start, context.span(statement).end), "\n".join(lines))
