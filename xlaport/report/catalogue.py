"""The rules for people and for machines: the table, and the page of one rule."""

from __future__ import annotations

import json
from collections.abc import Sequence

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
    rows = [
        {
            "code": rule.code,
            "name": rule.name,
            "summary": rule.summary,
            "applicability": rule.applicability.value,
            "on_request": rule.on_request,
            "documentation": rule.documentation(),
        }
        for rule in rules
    ]
    return json.dumps(rows, indent=2) + "\n"


def page(rule: Rule) -> str:
    """Everything about one rule, in Markdown."""
    applicability = f"{rule.applicability.value}{_on_request(rule)}"
    return f"# {rule.code}: {rule.name} ({applicability})\n\n{rule.documentation()}\n"


def _on_request(rule: Rule) -> str:
    return f", on request: --select XP,{rule.code}" if rule.on_request else ""
