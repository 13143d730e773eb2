"""``xlaport port``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from xlaport.commands.options import (
    Exclude,
    ExtendIgnore,
    ExtendSelect,
    Format,
    Html,
    Ignore,
    Isolated,
    Multi,
    OriginalDevice,
    OriginalOn,
    OutputFormat,
    PythonPath,
    Rules,
    Select,
    Target,
)
from xlaport.commands.tpus import Chips, CompileTimeout, tpu_of
from xlaport.errors import UserError
from xlaport.separator import behind

if TYPE_CHECKING:
    from xlaport.port import Answer, Attempt, PortRequest

_INTERRUPTED = 130
_TOLD = {"restored": "put back what it had written of {}", "changed": "{} has been changed since, and stays as it is"}


def port(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="SCRIPT [-- ARGS]",
            help="The CUDA script or notebook; behind -- its arguments: few steps, little data. A launcher, too.",
        ),
    ],
    module: Annotated[bool, typer.Option("--module", "-m", help="SCRIPT is a module, as in python -m.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write the port into this folder, even one that fails."),
    ] = None,
    branch: Annotated[
        str | None, typer.Option(metavar="NAME", help="Commit the port to this new branch of git; your files stay.")
    ] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; print a unified diff.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write nothing; say what came of it.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a port that was interrupted.")] = False,
    max_runs: Annotated[int, typer.Option(min=1, metavar="N", help="Run the script so often at most.")] = 8,
    steps: Annotated[
        int, typer.Option(min=0, metavar="N", help="Stop each run after N steps; 0 lets it run to its end.")
    ] = 100,
    timeout: Annotated[float, typer.Option(min=1, metavar="SECONDS", help="Stop a run that takes longer.")] = 600.0,
    disk: Annotated[
        float, typer.Option(min=0, metavar="GB", help="Stop a run that writes more into its copy of the folder.")
    ] = 10.0,
    rtol: Annotated[
        float, typer.Option(min=0, metavar="R", help="Relative difference from the original by the 100th step.")
    ] = 5e-3,
    no_dropout: Annotated[bool, typer.Option("--no-dropout", help="Dropout off in both, to compare them.")] = False,
    original_device: OriginalOn = OriginalDevice.cpu,
    tpu: Chips = None,
    tpu_timeout: CompileTimeout = 900.0,
    python: PythonPath = sys.executable,
    cwd: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Run and port in this folder.", show_default="this one")
    ] = None,
    root: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Port this folder, of which the script runs in a part: its own packages lie elsewhere in it.",
            show_default="where it runs, with what PYTHONPATH names of its git work tree",
        ),
    ] = None,
    sandbox_link: Annotated[
        list[Path] | None,
        typer.Option(metavar="PATH", help="What the copies of the folder link, since it is only read (data, say)."),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="Port all files of the folder, and not those alone that SCRIPT imports.")
    ] = False,
    save_evidence: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what the first run shows into this file, for --evidence."),
    ] = None,
    multi: Multi = None,
    select: Select = None,
    ignore: Ignore = None,
    extend_select: ExtendSelect = None,
    extend_ignore: ExtendIgnore = None,
    exclude: Exclude = None,
    target: Target = None,
    rules: Rules = None,
    isolated: Isolated = False,
    html: Html = None,
    output_format: OutputFormat = Format.text,
) -> None:
    """Convert a CUDA script and run it, until its port passes; written only then, and all at once."""
    from dataclasses import replace

    from xlaport.caching.store import Store, folder
    from xlaport.commands.running import asked_for
    from xlaport.configuration.running import configured
    from xlaport.copying import check
    from xlaport.observed.watching import save
    from xlaport.port import PortRequest, port
    from xlaport.port.branch import check as check_branch
    from xlaport.port.program import files_of, root_of
    from xlaport.report import answer_json, answer_text
    from xlaport.report.findings_files import FindingsFiles
    from xlaport.targets.known import target as target_of
    from xlaport.verify import Stopped
    from xlaport.verify.gpu import check_gpu
    from xlaport.verify.launch import interrupt_on_termination
    from xlaport.verify.request import TORCH_TPU
    from xlaport.verify.words import read

    if sum((out is not None, branch is not None, diff, dry_run)) > 1:
        raise UserError("--out, --branch, --diff and --dry-run: choose one")
    if diff and output_format is Format.json:
        raise UserError("--diff prints a diff: leave out --output-format")
    if cwd is not None and not cwd.is_dir():
        raise UserError(f"--cwd {cwd}: no such folder")
    here = (cwd or Path.cwd()).resolve()
    top = root.resolve() if root is not None else root_of(here)
    if not here.is_relative_to(top):
        raise UserError(f"--root {root}: the script runs in {here}, which does not lie in it; see --cwd")
    if out is not None:
        check([top], out)  # now, and not behind all runs
    before = len(words) - behind(context)
    asked = read(words[:before], words[before:], module=module, directory=here, notebooks=True)
    if len(asked.scripts) > 1:
        raise UserError("port takes one script; its arguments stand behind --")
    files = FindingsFiles(None, html)
    files.check([top])
    options = asked_for(
        select, ignore, extend_select, extend_ignore, exclude, False, multi, target, rules, False, isolated
    )
    request = PortRequest(
        folder=top,
        inner=here.relative_to(top),
        script=asked.target(asked.scripts[0]),
        arguments=asked.arguments,
        module=asked.module,
        config=configured([here], options),
        steps=steps or None,
        timeout=timeout,
        python=python,
        rtol=rtol,
        no_dropout=no_dropout,
        original_device=original_device.value,
        links=tuple(Path(os.path.relpath(here / link, top)) for link in sandbox_link or ()),
        most_runs=max_runs,
        room=int(disk * 1e9),
        whole=whole,
    )
    request = replace(request, config=replace(request.config, unsafe=False))
    if tpu and target_of(request.config.target).package == TORCH_TPU:
        raise UserError("--tpu compiles the graphs of torch_xla, and torch_tpu has none: leave out --tpu")
    if original_device is OriginalDevice.cuda:
        check_gpu(python, here)
    _tell_what_is_left_out(here, request)
    if branch is not None:
        check_branch(branch, top, files_of(request))
    interrupt_on_termination()

    def tell(attempt: Attempt) -> None:
        sys.stderr.write(f"xlaport: {answer_text.attempted(attempt)}\n")

    def starting(what: str) -> None:
        sys.stderr.write(f"xlaport: {what}\n")

    chips = tpu_of(tpu, tpu_timeout) if tpu else None
    written: list[str] | None = None
    try:
        _put_back(top)
        answer = port(request, Store(folder()), tell, starting, chips, resumed=resume)
        if save_evidence is not None:
            save(answer.observed, save_evidence)
        result = answer.kept.result
        if diff:
            from xlaport.report import diff as view

            sys.stdout.buffer.write(view.render(result).encode("utf-8", "surrogateescape"))
        said, written = _write(answer, request, out, branch, dry_run=dry_run or diff)
        files.write_page(result, written=bool(written), unsafe=bool(answer.kept.unsafe))
        if output_format is Format.json:
            text = answer_json.as_json(answer, here, written)
        else:
            text = answer_text.as_text(answer, here, said)
        (sys.stderr if diff else sys.stdout).write(text + "\n")
    except (Stopped, KeyboardInterrupt):
        ended = f"written: {', '.join(written)}" if written else "nothing was written"
        sys.stderr.write(f"xlaport: interrupted; {ended}; --resume goes on from here\n")
        raise typer.Exit(_INTERRUPTED) from None
    raise typer.Exit(answer.exit_code)


def _tell_what_is_left_out(here: Path, request: PortRequest) -> None:
    """Say which lines of a notebook the runs leave out."""
    from xlaport.port.notebooks import left_out, script_of

    if request.module or script_of(request.script) == request.script or not (here / request.script).is_file():
        return
    if lines := left_out(here / request.script):
        sys.stderr.write(f"xlaport: the runs leave out what only a kernel does: {'; '.join(lines)}\n")


def _put_back(folder: Path) -> None:
    """Undo what a port that was killed has written in part, and say so."""
    from xlaport.port.journal import undo
    from xlaport.report.verdict_words import relative

    undone = undo(folder)
    if undone is None:
        return
    names = {key: ", ".join(relative(str(path), Path.cwd()) or "" for path in getattr(undone, key)) for key in _TOLD}
    told = [text.format(names[key]) for key, text in _TOLD.items() if names[key]] or ["no file had changed"]
    sys.stderr.write(f"xlaport: a port was killed while it wrote: {'; '.join(told)}\n")


def _write(
    answer: Answer, request: PortRequest, out: Path | None, branch: str | None, *, dry_run: bool
) -> tuple[str, list[str]]:
    """Write the port where it is wanted; a sentence that says so, and the files."""
    from xlaport import run
    from xlaport.port.branch import commit
    from xlaport.port.writing import write_together
    from xlaport.report.verdict_words import relative

    result = answer.kept.result
    if out is not None:
        run.write_to(result, [request.folder], out)
        return f"Written to {out}", [str(out)]
    if dry_run:
        return "Nothing was written", []
    if answer.result != "pass":
        return "Nothing was written; --out DIR writes what there is of the port", []
    if branch is not None and result.changed:
        commit(result, request.folder, branch)
        return f"Committed to the branch {branch}: git diff HEAD {branch}", [branch]
    names = [relative(str(file.path), Path.cwd()) or "" for file in write_together(result, request.folder).changed]
    return f"Written: {', '.join(names)}" if names else "There was nothing to change", names
