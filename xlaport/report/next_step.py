"""What to do after a report: what matters most of what is left, and the command that comes next."""

from __future__ import annotations

import ast
import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from xlaport import project
from xlaport.finding import Harm
from xlaport.report.places import Places
from xlaport.report.printable import printable
from xlaport.report.view import View
from xlaport.result import FileResult, ReportedFinding, RunResult
from xlaport.targets.known import TARGETS

_SHOWN = 3
"""So many findings are named as what matters most."""
_MOST_PATHS = 4
_ORDER = tuple(Harm)
_MAIN = re.compile(r"^if __name__ == ", re.MULTILINE)
_NAMES = {name for t in TARGETS.values() for name in (t.package, f'"{t.device_type}', t.symbol("device").attribute)}
_TPU = re.compile("|".join(sorted(_NAMES - {"device"})))
"""What names a TPU in a ported file, of any target: what it is ported from may stay, too."""
_OPTIONS = re.compile(r"\b(argparse|ArgumentParser|sys\.argv|click|fire|hydra|absl|typer)\b")


@dataclass(frozen=True)
class Asked:
    """What a command was asked for: the paths, as they were named."""

    paths: tuple[str, ...]
    unsafe: bool = False
    target: str | None = None
    """What is written for, where the command line says so."""

    @property
    def options(self) -> list[str]:
        """What the next command has to be told again."""
        return ["--target", self.target] if self.target is not None else []


def still_on_cpu(run: RunResult, view: View) -> list[str]:
    """A line for each file that is ported in part only: what is left keeps it on the CPU, and nothing names the TPU."""
    rows = []
    for file in run.files:
        if _TPU.search(file.after):
            continue
        lines = dict.fromkeys(
            told.line for told in _told(file, view, file.findings) if view.is_left(told) and told.harm is Harm.ON_CPU
        )
        if lines:
            name = printable(_path(file))
            rows.append(f"{name} still runs on the CPU: line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}")
    return rows


def urgent(run: RunResult, view: View) -> str:
    """``Look first at …``: what costs most of what is left; empty where there is nothing to choose."""
    left = [told for file in run.files for told in _told(file, view, file.findings) if view.is_left(told)]
    if len(left) < _SHOWN:
        return ""
    worst = sorted(left, key=lambda finding: _ORDER.index(finding.harm))[:_SHOWN]
    by_harm: dict[Harm, list[str]] = {}
    for finding in worst:
        cell = "" if finding.cell is None else f"cell {finding.cell}:"
        by_harm.setdefault(finding.harm, []).append(f"{printable(finding.path)}:{cell}{finding.line} {finding.code}")
    return f"Look first at {'; '.join(f'{_series(places)} ({harm.value})' for harm, places in by_harm.items())}."


def next_command(run: RunResult, view: View, asked: Asked) -> str | None:
    """The command that comes next; none where nothing was found."""
    if not view.written:
        if any(finding.fixed for finding in run.findings):
            return " ".join(["xlaport convert", *(["--unsafe"] * asked.unsafe), *asked.options, _paths(run, asked)])
        if any(map(view.waits, run.findings)):
            return " ".join(["xlaport convert --unsafe --diff", *asked.options, _paths(run, asked)])
        return None
    script = _script(run.changed)
    if script is None or printable(_path(script)) != _path(script):
        return None
    options = " -- ARGUMENTS" if _OPTIONS.search(script.after) else ""
    return f"{shlex.join(['xlaport', 'verify', *asked.options, _path(script)])}{options}"


def _paths(run: RunResult, asked: Asked) -> str:
    """Those of the paths below which something was found; of many, what stands for them."""
    files = [os.path.realpath(file.path) for file in run.files if file.findings]
    paths = [path for path in asked.paths if any(_is_below(file, os.path.realpath(path)) for file in files)]
    if len(paths) > _MOST_PATHS or any(printable(path) != path for path in paths):
        return "PATH..."
    return shlex.join(f"./{path}" if path.startswith("-") else path for path in paths)


def _is_below(file: str, path: str) -> bool:
    return file == path or file.startswith(path.rstrip(os.sep) + os.sep)


def _told(file: FileResult, view: View, findings: Sequence[ReportedFinding]) -> list[ReportedFinding]:
    return [Places(file).finding(finding) for finding in findings] if view.written else list(findings)


def _path(file: FileResult) -> str:
    return project.display_path(file.place or file.path)


def _series(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _script(files: Sequence[FileResult]) -> FileResult | None:
    """The program to run: the one with most to say of those that are started themselves, or the only one."""
    scripts = [file for file in files if file.path.suffix == ".py" and file.error is None]
    started = [file for file in scripts if _MAIN.search(file.after)] or [f for f in scripts if _does_something(f.after)]
    if not started:
        return None
    return max(
        started, key=lambda file: (len(file.findings), os.path.basename(file.path).startswith(("train", "main")))
    )


def _does_something(text: str) -> bool:
    """Whether a module does more than define things when it is imported."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError):
        return False
    return any(isinstance(statement, ast.For | ast.While | ast.With) for statement in body)
