"""The command line: its commands, and how whatever stops one is said."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

import xlaport
from xlaport.commands import catalogue, machines, porting, verifying
from xlaport.errors import UserError
from xlaport.separator import SeparatorCommand

app = typer.Typer(
    name="xlaport",
    help="Port CUDA PyTorch code to TPU (PyTorch/XLA), and prove the port by running it.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)
app.command()(porting.convert)
app.command()(porting.check)
app.command(cls=SeparatorCommand)(verifying.verify)
app.command()(verifying.recorder)
app.command()(machines.doctor)
app.command(cls=SeparatorCommand)(machines.launch)
app.command()(catalogue.explain)
app.command()(catalogue.rules)


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
        from xlaport.configuration.verifying import configured

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
