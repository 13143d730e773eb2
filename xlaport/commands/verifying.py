"""``xlaport verify`` and ``xlaport recorder``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from xlaport.commands.options import Format, OriginalDevice, OriginalOn, OutputFormat, PythonPath, RunsOn
from xlaport.commands.tpus import Chips, CompileTimeout, tpu_of
from xlaport.errors import UserError
from xlaport.separator import behind

_ARGUMENTS = {"words": "SCRIPT"}
_OF_TPUS = ("tpu_timeout", "max_hbm", "max_step_ms_bound", "largest_batch")
_OF_A_RUN = tuple("words module steps timeout python target against replicas cwd sandbox sandbox_link tpu".split())
_OF_GRAPHS = ("tpu", "replicas", "max_executions")
"""What torch_xla alone can be asked: a graph for each step."""


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
        float, typer.Option(min=0, metavar="SHARE", help="Share of the steady steps that may wait for a read.")
    ] = 0.5,
    max_executions: Annotated[int, typer.Option(min=1, metavar="N", help="Graphs that a steady step may execute.")] = 1,
    allow_fallback: Annotated[
        list[str] | None, typer.Option(metavar="OP", help="An op that may run on the host (aten::…); repeatable.")
    ] = None,
    python: PythonPath = sys.executable,
    target: RunsOn = None,
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
    original_device: OriginalOn = OriginalDevice.cpu,
    cwd: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Run the script in this folder.", show_default="this one")
    ] = None,
    sandbox: Annotated[
        bool,
        typer.Option("--sandbox", help="Run it in a copy of the folder: what it writes goes with that."),
    ] = False,
    sandbox_link: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="What --sandbox links, since it is only read (data, say); repeatable."),
    ] = None,
    replicas: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Play N replicas of what torch_xla.launch() starts, and compare them."),
    ] = 1,
    tpu: Chips = None,
    tpu_timeout: CompileTimeout = 900.0,
    max_hbm: Annotated[
        float | None,
        typer.Option(min=0, metavar="GIB", help="Memory of a chip that a graph may take. [default: what it has]"),
    ] = None,
    max_step_ms_bound: Annotated[
        float | None, typer.Option(min=0, metavar="MS", help="The least time that a step may take on it, at most.")
    ] = None,
    largest_batch: Annotated[
        str | None,
        typer.Option(metavar="OPTION", help="Find the largest batch that fits; OPTION is the script's own for it."),
    ] = None,
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
    from xlaport.targets.known import DEFAULT
    from xlaport.targets.known import target as target_of
    from xlaport.verify import Against, Budgets, Sandbox, VerifyRequest
    from xlaport.verify.gpu import check_gpu
    from xlaport.verify.request import TORCH_TPU
    from xlaport.verify.words import read

    budgets = Budgets(
        compiles=max_compiles,
        transfers=max_transfers,
        executions=max_executions,
        fallbacks=frozenset(allow_fallback or ()),
    )
    if against is None:
        _refuse(context, "nothing is compared without --against", "rtol", "no_dropout", "original_device")
    else:
        _refuse(context, "--against compares one process with its original", "replicas")
    runs_on = target_of(target or DEFAULT).package
    if runs_on == TORCH_TPU:
        _refuse(context, "--target torch_tpu runs each operation at once, and nothing else is known of it", *_OF_GRAPHS)
        tpu = None
    if not tpu:
        _refuse(
            context, "nothing is compiled without --tpu", "tpu_timeout", "max_hbm", "max_step_ms_bound", "largest_batch"
        )
    if not sandbox:
        _refuse(context, "nothing is linked without --sandbox", "sandbox_link")
    if cwd is not None and not cwd.is_dir():
        raise UserError(f"--cwd {cwd}: no such folder")
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

    if original_device is OriginalDevice.cuda:
        check_gpu(python, cwd)
    original = Path(os.path.abspath(against)) if against is not None and cwd is not None else against

    def request(script: str) -> VerifyRequest:
        target = asked.target(script)
        return VerifyRequest(
            script=target if cwd is None or asked.module else Path(os.path.abspath(target)),
            arguments=asked.arguments,
            module=asked.module,
            steps=steps or None,
            timeout=timeout,
            python=python,
            budgets=budgets,
            against=Against(original, rtol, no_dropout, device=original_device.value) if original else None,
            replicas=replicas,
            directory=cwd,
            sandbox=Sandbox(tuple(sandbox_link or ())) if sandbox else None,
            target=runs_on,
        )

    chips = tpu_of(tpu, tpu_timeout, max_hbm, max_step_ms_bound, largest_batch) if tpu else None
    raise typer.Exit(judge_scripts(asked, request, files, chips, as_json=as_json))


def recorder(
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where to write it.")] = Path("xlaport_recorder.pyz"),
) -> None:
    """Write a program that records a run on a machine that has torch_xla or torch_tpu but not xlaport: a TPU's."""
    from xlaport.verify.package import write_recorder

    write_recorder(out)
    sys.stdout.write(
        f"{out}: copy it to the machine with the TPU, and run there\n"
        f"    python {out.name} --out run.xlaport train.py …\n"
        "then bring run.xlaport back, and judge it here\n"
        "    xlaport verify --metrics run.xlaport\n"
    )


def _refuse(context: typer.Context, why: str, *names: str) -> None:
    """Say so where the command line has options that would do nothing; what the project says of all runs may stand."""
    sources = {name: context.get_parameter_source(name) for name in names}
    given = [name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"]
    if given:
        spelled = (_ARGUMENTS.get(name, "--" + name.replace("_", "-")) for name in given)
        raise UserError(f"{why}: leave out {', '.join(spelled)}")
