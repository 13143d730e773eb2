"""What rules say for torch_tpu: nothing of torch_xla's own ways, and as short as the rest."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from rules._lib.catalogue import FILE as CATALOGUE
from rules._lib.catalogue import Disposition, catalogue
from tools.wording import LONGEST_MESSAGE, LONGEST_RECIPE, LONGEST_SNIPPET, ROOT, words
from xlaport import registry
from xlaport.retelling import in_words_of
from xlaport.tables import read_table
from xlaport.targets.known import target
from xlaport.wording import FILE, Wording

TPU = target("torch_tpu")
OWN = re.compile(r"torch_xla(?! only|: `--target|`? are asked|$)|\bx[mrsp]\.|\bmet\.")
OTHERS = re.compile(r"MpDeviceLoader|['\"]xla['\"]|xla://|is_xla|XLA_\w+=|PJRT_DEVICE")
SPEAKING = {rule.code for rule in registry.about(registry.load(), TPU)}
FOLDERS = [path.parent for path in sorted((ROOT / "rules").rglob(FILE))]
OF_TORCH_XLA = {"legacy", "successor"}
"""Families about programs for torch_xla: they have to name what they port."""


def is_torch_xla_s(text: str) -> bool:
    """Whether a text speaks of what torch_xla has; that a library knows TPUs by it only may be said."""
    return bool(OWN.search(text) or OTHERS.search(text))


def names_in(parts: dict[str, str]) -> set[str]:
    return {name for text in parts.values() for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("folder", [f for f in FOLDERS if f.name not in OF_TORCH_XLA], ids=lambda path: path.name)
def test_nothing_is_said_of_torch_xla(folder: Path) -> None:
    wording = Wording(folder)
    own = wording.for_table(TPU.table)
    for key, parts in wording.entries().items():
        if key.partition(".")[0] not in SPEAKING:
            continue
        for text in own[key].values() if key in own else (in_words_of(TPU, part) for part in parts.values()):
            assert not is_torch_xla_s(text), f"{key}: {text}"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_its_own_texts_are_short_and_take_the_place_of_others(folder: Path) -> None:
    wording = Wording(folder)
    for key, parts in wording.for_table(TPU.table).items():
        assert key in wording.entries(), f"{key}: nobody says this"
        assert key.partition(".")[0] in SPEAKING, f"{key}: its rule says nothing"
        assert names_in(dict(parts)) <= names_in(dict(wording.entries()[key])), f"{key}: a name that nobody gives"
        assert words(parts["message"]) <= LONGEST_MESSAGE, key
        assert words(parts.get("recipe", "")) <= LONGEST_RECIPE, key
        assert len(parts.get("snippet", "").splitlines()) <= LONGEST_SNIPPET, key


def test_the_catalogue_says_nothing_of_torch_xla() -> None:
    for name, entry in catalogue(TPU.table).entries.items():
        if entry.rule is not None and entry.rule not in SPEAKING:
            continue
        for answer in (entry.answer, *(answer for _, answer in entry.contexts)):
            if answer.disposition is Disposition.KEEP:
                continue
            for text in (answer.why, answer.recipe, answer.target or "", *entry.attributes.values()):
                said = in_words_of(TPU, text) if text != answer.target else text
                assert not is_torch_xla_s(said), f"{name}: {said}"


def test_each_part_that_is_said_in_another_way_is_said_somewhere() -> None:
    said = "".join(
        path.read_text(encoding="utf-8") for top in ("rules", "xlaport") for path in (ROOT / top).rglob("*.toml")
    )
    for part in TPU.words:
        assert " " not in part or part in said, f"nothing says {part!r} any more"


def test_an_own_answer_is_another_one() -> None:
    general, own = catalogue().entries, catalogue(TPU.table).entries
    for name in read_table(CATALOGUE.with_suffix(f".{TPU.table}.toml")):
        assert own[name] != general.get(name), f"{name}: this says what cuda_api.toml says"
