"""``xlaport explain`` and ``xlaport rules``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from xlaport.commands.options import Format, Isolated, OutputFormat, Rules, complete_codes


def explain(
    code: Annotated[
        str,
        typer.Argument(
            metavar="CODE",
            help="A rule's code or name, such as XP201, or the beginning of several, such as XP2.",
            autocompletion=complete_codes,
        ),
    ],
    rules: Rules = None,
    isolated: Isolated = False,
    output_format: OutputFormat = Format.text,
) -> None:
    """What a rule does, why, before and after, when it is wrong, and how to suppress it."""
    from xlaport import registry
    from xlaport.configuration.running import all_rules
    from xlaport.report import catalogue, rule_page

    known = all_rules(rules or (), isolated=isolated)
    family = [rule for rule in known if rule.code.startswith(code.upper())]
    if len(family) > 1:
        sys.stdout.write(catalogue.as_json(family) if output_format is Format.json else catalogue.table(family))
        return
    rule = registry.find(known, code)
    sys.stdout.write(rule_page.as_json(rule) if output_format is Format.json else rule_page.page(rule, known))


def rules(rules: Rules = None, isolated: Isolated = False, output_format: OutputFormat = Format.text) -> None:
    """The catalogue of rules."""
    from xlaport.configuration.running import all_rules
    from xlaport.report import catalogue

    found = all_rules(rules or (), isolated=isolated)
    sys.stdout.write(catalogue.as_json(found) if output_format is Format.json else catalogue.table(found))
