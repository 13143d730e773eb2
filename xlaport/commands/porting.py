"""``xlaport convert`` and ``xlaport check``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from xlaport.commands.options import (
    Exclude,
    FindingsFormat,
    FindingsOutputFormat,
    ForceExclude,
    Html,
    Ignore,
    Isolated,
    Jobs,
    Multi,
    NoCache,
    OutputFile,
    Paths,
    PathsOrHere,
    Rules,
    Select,
    Target,
    Unsafe,
)
from xlaport.errors import UserError

if TYPE_CHECKING:
    from xlaport.config import Config
    from xlaport.configuration.running import Asked
    from xlaport.report.findings_files import FindingsFiles
    from xlaport.report.view import View
    from xlaport.result import RunResult


def convert(
    paths: Paths,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the port into this folder, not in place.")
    ] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; print a unified diff.")] = False,
    unsafe: Unsafe = None,
    multi: Multi = None,
    select: Select = None,
    ignore: Ignore = None,
    exclude: Exclude = None,
    force_exclude: ForceExclude = False,
    target: Target = None,
    rules: Rules = None,
    isolated: Isolated = False,
    exit_non_zero_on_manual: Annotated[
        bool, typer.Option("--exit-non-zero-on-manual", help="Exit code 1 where something is left for you.")
    ] = False,
    output_format: FindingsOutputFormat = FindingsFormat.text,
    output_file: OutputFile = None,
    html: Html = None,
    jobs: Jobs = None,
    no_cache: NoCache = False,
) -> None:
    """Rewrite CUDA code for PyTorch/XLA, in place, and list what is left for a human."""
    from xlaport import interrupts, run
    from xlaport.configuration.running import configured
    from xlaport.report.findings_files import FindingsFiles, of_a_conversion
    from xlaport.report.view import of_convert

    interrupts.listen()
    if diff and (out is not None or output_format is not FindingsFormat.text):
        raise UserError("--diff writes nothing and prints a diff: leave out --out and --output-format")
    files = FindingsFiles(output_file, html)
    files.check(paths)
    config = configured(paths, _asked(unsafe, multi, select, ignore, exclude, target, rules, force_exclude, isolated))
    result = _run(paths, config, jobs, no_cache)
    if diff:
        _print_diff(result, config.unsafe, files)
        files.write_page(result, written=False, unsafe=config.unsafe)
        raise typer.Exit(_check_code(result))
    result = run.write_to(result, paths, out) if out is not None else run.write(result)
    _print(of_a_conversion(result, output_format.value, unsafe=config.unsafe, color=_colors(files)), files)
    view = of_convert(unsafe=config.unsafe)
    _say_summary(result, view, output_format, files)
    files.write_page(result, written=True, unsafe=config.unsafe)
    is_left = exit_non_zero_on_manual and any(not f.fixed and not view.waits(f) for f in result.findings)
    raise typer.Exit(2 if _errors(result) else int(is_left))


def check(
    paths: PathsOrHere = None,
    unsafe: Unsafe = None,
    multi: Multi = None,
    select: Select = None,
    ignore: Ignore = None,
    exclude: Exclude = None,
    force_exclude: ForceExclude = False,
    target: Target = None,
    rules: Rules = None,
    isolated: Isolated = False,
    explain_facts: Annotated[
        bool,
        typer.Option("--explain-facts", help="Print what names stand for and which loops step, and what shows it."),
    ] = False,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit code 0 where there are findings, too.")] = False,
    output_format: FindingsOutputFormat = FindingsFormat.text,
    output_file: OutputFile = None,
    html: Html = None,
    jobs: Jobs = None,
    no_cache: NoCache = False,
) -> None:
    """List the findings and write nothing. Exit code 1 where there are any."""
    from xlaport import interrupts
    from xlaport.configuration.running import configured
    from xlaport.report.findings_files import FindingsFiles, of_a_check
    from xlaport.report.view import of_check

    interrupts.listen()
    paths = paths or [Path()]
    config = configured(paths, _asked(unsafe, multi, select, ignore, exclude, target, rules, force_exclude, isolated))
    files = FindingsFiles(output_file, html)
    files.check(paths)
    if explain_facts:
        if output_format not in (FindingsFormat.text, FindingsFormat.json) or html is not None:
            raise UserError("--explain-facts prints facts, as text or json: leave out --html and other formats")
        _print_facts(paths, config, output_format, files)
        return
    result = _run(paths, config, jobs, no_cache)
    _print(of_a_check(result, output_format.value, unsafe=config.unsafe, color=_colors(files)), files)
    _say_summary(result, of_check(unsafe=config.unsafe), output_format, files)
    files.write_page(result, written=False, unsafe=config.unsafe)
    code = _check_code(result)
    raise typer.Exit(0 if code == 1 and exit_zero else code)


def _asked(
    unsafe: bool | None,
    multi: bool | None,
    select: str | None,
    ignore: str | None,
    exclude: list[str] | None,
    target: str | None,
    rules: list[str] | None,
    force_exclude: bool,
    isolated: bool,
) -> Asked:
    from xlaport.configuration.running import Asked

    return Asked(
        select=_codes(select),
        ignore=_codes(ignore),
        exclude=tuple(exclude) if exclude is not None else None,
        unsafe=unsafe,
        multi=multi,
        target=target,
        packs=tuple(rules or ()),
        force_exclude=force_exclude,
        isolated=isolated,
    )


def _codes(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    return tuple(code.strip().upper() for code in text.split(",") if code.strip())


def _errors(result: RunResult) -> bool:
    from xlaport.report import all_errors

    return bool(all_errors(result))


def _check_code(result: RunResult) -> int:
    if _errors(result):
        return 2
    return 1 if result.findings else 0


def _run(paths: list[Path], config: Config, jobs: int | None, no_cache: bool) -> RunResult:
    from xlaport import run
    from xlaport.caching import store
    from xlaport.progress import Progress
    from xlaport.workers import cores

    kept = None if no_cache or os.environ.get("XLAPORT_NO_CACHE") else store.Store(store.folder())
    with Progress() as progress:
        return run.convert(paths, config, run.Effort(jobs or cores(), kept, progress))


def _print_facts(paths: list[Path], config: Config, output: FindingsFormat, files: FindingsFiles) -> None:
    from xlaport import run
    from xlaport.report import facts as view

    accounts, errors = run.facts(paths, config)
    is_json = output is FindingsFormat.json
    text = view.as_json(accounts, errors, config.settings().target.name) if is_json else view.as_text(accounts, errors)
    _print(text, files)
    raise typer.Exit(2 if errors else 0)


def _print(text: str, files: FindingsFiles) -> None:
    if files.output_file is None:
        sys.stdout.write(text)
        sys.stdout.flush()  # what follows may fail, and what was said must not be lost with it
    else:
        files.write(text.encode("utf-8", "backslashreplace"))


def _say_summary(result: RunResult, view: View, output: FindingsFormat, files: FindingsFiles) -> None:
    """The totals, for somebody who looks on, where the report has none or goes elsewhere."""
    if sys.stderr.isatty() and (files.output_file is not None or output is not FindingsFormat.text):
        from xlaport.report.findings_text import summary

        sys.stderr.write(f"{summary(result, view)}\n")


def _print_diff(result: RunResult, unsafe: bool, files: FindingsFiles) -> None:
    from xlaport.report import diff, findings_text

    # Bytes, since a patch has to hold the bytes of the files whatever the terminal's encoding is.
    patch = diff.render(result).encode("utf-8", "surrogateescape")
    if files.output_file is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(patch)
        sys.stdout.buffer.flush()
    else:
        files.write(patch)
    sys.stderr.write(findings_text.render_diff_notes(result, unsafe=unsafe, color=_wants_color(sys.stderr.isatty())))


def _colors(files: FindingsFiles) -> bool:
    return files.output_file is None and _wants_color(sys.stdout.isatty())


def _wants_color(is_terminal: bool) -> bool:
    return is_terminal and "NO_COLOR" not in os.environ
