"""The command line: its commands, and how whatever stops one is said."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import xlaport
from xlaport import streams
from xlaport.commands import catalogue, checking, converting, machines, porting, verifying
from xlaport.errors import UserError
from xlaport.garbage import left_behind
from xlaport.interrupts import Interrupted
from xlaport.separator import SeparatorCommand

app = typer.Typer(
    name="xlaport",
    help="Port CUDA PyTorch code to TPU (PyTorch/XLA), and prove the port by running it.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(converting.convert)
app.command()(checking.check)
app.command(cls=SeparatorCommand)(verifying.verify)
app.command(cls=SeparatorCommand)(porting.port)
app.command()(verifying.recorder)
app.command()(machines.doctor)
app.command(cls=SeparatorCommand)(machines.launch)
app.command()(catalogue.explain)
app.command()(catalogue.rules)


def _version(wanted: bool) -> None:
    if wanted:
        import platform

        from xlaport.targets.known import DEFAULT

        typer.echo(
            f"xlaport {xlaport.__version__} (Python {platform.python_version()}; writes for torch_xla {DEFAULT})"
        )
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand not in ("convert", "check"):  # these go by where their files are
        from xlaport.configuration.verifying import configured

        # What the command line says comes before what the project says.
        found = configured(Path.cwd())
        context.default_map = {"verify": found, "launch": {key: found[key] for key in found.keys() & {"target"}}}


def main() -> None:
    """Run the command line. Whatever the user can mend is one line on standard error, and exit code 2."""
    streams.prepare()
    try:
        try:
            with left_behind():
                app()
        finally:
            streams.flush()
    except UserError as error:
        streams.complain(str(error))
        raise SystemExit(2) from None
    except Interrupted as signal:
        streams.complain("interrupted; every file is whole: as it was, or ported")
        raise SystemExit(signal.exit_code) from None
    except BrokenPipeError:
        # The reader (head, less) has gone: nothing to say to anybody.
        raise SystemExit(141) from None
    except OSError as error:
        streams.complain(f"cannot write {error.filename or 'the output'}: {error.strerror or error}")
        raise SystemExit(2) from None
    finally:
        streams.give_up()
