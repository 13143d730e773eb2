"""``xlaport convert``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from xlaport.commands.options import (
    ColorOption,
    Evidence,
    Exclude,
    ExtendIgnore,
    ExtendSelect,
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
    Possible,
    Quiet,
    Rules,
    Select,
    Statistics,
    StdinFilename,
    Target,
    Unsafe,
    Verbose,
)
from xlaport.errors import UserError
from xlaport.report.terminal import Color


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
    extend_select: ExtendSelect = None,
    extend_ignore: ExtendIgnore = None,
    exclude: Exclude = None,
    force_exclude: ForceExclude = False,
    evidence: Evidence = None,
    target: Target = None,
    rules: Rules = None,
    isolated: Isolated = False,
    exit_non_zero_on_manual: Annotated[
        bool, typer.Option("--exit-non-zero-on-manual", help="Exit code 1 where something is left for you.")
    ] = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    color: ColorOption = Color.auto,
    statistics: Statistics = False,
    possible: Possible = False,
    output_format: FindingsOutputFormat = FindingsFormat.text,
    output_file: OutputFile = None,
    html: Html = None,
    stdin_filename: StdinFilename = None,
    jobs: Jobs = None,
    no_cache: NoCache = False,
) -> None:
    """Rewrite CUDA code for PyTorch/XLA, in place, and list what is left for a human."""
    from xlaport import interrupts, run
    from xlaport.commands.reporting import report_asked_for
    from xlaport.commands.running import asked_for, run_over, typed_program, with_evidence
    from xlaport.configuration.running import configured
    from xlaport.report import all_errors
    from xlaport.report.findings_files import FindingsFiles
    from xlaport.report.next_step import Asked as AskedFor
    from xlaport.report.view import of_convert, of_diff

    interrupts.listen()
    if diff and (out is not None or output_format is not FindingsFormat.text):
        raise UserError("--diff writes nothing and prints a diff: leave out --out and --output-format")
    files = FindingsFiles(output_file, html)
    files.check(paths)
    report = report_asked_for(files, output_format, color, quiet, verbose, statistics, possible)
    typed = typed_program(paths, stdin_filename)
    if typed is not None and (out is not None or output_format is not FindingsFormat.text or output_file is not None):
        raise UserError("- prints the port: leave out --out, --output-format and --output-file")
    asked = asked_for(
        select, ignore, extend_select, extend_ignore, exclude, unsafe, multi, target, rules, force_exclude, isolated
    )
    config = with_evidence(configured(paths if typed is None else [typed.path], asked), evidence)
    result = run_over(paths, config, jobs, no_cache, typed)
    if diff:
        report.print_diff(result, of_diff(unsafe=config.unsafe))
        files.write_page(result, written=False, unsafe=config.unsafe)
        raise typer.Exit(2 if all_errors(result) else int(bool(result.findings)))
    view = of_convert(unsafe=config.unsafe)
    if typed is not None:
        report.print_program(result, view, typed.data)
    else:
        result = run.write_to(result, paths, out) if out is not None else run.write(result)
        report.print(result, view, AskedFor(tuple(map(str, paths)), config.unsafe, target))
    files.write_page(result, written=typed is None, unsafe=config.unsafe)
    is_left = exit_non_zero_on_manual and any(map(view.is_left, result.findings))
    raise typer.Exit(2 if all_errors(result) else int(is_left))
