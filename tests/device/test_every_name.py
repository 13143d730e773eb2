"""Each name of CUDA in the catalogue, used once per line in every import spelling: no line is passed over."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules._lib.catalogue import Disposition, Entry, Kind, catalogue
from xlaport import registry
from xlaport.engine import Settings, convert
from xlaport.rule import Applicability
from xlaport.targets.known import target

OWN = ("torch.cuda.", "torch.backends.cu", "torch.accelerator.", "torch.amp.", "torch.version.cuda", "torch.cudnn_")
"""What belongs to CUDA by its name alone."""

Spelling = Callable[[str], tuple[str, str]]
"""The import line and the expression for a qualified name."""


def _plain(name: str) -> tuple[str, str]:
    return "import torch", name


def _renamed(name: str) -> tuple[str, str]:
    return "import torch as t", f"t{name.removeprefix('torch')}"


def _from_torch(name: str) -> tuple[str, str]:
    second, _, rest = name.removeprefix("torch.").partition(".")
    return f"from torch import {second}", f"{second}.{rest}" if rest else second


def _from_module(name: str) -> tuple[str, str]:
    module, _, last = name.rpartition(".")
    bound = name.replace(".", "_")
    return f"from {module} import {last} as {bound}", bound


def _module_renamed(name: str) -> tuple[str, str]:
    module, _, last = name.rpartition(".")
    bound = module.replace(".", "_")
    return f"import {module} as {bound}", f"{bound}.{last}"


def _alias(name: str) -> tuple[str, str]:
    module, _, last = name.rpartition(".")
    bound = f"own_{module.replace('.', '_')}"
    return f"import torch\n{bound} = {module}", f"{bound}.{last}"


SPELLINGS = [_plain, _renamed, _from_torch, _from_module, _module_renamed, _alias]


def names() -> list[Entry]:
    """The names that belong to CUDA, and for which there is something to do."""
    return [
        entry
        for entry in catalogue().entries.values()
        if entry.name.startswith(OWN)
        and not entry.name.endswith("*")
        and entry.when is None
        and entry.answer.disposition is not Disposition.KEEP
    ]


def test_there_are_many() -> None:
    assert len(names()) > 300


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@pytest.mark.parametrize("spelling", SPELLINGS, ids=lambda spelling: spelling.__name__.strip("_"))
def test_no_line_is_passed_over(spelling: Spelling, unsafe: bool) -> None:
    entries = names()
    spelled = [spelling(entry.name) for entry in entries]
    head = "\n".join(dict.fromkeys(line for imports, _ in spelled for line in imports.split("\n")))
    lines = [
        f"value_{i} = {text}{'()' if entry.kind in (Kind.FUNCTION, Kind.CLASS) else ''}"
        for i, (entry, (_, text)) in enumerate(zip(entries, spelled, strict=True))
    ]
    allowed = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    rules = registry.load()
    found = convert(
        "\n".join([head, *lines, ""]), "every_name.py", rules, Settings(target(), frozenset(allowed))
    ).findings
    spoken = {line for finding in found for line in range(finding.line, finding.end_line + 1)}
    first = head.count("\n") + 2
    silent = [lines[i] for i in range(len(lines)) if first + i not in spoken]
    assert not silent


def test_the_bare_name_is_not_passed_over_either() -> None:
    text = "import torch\n" + "".join(f"table[{entry.name!r}] = {entry.name}\n" for entry in names())
    found = convert(text, "every_name.py", registry.load(), Settings(target())).findings
    spoken = {line for finding in found for line in range(finding.line, finding.end_line + 1)}
    silent = [entry.name for i, entry in enumerate(names()) if i + 2 not in spoken]
    assert not silent


def test_a_name_alone_in_a_file_is_seen() -> None:
    """The words by which rules are chosen leave out no name: a file with all of them is told the same."""
    rules = registry.load()
    words = " ".join(sorted({word for rule in rules for word in rule.words}))
    settings = Settings(target(), frozenset())
    passed_over = []
    for entry in catalogue().entries.values():
        if not entry.name.startswith("torch.") or entry.name.endswith("*") or entry.name.startswith(OWN):
            continue
        text = f"import torch\nvalue = {entry.name}{'()' if entry.kind in (Kind.FUNCTION, Kind.CLASS) else ''}\n"
        alone, among = (convert(source, "a.py", rules, settings).findings for source in (text, f"{text}# {words}\n"))
        if [finding.code for finding in alone] != [finding.code for finding in among]:
            passed_over.append(entry.name)
    assert passed_over == []
