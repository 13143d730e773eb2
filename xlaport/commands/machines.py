"""``xlaport doctor`` and ``xlaport launch``: the machine that a port runs on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from xlaport.commands.options import Format, OutputFormat, PythonPath, Target
from xlaport.errors import UserError


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


def launch(
    script: Annotated[Path, typer.Argument(metavar="SCRIPT", help="The ported script.")],
    arguments: Annotated[list[str] | None, typer.Argument(metavar="[-- ARGS]", help="Its arguments.")] = None,
    engine: Annotated[
        str, typer.Option(metavar="ENGINE", help="What to write: notes, docker, skypilot, gke, xpk or ray.")
    ] = "notes",
    tpu: Annotated[str, typer.Option(metavar="SLICE", help="The TPU: v5litepod-8, v6e-16, v4-8 …")] = "v5litepod-8",
    target: Target = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it there, not to the terminal.")] = None,
    checked: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Refuse a slice that does not fit: JSON of xlaport verify --tpu SLICE."),
    ] = None,
) -> None:
    """Say what to run on a TPU for a script, or write the file for what starts your jobs."""
    from xlaport import launching
    from xlaport.targets.known import DEFAULT

    if engine not in launching.ENGINES:
        raise UserError(f"unknown engine '{engine}': choose one of {', '.join(launching.ENGINES)}")
    job = launching.prepare(script, arguments or (), tpu, out, target or DEFAULT)
    if checked is not None:
        launching.check(checked, job.script, job.slice)
    text = launching.ENGINES[engine](job)
    if out is None:
        sys.stdout.write(text)
        return
    launching.write(out, text)
    sys.stdout.write(f"{out}: written; how to start it stands in it\n")
