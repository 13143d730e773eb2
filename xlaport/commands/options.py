"""The arguments and options that several commands have."""

from __future__ import annotations

import enum
import os
from pathlib import Path
from typing import Annotated

import typer

from xlaport.report.terminal import Color
from xlaport.streams import STDIN


class Format(str, enum.Enum):
    """How a report is printed."""

    text = "text"
    json = "json"


class OriginalDevice(str, enum.Enum):
    """Where a CUDA original runs, to be compared with its port."""

    cpu = "cpu"
    cuda = "cuda"


class FindingsFormat(str, enum.Enum):
    """How findings are printed."""

    text = "text"
    concise = "concise"
    json = "json"
    sarif = "sarif"
    github = "github"
    gitlab = "gitlab"
    junit = "junit"


def complete_codes(incomplete: str) -> list[str]:
    """The codes that a shell offers for a word, or for the last of several by comma."""
    from xlaport import registry

    before, comma, last = incomplete.rpartition(",")
    return [before + comma + rule.code for rule in registry.load() if rule.code.startswith(last.upper())]


def a_path(text: str) -> Path:
    """The path that a word names. ``-`` is standard input, and ``./-`` a file, which `Path` would make ``-``."""
    path = Path(text)
    return path if text == str(STDIN) or path != STDIN else Path(os.path.abspath(path))


def _codes(text: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(metavar="CODES", help=text, autocompletion=complete_codes)
    return option


Paths = Annotated[
    list[Path],
    typer.Argument(
        metavar="PATH...",
        parser=a_path,
        help="Python files, notebooks, launchers, configs, folders; - is standard input.",
    ),
]
PathsOrHere = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATH...",
        parser=a_path,
        help="Python files, notebooks, launchers, configs, folders (this one, if none is named); - is standard input.",
    ),
]
StdinFilename = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="What the program on standard input is called: where it belongs in a project."),
]
Select = Annotated[str | None, _codes("Only these rules: codes or their beginnings, by comma.")]
Ignore = Annotated[str | None, _codes("Not these rules: codes or their beginnings, by comma.")]
ExtendSelect = Annotated[str | None, _codes("These rules, too, beside those that are selected.")]
ExtendIgnore = Annotated[str | None, _codes("Not these rules either, beside those that are ignored.")]
Exclude = Annotated[
    list[str] | None, typer.Option(metavar="PATTERN", help="Leave these files out, as in a .gitignore; repeatable.")
]
ForceExclude = Annotated[
    bool, typer.Option("--force-exclude", help="Leave excluded files out also where they are named themselves.")
]
Unsafe = Annotated[
    bool | None,
    typer.Option("--unsafe/--no-unsafe", help="Apply fixes too that may change values or output.", show_default=False),
]
Multi = Annotated[
    bool | None,
    typer.Option(
        "--multi/--no-multi",
        show_default=False,
        help="Port programs of several GPUs to several chips: the unsafe fixes of XP6 and XP7, and no others.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Errors and the totals only.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Each finding with its recipe, and its lines or what they become.")
]
ColorOption = Annotated[Color, typer.Option("--color", help="Colors; also NO_COLOR and FORCE_COLOR.")]
Statistics = Annotated[bool, typer.Option("--statistics", help="Count the findings of each rule, too.")]
Possible = Annotated[
    bool, typer.Option("--possible", help="Show what may be so, too, where the code does not say enough.")
]
OutputFormat = Annotated[Format, typer.Option("--output-format", help="How to print the report.")]
FindingsOutputFormat = Annotated[
    FindingsFormat,
    typer.Option(
        "--output-format",
        help="text; concise: a line for each finding; json; sarif: for code scanning; github: annotations in Actions; "
        "gitlab: a code quality report; junit: XML.",
    ),
]
OutputFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the report into this file, not to the terminal.")
]
Html = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write a page, too: each change, what is left, and what to do about it."),
]
PythonPath = Annotated[
    str, typer.Option(metavar="PATH", help="The Python that has torch_xla, or torch_tpu.", show_default="this one")
]
OriginalOn = Annotated[
    OriginalDevice,
    typer.Option(
        "--original-device", help="Where the original runs: cpu, its CUDA calls redirected, or cuda, on a GPU here."
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        metavar="TARGET",
        help="What to write for: a version of torch_xla, 2.1 to 2.9, or torch_tpu.",
        show_default="2.9",
    ),
]
RunsOn = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="TARGET",
        help="What the script has been ported to: torch_tpu, or a version of torch_xla.",
        show_default="torch_xla",
    ),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(metavar="PACK", help="Rules of your own: a folder, or a package to import; repeatable."),
]
Isolated = Annotated[
    bool, typer.Option("--isolated", help="Whatever pyproject.toml and xlaport.toml say does not count.")
]
Evidence = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="What `port --save-evidence` has seen in a run: findings that rest on it say so."
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", min=1, metavar="N", help="How many processes share the files.", show_default="all cores"
    ),
]
NoCache = Annotated[
    bool,
    typer.Option("--no-cache", help="Analyse all again, whatever earlier runs found; or XLAPORT_NO_CACHE=1."),
]
