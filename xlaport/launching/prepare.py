"""From a script to a job: what starts its processes, and whether it is ready for a TPU at all."""

from __future__ import annotations

import ast
import os
from collections.abc import Sequence
from pathlib import Path

from xlaport import run
from xlaport.config import Config
from xlaport.errors import UserError
from xlaport.facts.module import Module, imported_modules
from xlaport.facts.names import Names
from xlaport.finding import Applicability
from xlaport.launching import slices
from xlaport.launching.job import Job, Start
from xlaport.target import Target, Trait
from xlaport.targets.known import DEFAULT, target

_DEVICES = ("XP1",)
"""The family of rules that speak of devices: where one of them has something to mend, the script is for CUDA."""
_CALLS = ("XP951", "XP952", "XP953", "XP954", "XP955", "XP956")
"""The rules that speak of calls of torch_xla: where one of them has something to mend, the script is for that."""
_LIGHTNING = frozenset({"lightning", "pytorch_lightning"})
_JOIN = "torch.distributed.init_process_group"
_SPAWNS = frozenset({"torch.multiprocessing.spawn", "torch.multiprocessing.spawn.spawn"})
_WAITING = frozenset({"accelerate", "trl"})


def prepare(
    script: Path, arguments: Sequence[str], tpu: str, out: Path | None = None, written_for: str = DEFAULT
) -> Job:
    """The job that runs a script on a slice; `written_for`: its target. Raises `UserError` where there is none, or the
    script is still CUDA's, or torch_xla's for a target that succeeds it.
    """
    spoken = target(written_for)
    slice_ = slices.find(tpu)
    if script.suffix != ".py" or not script.is_file():
        raise UserError(f"{script} is no Python script: name the ported one, as in  xlaport launch train.py")
    result = run.convert([script], Config(select=(*_DEVICES, *_CALLS), target=written_for))
    cuda = [f for f in result.findings if f.fixed and f.code not in _CALLS]
    calls = [f for f in result.findings if f.code in _CALLS and f.applicability is not Applicability.MANUAL]
    if left := cuda or calls:
        count = f"{len(left)} place{'s' if len(left) > 1 else ''}, the first in line {left[0].line}"
        words = ["xlaport convert"]
        if any(finding.applicability is Applicability.UNSAFE for finding in left):
            words.append("--unsafe")
        if cuda and _starts_several(run.modules(script)):
            words.append("--multi")
        if written_for != DEFAULT:
            words.append(f"--target {written_for}")
        port, other = " ".join([*words, str(script)]), "CUDA" if cuda else "torch_xla"
        raise UserError(f"{script} is still written for {other} ({count}): port it first, with  {port}")
    if result.errors:
        raise UserError(f"{script}: {result.errors[0].message}")
    if any("\n" in argument for argument in arguments):
        raise UserError("an argument of the script has a line break in it, which no launch file can pass on")
    modules = run.modules(script)
    if not modules:
        raise UserError(f"{script}: cannot be parsed as Python")
    file = {} if out is None else {"file": out.as_posix()}
    return Job(_called(script), tuple(arguments), start_of(modules, spoken), slice_, spoken.machine, **file)


def _called(script: Path) -> str:
    """The script's path from here where it lies below, else its name: a job starts in a folder of its own."""
    path = Path(os.path.abspath(script))
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else path.name


def _called_names(modules: Sequence[Module]) -> set[str]:
    """The qualified names of what some files call."""
    called: set[str] = set()
    for module in modules:
        names = Names(module)
        called |= {name for call in module.calls if (name := names.resolve(call.func)) is not None}
    return called


def _starts_several(modules: Sequence[Module]) -> bool:
    """Whether a script for CUDA is for several processes, whose groups and ranks only ``--multi`` ports."""
    return bool(_called_names(modules) & {_JOIN, *_SPAWNS})


def start_of(modules: Sequence[Module], spoken: Target) -> Start:
    """How a script starts its processes, as far as the text of its files shows."""
    called = _called_names(modules)

    def calls(meaning: str) -> bool:
        return bool(called & (spoken.other_spellings(meaning) | {spoken.symbol(meaning).qualified}))

    if calls("use_spmd"):
        return Start.SPMD
    if calls("launch"):
        return Start.LAUNCHES
    imports = [n for module in modules for n in module.nodes if isinstance(n, ast.Import | ast.ImportFrom)]
    packages = {name.partition(".")[0] for node in imports for name in imported_modules(node)}
    if packages & _LIGHTNING:
        return Start.LIGHTNING
    if called & _SPAWNS and spoken.is_a(Trait.TORCH_GROUPS):
        return Start.SPAWNS
    if _JOIN in called:
        return Start.TORCHRUN
    if packages & _WAITING or any(name.startswith("transformers.") and "Trainer" in name for name in called):
        return Start.ACCELERATE
    return Start.SINGLE
