"""``xlaport check``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
    PathsOrHere,
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

if TYPE_CHECKING:
    from xlaport.config import Config
    from xlaport.report.findings_files import FindingsFiles
    from xlaport.result import RunResult


def check(
    paths: PathsOrHere = None,
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
    baseline: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Report only what is not in this file of known findings."),
    ] = None,
    write_baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the findings into this file, for --baseline.")
    ] = None,
    add_ignores: Annotated[
        bool,
        typer.Option("--add-ignores", help="Write a comment beside each finding that asks to ignore it from now on."),
    ] = False,
    explain_facts: Annotated[
        bool,
        typer.Option(
            "--explain-facts",
            help="Print what names stand for and which loops step, and why; of FILE:LINE, what each expression is.",
        ),
    ] = False,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit code 0 where there are findings, too.")] = False,
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
    """List the findings and write nothing. Exit code 1 where there are any."""
    from xlaport import baseline as known_findings
    from xlaport import interrupts
    from xlaport.commands.reporting import report_asked_for
    from xlaport.commands.running import asked_for, run_over, typed_program, with_evidence
    from xlaport.configuration.running import configured
    from xlaport.report import all_errors
    from xlaport.report.findings_files import FindingsFiles
    from xlaport.report.next_step import Asked as AskedFor
    from xlaport.report.view import of_check

    interrupts.listen()
    paths = paths or [Path()]
    line = None
    if explain_facts:
        paths, line = _line_asked_for(paths)
    files = FindingsFiles(output_file, html)
    files.check(paths)
    report = report_asked_for(files, output_format, color, quiet, verbose, statistics, possible)
    typed = typed_program(paths, stdin_filename)
    asked = asked_for(
        select, ignore, extend_select, extend_ignore, exclude, unsafe, multi, target, rules, force_exclude, isolated
    )
    config = configured(paths if typed is None else [typed.path], replace(asked, baseline=baseline))
    config = with_evidence(config, evidence)
    if explain_facts:
        if output_format not in (FindingsFormat.text, FindingsFormat.json) or html is not None:
            raise UserError("--explain-facts prints facts, as text or json: leave out --html and other formats")
        if typed is not None:
            raise UserError("--explain-facts reads files: name one")
        is_json = output_format is FindingsFormat.json
        shown = _facts(paths, config, is_json) if line is None else _facts_of_line(paths[0], line, config, is_json)
        raise typer.Exit(_print_facts(*shown, files))
    if write_baseline is not None:
        FindingsFiles(write_baseline).check(paths, "--write-baseline")
    if add_ignores:
        if typed is not None:
            raise UserError("--add-ignores writes into files: name them")
        if write_baseline or baseline or output_file or html or output_format is not FindingsFormat.text:
            raise UserError("--add-ignores writes comments, and no report or baseline: leave out their options")
        raise typer.Exit(
            _add_ignores(lambda: _without_known(run_over(paths, config, jobs, no_cache, None), config)[0], config)
        )
    result = run_over(paths, config, jobs, no_cache, typed)
    if write_baseline is not None:
        written = known_findings.write(result, write_baseline)
        typer.echo(f"{written} finding{'' if written == 1 else 's'} written to {write_baseline}.")
        raise typer.Exit(2 if all_errors(result) else 0)
    result, known = _without_known(result, config)
    view = of_check(unsafe=config.unsafe)
    report.print(
        result, view, AskedFor(tuple(map(str, paths)), config.unsafe, target) if typed is None else None, known
    )
    files.write_page(result, written=False, unsafe=config.unsafe)
    code = 2 if all_errors(result) else int(bool(result.findings))
    raise typer.Exit(0 if code == 1 and exit_zero else code)


def _without_known(result: RunResult, config: Config) -> tuple[RunResult, int]:
    """What the configured baseline does not know, and how many findings it does."""
    from xlaport.baseline import without_known

    return without_known(result, config.baseline) if config.baseline is not None else (result, 0)


def _add_ignores(run: Callable[[], RunResult], config: Config) -> int:
    """Write the comments, and say what came of it. Returns the exit code."""
    from xlaport import registry
    from xlaport.report.printable import count, printable
    from xlaport.rule import SuppressionRule
    from xlaport.suppressions.adding import add

    rules = registry.load_all(config.packs)
    added = add(run, {rule.code for rule in rules if isinstance(rule, SuppressionRule)})
    for error in added.errors:
        typer.echo(f"error: {printable(error.path)}: {printable(error.message)}", err=True)
    for finding in added.left:
        typer.echo(f"{printable(finding.path)}:{finding.line}: {finding.code} no comment can stand here")
    typer.echo(f"{count(added.ignored, 'finding')} ignored by a comment; {len(added.left)} left.")
    return 2 if added.errors else 0


def _line_asked_for(paths: list[Path]) -> tuple[list[Path], int | None]:
    """``train.py:12``, where that is no file: the file, and the line."""
    name, _, number = str(paths[0]).rpartition(":")
    if not name or not number.isdecimal() or paths[0].exists():
        return paths, None
    if len(paths) > 1:
        raise UserError(f"--explain-facts explains one line at a time: {paths[0]} alone")
    return [Path(name)], int(number)


def _facts(paths: list[Path], config: Config, is_json: bool) -> tuple[str, bool]:
    """What is known of the files, and whether there are errors."""
    from xlaport import run
    from xlaport.report import facts as view

    accounts, errors = run.facts(paths, config)
    target = config.settings().target.name
    return view.as_json(accounts, errors, target) if is_json else view.as_text(accounts, errors), bool(errors)


def _facts_of_line(path: Path, line: int, config: Config, is_json: bool) -> tuple[str, bool]:
    """What is known of a line."""
    from xlaport import run
    from xlaport.report import facts as view

    accounts, errors = run.facts_of_line(path, line, config)
    if errors:
        raise UserError(f"{errors[0].path}: {errors[0].message}")
    account = accounts[0][1] if accounts else None
    if account is None:
        raise UserError(f"{path}:{line}: no expression begins there")
    shown = accounts[0][0]
    target = config.settings().target.name
    return view.line_as_json(shown, account, target) if is_json else view.line_as_text(shown, account), False


def _print_facts(text: str, are_errors: bool, files: FindingsFiles) -> int:
    """Print what is known. Returns the exit code."""
    import sys

    if files.output_file is None:
        sys.stdout.write(text)
    else:
        files.write(text.encode("utf-8", "backslashreplace"))
    return 2 if are_errors else 0
