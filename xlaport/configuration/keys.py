"""The keys of a project's settings, and what each may be: every command looks at all of them."""

from __future__ import annotations

import os
from collections.abc import Sequence

from xlaport import registry
from xlaport.configuration.section import SWITCH, VERIFY, Section, names, number, table_of_names, text
from xlaport.errors import UserError
from xlaport.rule import Rule
from xlaport.targets.known import DEFAULT, target

RUN = {
    "select": names("codes of rules, or their beginnings", "XP1"),
    "ignore": names("codes of rules, or their beginnings", "XP305"),
    "extend-select": names("codes of rules, or their beginnings", "XP606"),
    "extend-ignore": names("codes of rules, or their beginnings", "XP305"),
    "exclude": names("patterns of files", "third_party/"),
    "extend-exclude": names("patterns of files", "third_party/"),
    "per-file-ignores": table_of_names("patterns of files, each with codes of rules", '"tests/**" = ["XP3"]'),
    "baseline": text("xlaport-baseline.json"),
    "target": text(DEFAULT),
    "unsafe": SWITCH,
    "multi": SWITCH,
    "rules": names("folders or packages with rules", "tools/xlaport_rules"),
}
OF_VERIFY = {
    "steps": number(int, 0),
    "timeout": number(float, 1),
    "max-compiles": number(int, 0),
    "max-transfers": number(float, 0),
    "max-executions": number(int, 1),
    "allow-fallback": names("names", "aten::median"),
    "tpu": names("TPUs", "v5e"),
    "tpu-timeout": number(float, 1),
    "max-hbm": number(float, 0),
    "max-step-ms-bound": number(float, 0),
}
_OF_CODES = ("select", "ignore", "extend-select", "extend-ignore")


def refuse_wrong(section: Section) -> None:
    """Raise `UserError` for a key that there is not, in either table, and for a value that its key cannot have."""
    section.refuse_others((*RUN, VERIFY))
    section.refuse_wrong(RUN)
    inner = section.inner(VERIFY)
    inner.refuse_others(OF_VERIFY)
    inner.refuse_wrong(OF_VERIFY)
    if "target" in section.values:
        try:
            target(section.values["target"])
        except UserError as error:
            raise UserError(f"{section.where}: target: {error}") from None


def refuse_unknown_codes(section: Section, rules: Sequence[Rule]) -> None:
    """Raise `UserError` for a code that none of the rules has. The section is one that `refuse_wrong` lets pass."""
    values = section.values
    per_file = [(f'per-file-ignores."{name}"', codes) for name, codes in values.get("per-file-ignores", {}).items()]
    for key, codes in (*((key, values.get(key, ())) for key in _OF_CODES), *per_file):
        for code in codes:
            if not any(rule.code.startswith(code.strip().upper() or "\0") for rule in rules):
                raise UserError(
                    f"{section.where}: {key}: no rule has a code that begins with '{code}'; `xlaport rules` lists them"
                )


def packs(section: Section | None) -> tuple[str, ...]:
    """The rule packs that the project names, each loaded. Raises `UserError` for one that cannot be."""
    if section is None:
        return ()
    found = []
    for name in section.values.get("rules", ()):
        # Folders are those of the project; what is no folder there is a package.
        folder = os.path.realpath(section.file.parent / name)
        found.append(folder if os.path.isdir(folder) else name)
        try:
            registry.load(found[-1])
        except UserError as error:
            raise UserError(f"{section.where}: rules: {error}") from None
    return tuple(found)
