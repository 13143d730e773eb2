"""The rules for people and for machines: the table, and the page of one rule."""

from __future__ import annotations

import json
from collections.abc import Sequence

from xlaport.rule import Rule


def table(rules: Sequence[Rule]) -> str:
    """One line for each rule."""
    width = max((len(rule.name) for rule in rules), default=0)
    return "".join(
        f"{rule.code}  {rule.applicability.value:<6}  {rule.name:<{width}}  {rule.summary}\n" for rule in rules
    )


def as_json(rules: Sequence[Rule]) -> str:
    """The catalogue as a JSON list."""
    rows = [
        {
            "code": rule.code,
            "name": rule.name,
            "summary": rule.summary,
            "applicability": rule.applicability.value,
            "documentation": rule.documentation(),
        }
        for rule in rules
    ]
    return json.dumps(rows, indent=2) + "\n"


def page(rule: Rule) -> str:
    """Everything about one rule, in Markdown."""
    return f"# {rule.code}: {rule.name} ({rule.applicability.value})\n\n{rule.documentation()}\n"
