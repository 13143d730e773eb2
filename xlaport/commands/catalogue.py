"""``xlaport explain`` and ``xlaport rules``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from xlaport.commands.options import Format, OutputFormat


def explain(
    code: Annotated[str, typer.Argument(metavar="CODE", help="A rule's code or name, such as XP201.")],
    output_format: OutputFormat = Format.text,
) -> None:
    """What a rule does, why, before and after, when it is wrong, and how to suppress it."""
    from xlaport import registry
    from xlaport.report import rule_page

    all_rules = registry.load()
    rule = registry.find(all_rules, code)
    sys.stdout.write(rule_page.as_json(rule) if output_format is Format.json else rule_page.page(rule, all_rules))


def rules(output_format: OutputFormat = Format.text) -> None:
    """The catalogue of rules."""
    from xlaport import registry
    from xlaport.report import catalogue

    found = registry.load()
    sys.stdout.write(catalogue.as_json(found) if output_format is Format.json else catalogue.table(found))
