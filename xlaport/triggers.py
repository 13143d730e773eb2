"""Which rules may concern a text: those one of whose trigger words it holds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xlaport.facts.module import Module
from xlaport.rule import Rule

_NAME = re.compile(r"\w+")


def triggered(module: Module, rules: Sequence[Rule], *, is_notebook: bool) -> list[Rule]:
    """The rules whose trigger words a text holds."""
    fitting = [rule for rule in rules if is_notebook or not rule.of_notebooks]
    named = " ".join(set(_NAME.findall(module.text)))  # a tenth of the text, for most words
    words = dict.fromkeys(word for rule in fitting for word in rule.words)
    present = {word for word in words if word in (named if _NAME.fullmatch(word) else module.text)}
    return [rule for rule in fitting if not present.isdisjoint(rule.words)]
