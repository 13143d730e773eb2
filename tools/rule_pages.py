"""A hook of mkdocs: the pages of the rules, `rules/XP301.md` each, and their index, from the rules themselves."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xlaport import registry
from xlaport.report import rule_page
from xlaport.rule import Rule

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

INDEX = "rules/index.md"
_HEAD = """\
# The rules

There are {number} rules. `xlaport explain CODE` prints the same pages in a terminal.

- **safe**: the program keeps its values and its shape. `xlaport convert` applies the fix.
- **unsafe**: values, order or output may change. `xlaport convert --unsafe` applies the fix.
- **manual**: nothing is rewritten. The recipe says what to do.

Most findings of a rule are of the kind in the table; each finding says its own.
"""
_COLUMNS = "| code | name | fix | what it does |\n|---|---|---|---|\n"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages to those that lie in the folder."""
    from mkdocs.structure.files import File

    for name, text in pages().items():
        files.append(File.generated(config, name, content=text))
    return files


def pages() -> dict[str, str]:
    """The pages, in Markdown, by their file in the documentation."""
    rules = registry.load()
    return {INDEX: index(rules)} | {f"rules/{rule.code}.md": page(rule, rules) for rule in rules}


def index(rules: Sequence[Rule]) -> str:
    """All rules, by family."""
    families: dict[str, list[Rule]] = {}
    for rule in rules:
        families.setdefault(type(rule).__module__.rpartition(".")[0], []).append(rule)
    tables = (f"## {_title(family)}\n\n{_COLUMNS}{''.join(map(_row, found))}" for family, found in families.items())
    return "\n".join([_HEAD.format(number=len(rules)), *tables])


def page(rule: Rule, rules: Sequence[Rule]) -> str:
    """The page of a rule, as `xlaport explain` prints it, with links to the related ones."""
    text = rule_page.page(rule, rules)
    text = re.sub(r"^- ([A-Z]+\d+) (?=[\w-]+: )", r"- [\1](\1.md) ", text, flags=re.MULTILINE)
    # A list right below a paragraph begins no list for mkdocs.
    return re.sub(r"^((?!- |  ).+\n)(?=- )", r"\1\n", text, flags=re.MULTILINE)


def _title(family: str) -> str:
    return (inspect.getdoc(importlib.import_module(family)) or family).rstrip(".")


def _row(rule: Rule) -> str:
    asked = ", on request" if rule.on_request else ""
    summary = rule.summary.replace("|", "\\|")
    return f"| [{rule.code}]({rule.code}.md) | {rule.name} | {rule.applicability.value}{asked} | {summary} |\n"
