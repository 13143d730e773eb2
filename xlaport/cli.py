"""The command line: parse arguments, call one function, print. No logic."""

from __future__ import annotations

import enum
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import xlaport
from xlaport.errors import UserError
from xlaport.separator import SeparatorCommand, behind

if TYPE_CHECKING:
    from xlaport.config import Config
    from xlaport.result import RunResult

app = typer.Typer(
    name="xlaport",
    help="Port CUDA PyTorch code to TPU (PyTorch/XLA), and prove the port by running it.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)


class Format(str, enum.Enum):
    """How a report is printed."""

    text = "text"
    json = "json"


Paths = Annotated[list[Path], typer.Argument(metavar="PATH...", help="Python files, launchers, configs, folders.")]
Select = Annotated[
    str | None, typer.Option(metavar="CODES", help="Only these rules: codes or their beginnings, by comma.")
]
Ignore = Annotated[
    str | None, typer.Option(metavar="CODES", help="Not these rules: codes or their beginnings, by comma.")
]
Exclude = Annotated[
    list[str] | None, typer.Option(metavar="PATTERN", help="Leave these files out, as in a .gitignore; repeatable.")
]
Unsafe = Annotated[bool, typer.Option("--unsafe", help="Apply fixes too that may change values or output.")]
Multi = Annotated[
    bool,
    typer.Option(
        "--multi",
        help="Port programs of several GPUs to several chips: the unsafe fixes of XP6 and XP7, and no others.",
    ),
]
OutputFormat = Annotated[Format, typer.Option("--output-format", help="How to print the report.")]
PythonPath = Annotated[
    str, typer.Option(metavar="PATH", help="The Python that has torch_xla.", show_default="this one")
]
_ARGUMENTS = {"words": "SCRIPT"}
_OF_A_RUN = (*_ARGUMENTS, "module", "steps", "timeout", "python", "against", "replicas")
Target = Annotated[str, typer.Option(metavar="VERSION", help="The torch_xla version to write for: 2.1 to 2.9.")]


@app.command()
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


@app.command()
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


@app.command(cls=SeparatorCommand)
def verify(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCRIPT [-- ARGS]",
            help="The ported script, run unchanged; or several, if all words end in .py. Behind -- are the arguments "
            "of each. A launcher, too: -- torchrun --nproc_per_node=2 train.py",
        ),
    ] = None,
    module: Annotated[bool, typer.Option("--module", "-m", help="SCRIPT is a module, as in python -m.")] = False,
    steps: Annotated[
        int, typer.Option(min=0, metavar="N", help="Stop the script after N steps; 0 lets it run to its end.")
    ] = 100,
    timeout: Annotated[float, typer.Option(min=1, metavar="SECONDS", help="Stop a run that takes longer.")] = 600.0,
    max_compiles: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Graphs that may be compiled after warm-up. [default: a bounded set]"),
    ] = None,
    max_transfers: Annotated[
        float, typer.Option(min=0, metavar="SHARE", help="Share of the steady steps that may read the device.")
    ] = 0.5,
    max_executions: Annotated[int, typer.Option(min=1, metavar="N", help="Graphs that a steady step may execute.")] = 1,
    allow_fallback: Annotated[
        list[str] | None, typer.Option(metavar="OP", help="An op that may run on the host (aten::…); repeatable.")
    ] = None,
    python: PythonPath = sys.executable,
    metrics: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Judge this recorded run (see xlaport recorder); run nothing.")
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option(metavar="ORIGINAL", help="The CUDA original: run it on the CPU, and compare how both train."),
    ] = None,
    rtol: Annotated[
        float, typer.Option(min=0, metavar="R", help="Relative difference that --against allows by the 100th step.")
    ] = 1e-3,
    no_dropout: Annotated[bool, typer.Option("--no-dropout", help="Dropout off in both, for --against.")] = False,
    replicas: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Play N replicas of what torch_xla.launch() starts, and compare them."),
    ] = 1,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page, too: what to change in which line, and why.")
    ] = None,
    tensorboard: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a run for TensorBoard, too, into a new folder in DIR.")
    ] = None,
    output_format: OutputFormat = Format.text,
) -> None:
    """Run a ported script on XLA and judge its graphs, step by step."""
    from xlaport.judging import judge_recording, judge_scripts
    from xlaport.report.verdict_files import VerdictFiles
    from xlaport.verify import Against, Budgets, VerifyRequest
    from xlaport.verify.words import read

    budgets = Budgets(
        compiles=max_compiles,
        transfers=max_transfers,
        executions=max_executions,
        fallbacks=frozenset(allow_fallback or ()),
    )
    if against is None:
        _refuse(context, "nothing is compared without --against", "rtol", "no_dropout")
    else:
        _refuse(context, "--against compares one process with its original", "replicas")
    files = VerdictFiles(html, tensorboard)
    files.check()
    as_json = output_format is Format.json
    if metrics is not None:
        _refuse(context, "--metrics judges a run that is over", *_OF_A_RUN)
        raise typer.Exit(judge_recording(metrics, budgets, files, as_json=as_json))
    if not words:
        raise UserError("name the script to run, or a recorded run with --metrics FILE; see xlaport verify --help")
    before = len(words) - behind(context)
    asked = read(words[:before], words[before:], module=module)
    if len(asked.scripts) > 1:
        _refuse(context, "--against compares one script with its original", "against")

    def request(script: str) -> VerifyRequest:
        return VerifyRequest(
            script=asked.target(script),
            arguments=asked.arguments,
            module=asked.module,
            steps=steps or None,
            timeout=timeout,
            python=python,
            budgets=budgets,
            against=Against(against, rtol, no_dropout) if against else None,
            replicas=replicas,
        )

    raise typer.Exit(judge_scripts(asked, request, files, as_json=as_json))


