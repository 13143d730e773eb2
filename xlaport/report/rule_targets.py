"""For which targets a rule speaks, and what it says for one of them in other words: a section of its page."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path

from xlaport.rule import Rule
from xlaport.targets.known import DEFAULT, TARGETS
from xlaport.wording import FILE, Wording


def speaks_for(rule: Rule) -> tuple[str, ...]:
    """The names of the targets that a rule speaks for, whatever their versions."""
    return ("torch_xla", *(called for called, t in TARGETS.items() if t.table and t.is_a(*rule.traits)))


def section(rule: Rule, width: int) -> str:
    """The text of the section."""
    spoken = speaks_for(rule)
    if len(spoken) == 1 and rule.traits:
        reasons = ", and ".join(trait.value for trait in rule.traits)
        return textwrap.fill(f"{spoken[0]} alone: {reasons}.", width, break_on_hyphens=False)
    said = _in_other_words(rule, width)
    texts = [f"{' and '.join(spoken)}{', in other words:' if said else '.'}", *said]
    return "\n\n".join(texts)


def _in_other_words(rule: Rule, width: int) -> list[str]:
    """What is said of the same for each target, where that is more than another name."""
    wording = _wording(rule)
    found: list[str] = []
    for called in speaks_for(rule)[1:]:
        own = wording.for_table(TARGETS[called].table) if wording is not None else {}
        for key in own:
            if wording is not None and key.startswith(f"{rule.code}."):
                said = {f"torch_xla {DEFAULT}": wording.entries()[key], called: own[key]}
                found.append("\n".join(_item(f"{name}: {parts['message']}", width) for name, parts in said.items()))
    return found


def _item(text: str, width: int) -> str:
    return textwrap.fill(f"- {text}", width, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def _wording(rule: Rule) -> Wording | None:
    """The texts of a rule's family; None for a rule that has none."""
    folders = Path(inspect.getfile(type(rule))).parents
    folder = next((folder for folder in folders[:2] if (folder / FILE).exists()), None)
    return Wording(folder) if folder is not None else None
