"""The arguments and options that several commands have."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated

import typer


class Format(str, enum.Enum):
    """How a report is printed."""

    text = "text"
    json = "json"


class FindingsFormat(str, enum.Enum):
    """How findings are printed."""

    text = "text"
    concise = "concise"
    json = "json"
    sarif = "sarif"
    github = "github"


def complete_codes(incomplete: str) -> list[str]:
    """The codes that a shell offers for a word, or for the last of several by comma."""
    from xlaport import registry

    before, comma, last = incomplete.rpartition(",")
    return [before + comma + rule.code for rule in registry.load() if rule.code.startswith(last.upper())]


Paths = Annotated[
    list[Path], typer.Argument(metavar="PATH...", help="Python files, notebooks, launchers, configs, folders.")
]
PathsOrHere = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATH...",
        help="Python files, notebooks, launchers, configs, folders. This folder, where none is named.",
    ),
]
Select = Annotated[
    str | None,
    typer.Option(
        metavar="CODES",
        help="Only these rules: codes or their beginnings, by comma.",
        autocompletion=complete_codes,
    ),
]
Ignore = Annotated[
    str | None,
    typer.Option(
        metavar="CODES",
        help="Not these rules: codes or their beginnings, by comma.",
        autocompletion=complete_codes,
    ),
]
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
OutputFormat = Annotated[Format, typer.Option("--output-format", help="How to print the report.")]
FindingsOutputFormat = Annotated[
    FindingsFormat,
    typer.Option(
        "--output-format",
        help="text; concise: a line for each finding; json; sarif: for code scanning; github: annotations in Actions.",
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
    str, typer.Option(metavar="PATH", help="The Python that has torch_xla.", show_default="this one")
]
Target = Annotated[
    str | None,
    typer.Option(metavar="VERSION", help="The torch_xla version to write for: 2.1 to 2.9.", show_default="2.9"),
]
Rules = Annotated[
    list[str] | None,
    typer.Option(metavar="PACK", help="Rules of your own: a folder, or a package to import; repeatable."),
]
Isolated = Annotated[
    bool, typer.Option("--isolated", help="Whatever pyproject.toml and xlaport.toml say does not count.")
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
