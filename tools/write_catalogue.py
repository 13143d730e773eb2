"""Write the table of the rules, `rules/README.md`: ``python -m tools.write_catalogue``. A test keeps it up to date."""

from __future__ import annotations

import importlib
import inspect
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from xlaport import registry
from xlaport.rule import Applicability, Rule

FILE = Path(__file__).parent.parent / "rules" / "README.md"

_HEAD = """\
# The rules

Written by `python -m tools.write_catalogue` from the rules themselves: change those, and run it again.

`xlaport explain CODE` prints the page of a rule: what it does and why, before and after, when it is wrong, when it is
left alone, how to suppress it, what it rests on. The page is the docstring of the class that a code links to here.
[Write a rule](../docs/rule-authors.md) says how.

{counts}

- `safe`: the program keeps its values and its shape. `xlaport convert` applies the fix.
- `unsafe`: values, order or output may change. `xlaport convert --unsafe` applies the fix.
- `manual`: the message says what to do by hand.

A single finding may be of another kind than most of its rule's, and says so.
"""
_COLUMNS = "| code | name | fix | what it does |\n|---|---|---|---|\n"


def text() -> str:
    """The whole table, in Markdown."""
    rules = registry.load()
    families: dict[str, list[Rule]] = {}
    for rule in rules:
        families.setdefault(type(rule).__module__.rpartition(".")[0], []).append(rule)
    sections = (f"## {_title(family)}\n\n{_COLUMNS}{''.join(map(_row, found))}" for family, found in families.items())
    return "\n".join([_HEAD.format(counts=_counts(rules)), *sections])


def _counts(rules: Iterable[Rule]) -> str:
    found = Counter(rule.applicability for rule in rules)
    kinds = ", ".join(f"{found[kind]} {kind.value}" for kind in Applicability)
    return f"There are {found.total()} rules: {kinds}."


def _title(family: str) -> str:
    """The title of a family: the docstring of its folder."""
    return (inspect.getdoc(importlib.import_module(family)) or family).rstrip(".")


def _row(rule: Rule) -> str:
    file = Path(inspect.getfile(type(rule))).resolve().relative_to(FILE.parent.resolve()).as_posix()
    asked = f", on request (`--select XP,{rule.code}`)" if rule.on_request else ""
    link = f'<a id="{rule.code.lower()}"></a>[{rule.code}]({file})'
    summary = rule.summary.replace("|", "\\|")
    return f"| {link} | {rule.name} | {rule.applicability.value}{asked} | {summary} |\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
