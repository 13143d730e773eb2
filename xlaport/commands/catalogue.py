"""``xlaport explain`` and ``xlaport rules``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from xlaport.commands.options import Format, OutputFormat, complete_codes


def explain(
    code: Annotated[
        str,
        typer.Argument(metavar="CODE", help="A rule's code or name, such as XP201.", autocompletion=complete_codes),
    ],
) -> None:
    """What a rule does, why, when it is wrong, before and after."""
    from xlaport import registry
    from xlaport.report import catalogue

    sys.stdout.write(catalogue.page(registry.find(registry.load(), code)))


def rules(output_format: OutputFormat = Format.text) -> None:
    """The catalogue of rules."""
    from xlaport import registry
    from xlaport.report import catalogue

    found = registry.load()
    sys.stdout.write(catalogue.as_json(found) if output_format is Format.json else catalogue.table(found))
