"""The page of one rule, in Markdown and as JSON: its docstring, and what is the same for all rules.

The docstring has the sections of `SECTIONS`, as docs/rule-authors.md says. How far a fix may be trusted,
how a finding is suppressed, what the related rules do and what the words mean is added here.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Sequence
from typing import Any

from xlaport.config import SEVERAL_PROCESSES
from xlaport.finding import Applicability
from xlaport.report import glossary, rule_targets
from xlaport.rule import DocumentRule, Rule

SECTIONS = (
    "What it does", "Why", "Example", "When it is wrong", "When it is left alone", "Sources", "Related",
)  # fmt: skip
"""The sections of a docstring, in their order."""

_SOURCES, _RELATED = "Sources", "Related"
_WIDTH = 116
_TRUST = {
    Applicability.SAFE: "**safe**: the program keeps its values and its shape. `xlaport convert` applies the fix.",
    Applicability.UNSAFE: "**unsafe**: the fix may change values, order or output. {option} applies it, and `--diff` "
    "shows it first.",
    Applicability.MANUAL: "**manual**: nothing is rewritten. The message says what to do.",
}


def page(rule: Rule, rules: Sequence[Rule]) -> str:
    """Everything about one rule, in Markdown. `rules`: all there are, for the summaries of the related ones."""
    summary, sections = parts(rule)
    written = sections | {
        "Applicability": _applicability(rule),
        "Targets": rule_targets.section(rule, _WIDTH),
        "How to suppress it": _suppressing(rule),
    }
    related = [other for other in rules if other.code in related_codes(rule)]
    written.pop(_RELATED, None)
    if related:
        written[_RELATED] = "\n".join(f"- {other.code} {other.name}: {other.summary}" for other in related)
    told = "\n".join(text for title, text in sections.items() if title not in (_SOURCES, _RELATED))
    if words := glossary.words_in(told):
        written["Words"] = words
    texts = [f"# {rule.code}: {rule.name}", summary, *(f"## {title}\n{text}" for title, text in written.items())]
    return "\n\n".join(texts) + "\n"


def as_json(rule: Rule) -> str:
    """The page as a JSON object."""
    return json.dumps(row(rule), indent=2) + "\n"


def row(rule: Rule) -> dict[str, Any]:
    """What a machine is told of a rule."""
    return {
        "code": rule.code,
        "name": rule.name,
        "summary": rule.summary,
        "applicability": rule.applicability.value,
        "on_request": rule.on_request,
        "targets": list(rule_targets.speaks_for(rule)),
        "related": list(related_codes(rule)),
        "documentation": rule.documentation(),
        "sections": parts(rule)[1],
    }


def parts(rule: Rule) -> tuple[str, dict[str, str]]:
    """The text before the first section of a rule's docstring, and its sections by their titles."""
    first, *rest = re.split(r"^## (.*)\n", rule.documentation(), flags=re.MULTILINE)
    return first.strip(), {title.strip(): text.strip("\n") for title, text in zip(rest[::2], rest[1::2], strict=True)}


def related_codes(rule: Rule) -> tuple[str, ...]:
    """The codes of the rules that a page names as related."""
    return tuple(re.findall(r"\b[A-Z]+[0-9]+\b", parts(rule)[1].get(_RELATED, "")))


def _applicability(rule: Rule) -> str:
    asked = f" It acts only where its whole code is selected: `--select XP,{rule.code}`." if rule.on_request else ""
    is_several = rule.applicability is Applicability.UNSAFE and rule.code.startswith(SEVERAL_PROCESSES)
    option = "`--unsafe`, or `--multi`," if is_several and not rule.on_request else "`--unsafe`"
    text = f"{_TRUST[rule.applicability].format(option=option)}{asked} This is so for most findings; each says its own."
    return textwrap.fill(text, _WIDTH, break_on_hyphens=False)


def _suppressing(rule: Rule) -> str:
    code = rule.code
    exception = " (JSON has no comments)" if isinstance(rule, DocumentRule) else ""
    return "\n".join(
        (
            f"- in one line: `# xlaport: ignore[{code}]` after it, or on a line of its own above it{exception}",
            f"- in one run: `--ignore {code}`",
            f'- in a project: `ignore = ["{code}"]` under `[tool.xlaport]` in `pyproject.toml`',
            f'- in some of its files: `per-file-ignores = {{ "old/**" = ["{code}"] }}` there',
        )
    )
