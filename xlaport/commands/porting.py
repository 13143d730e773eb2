"""``xlaport convert`` and ``xlaport check``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from xlaport.commands.options import (
    Exclude,
    Format,
    Ignore,
    Multi,
    OutputFormat,
    Paths,
    Select,
    Target,
    Unsafe,
)
from xlaport.errors import UserError

if TYPE_CHECKING:
    from xlaport.config import Config
    from xlaport.result import RunResult


def convert(
    paths: Paths,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the port into this folder, not in place.")
    ] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; print a unified diff.")] = False,
    unsafe: Unsafe = False,
    multi: Multi = False,
    select: Select = None,
    ignore: Ignore = None,
    exclude: Exclude = None,
    target: Target = "2.9",
    output_format: OutputFormat = Format.text,
) -> None:
    """Rewrite CUDA code for PyTorch/XLA, in place, and list what is left for a human."""
    from xlaport import run

    if diff and (out is not None or output_format is Format.json):
        raise UserError("--diff writes nothing and prints a diff: leave out --out and --output-format json")
    config = _config(unsafe, multi, select, ignore, exclude, target)
    result = run.convert(paths, config)
    if diff:
        _print_diff(result, unsafe)
        raise typer.Exit(_check_code(result))
    result = run.write_to(result, paths, out) if out is not None else run.write(result)
    _print_findings(result, output_format, "convert", unsafe)
    raise typer.Exit(2 if _errors(result) else 0)


def check(
    paths: Paths,
    unsafe: Unsafe = False,
    multi: Multi = False,
    select: Select = None,
    ignore: Ignore = None,
    exclude: Exclude = None,
    target: Target = "2.9",
    explain_facts: Annotated[
        bool,
        typer.Option("--explain-facts", help="Print what names stand for and which loops step, and what shows it."),
    ] = False,
    output_format: OutputFormat = Format.text,
) -> None:
    """List the findings and write nothing. Exit code 1 where there are any."""
    from xlaport import run

    if explain_facts:
        _print_facts(paths, _config(unsafe, multi, select, ignore, exclude, target), output_format)
        return
    result = run.convert(paths, _config(unsafe, multi, select, ignore, exclude, target))
    _print_findings(result, output_format, "check", unsafe)
    raise typer.Exit(_check_code(result))


def _config(
    unsafe: bool, multi: bool, select: str | None, ignore: str | None, exclude: list[str] | None, target: str
) -> Config:
    from xlaport.config import Config

    return Config(_codes(select), _codes(ignore), tuple(exclude or ()), unsafe, target, multi)


def _codes(text: str | None) -> tuple[str, ...]:
    return tuple(code.strip().upper() for code in (text or "").split(",") if code.strip())


def _errors(result: RunResult) -> bool:
    from xlaport.report import all_errors

    return bool(all_errors(result))


def _check_code(result: RunResult) -> int:
    if _errors(result):
        return 2
    return 1 if result.findings else 0


def _print_facts(paths: list[Path], config: Config, output: Format) -> None:
    from xlaport import run
    from xlaport.report import facts as view

    accounts, errors = run.facts(paths, config)
    is_json = output is Format.json
    text = view.as_json(accounts, errors, config.settings().target.name) if is_json else view.as_text(accounts, errors)
    sys.stdout.write(text)
    raise typer.Exit(2 if errors else 0)


def _print_findings(result: RunResult, output: Format, command: str, unsafe: bool) -> None:
    from xlaport.report import findings_json, findings_text

    if output is Format.json:
        sys.stdout.write(findings_json.render(result.as_found() if command == "check" else result))
        return
    render = findings_text.render_check if command == "check" else findings_text.render_convert
    sys.stdout.write(render(result, unsafe=unsafe, color=_wants_color(sys.stdout.isatty())))


def _print_diff(result: RunResult, unsafe: bool) -> None:
    from xlaport.report import diff, findings_text

    # Bytes, since a patch has to hold the bytes of the files whatever the terminal's encoding is.
    sys.stdout.flush()
    sys.stdout.buffer.write(diff.render(result).encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
    sys.stderr.write(findings_text.render_diff_notes(result, unsafe=unsafe, color=_wants_color(sys.stderr.isatty())))


def _wants_color(is_terminal: bool) -> bool:
    return is_terminal and "NO_COLOR" not in os.environ