@app.command()
def recorder(
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it.")] = Path("xlaport_recorder.pyz"),
) -> None:
    """Write a program that records a run on a machine that has torch_xla but not xlaport, such as a TPU's."""
    from xlaport.verify.package import write_recorder

    write_recorder(out)
    sys.stdout.write(
        f"{out}: copy it to the machine with the TPU, and run there\n"
        f"    python {out.name} --out run.xlaport train.py …\n"
        "then bring run.xlaport back, and judge it here\n"
        "    xlaport verify --metrics run.xlaport\n"
    )


@app.command()
def doctor(
    python: PythonPath = sys.executable,
    timeout: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="How long a first graph may take to start and run.")
    ] = 120.0,
    output_format: OutputFormat = Format.text,
) -> None:
    """Say whether this machine can run torch_xla: versions, device, a first graph, environment variables."""
    from xlaport.doctor import examine
    from xlaport.report import doctor as view

    diagnosis = examine(python, timeout)
    sys.stdout.write(view.as_json(diagnosis) if output_format is Format.json else view.as_text(diagnosis))
    raise typer.Exit(diagnosis.exit_code)


@app.command(cls=SeparatorCommand)
def launch(
    script: Annotated[Path, typer.Argument(metavar="SCRIPT", help="The ported script.")],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[-- ARGS]", help="Its arguments.")] = None,
    engine: Annotated[
        str, typer.Option(metavar="ENGINE", help="What to write: notes, docker, skypilot, gke, xpk or ray.")
    ] = "notes",
    tpu: Annotated[str, typer.Option(metavar="SLICE", help="The TPU: v5litepod-8, v6e-16, v4-8 …")] = "v5litepod-8",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it there, not to the terminal.")] = None,
) -> None:
    """Say what to run on a TPU for a script, or write the file for what starts your jobs."""
    from xlaport import launching

    if engine not in launching.ENGINES:
        raise UserError(f"unknown engine '{engine}': choose one of {', '.join(launching.ENGINES)}")
    text = launching.ENGINES[engine](launching.prepare(script, arguments or (), tpu, out))
    if out is None:
        sys.stdout.write(text)
        return
    launching.write(out, text)
    sys.stdout.write(f"{out}: written; how to start it stands in it\n")


@app.command()
def explain(code: Annotated[str, typer.Argument(metavar="CODE", help="A rule's code or name, such as XP201.")]) -> None:
    """What a rule does, why, when it is wrong, before and after."""
    from xlaport import registry
    from xlaport.report import catalogue

    sys.stdout.write(catalogue.page(registry.find(registry.load(), code)))


@app.command()
def rules(output_format: OutputFormat = Format.text) -> None:
    """The catalogue of rules."""
    from xlaport import registry
    from xlaport.report import catalogue

    found = registry.load()
    sys.stdout.write(catalogue.as_json(found) if output_format is Format.json else catalogue.table(found))


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"xlaport {xlaport.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand == "verify":
        from xlaport.verify.configured import configured

        # What the command line says comes before what the project says.
        context.default_map = {"verify": configured(Path.cwd())}


def main() -> None:
    """Run the command line. Whatever the user can mend is one line on standard error, and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that knows ASCII only
    try:
        app()
    except UserError as error:
        sys.stderr.write(f"xlaport: {error}\n")
        raise SystemExit(2) from None
    except KeyboardInterrupt:
        sys.stderr.write("xlaport: interrupted; files already written are complete, the others are untouched\n")
        raise SystemExit(130) from None
    except BrokenPipeError:
        # The reader (head, less) has gone: nothing to say to anybody, and nothing to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(141) from None


# -- printing --------------------------------------------------------------------------------------------


def _config(
    unsafe: bool, multi: bool, select: str | None, ignore: str | None, exclude: list[str] | None, target: str
) -> Config:
    from xlaport.config import Config

    return Config(_codes(select), _codes(ignore), tuple(exclude or ()), unsafe, target, multi)


def _codes(text: str | None) -> tuple[str, ...]:
    return tuple(code.strip().upper() for code in (text or "").split(",") if code.strip())


def _refuse(context: typer.Context, why: str, *names: str) -> None:
    """Say so where the command line has options that would do nothing; what the project says of all runs may stand."""
    sources = {name: context.get_parameter_source(name) for name in names}
    given = [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]
    if given:
        spelled = (_ARGUMENTS.get(name, "--" + name.replace("_", "-")) for name in given)
        raise UserError(f"{why}: leave out {', '.join(spelled)}")


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
