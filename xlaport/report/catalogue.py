"""The rules for people and for machines: the table, in a terminal, as JSON and in Markdown."""

from __future__ import annotations

import json
from collections.abc import Sequence

from xlaport.report import rule_page
from xlaport.rule import Rule


def table(rules: Sequence[Rule]) -> str:
    """One line for each rule."""
    width = max((len(rule.name) for rule in rules), default=0)
    return "".join(
        f"{rule.code}  {rule.applicability.value:<6}  {rule.name:<{width}}  {rule.summary}{_on_request(rule)}\n"
        for rule in rules
    )


def as_json(rules: Sequence[Rule]) -> str:
    """The catalogue as a JSON list."""
    return json.dumps([rule_page.row(rule) for rule in rules], indent=2) + "\n"


def _on_request(rule: Rule) -> str:
    return f", on request: --select XP,{rule.code}" if rule.on_request else ""
