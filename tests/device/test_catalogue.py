"""The catalogue of CUDA names: complete, consistent, and right where it can be run.

What the installed torch and torch_xla say comes from `tools/measure_catalogue.py`, run once in a process of its own.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules._lib.catalogue import FILE, Answer, Catalogue, Disposition, Entry, Kind, catalogue
from tests.child import printed_by
from tools.wording import Said, faults, words
from xlaport import registry
from xlaport.rule import Applicability
from xlaport.targets.known import TARGETS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ENTRIES = catalogue().entries
LONGEST_WHY = 12
LONGEST_RECIPE = 40
"""Words."""
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    """What the installed torch and torch_xla say of the entries."""
    found: dict[str, Any] = printed_by("tools.measure_catalogue")
    return found


def answers() -> Iterator[tuple[Entry, Answer]]:
    """Each answer that the catalogue can give."""
    for entry in ENTRIES.values():
        yield entry, entry.answer
        yield from ((entry, answer) for _, answer in entry.contexts)


# -- the table itself ----------------------------------------------------------------------------------


def test_what_is_to_be_done_by_hand_says_why_and_how() -> None:
    for entry, answer in answers():
        if answer.disposition is Disposition.MANUAL:
            assert answer.why, entry.name
            assert answer.recipe, entry.name


def test_what_is_changed_or_taken_out_says_why() -> None:
    assert [
        entry.name for entry, answer in answers() if answer.applicability is not Applicability.MANUAL and not answer.why
    ] == []


def test_texts_fit_into_a_message() -> None:
    for entry, answer in answers():
        assert not answer.why.endswith("."), entry.name
        assert answer.why[:1] == answer.why[:1].lower(), entry.name
        assert not answer.recipe or (answer.recipe.endswith(".") and answer.recipe[0].isascii()), entry.name
        assert words(answer.why) <= LONGEST_WHY, entry.name
        assert words(answer.recipe) <= LONGEST_RECIPE, entry.name
        assert list(faults(Said(entry.name, "", answer.why, answer.recipe))) == []


def test_rules_that_entries_name_exist() -> None:
    codes = {rule.code for rule in registry.load()}
    assert {entry.rule for entry in ENTRIES.values() if entry.rule is not None} - codes == set()


def test_targets_are_written_in_symbols_and_arguments_that_exist() -> None:
    for entry, answer in answers():
        for text in (answer.target or "", entry.check or ""):
            meanings = {m for m in re.findall(r"\{([\w.:]+)\}", text) if ":" not in m}
            assert meanings <= set(TARGETS["2.9"].symbols), entry.name
            assert "torch_xla" not in text, f"{entry.name}: a name of torch_xla is written by its meaning"
            assert set(re.findall(r"\$(\w+)", text)) <= set(entry.parameters), entry.name


def test_names_that_are_not_of_cuda_say_which_uses_concern_us() -> None:
    """Without `when`, `without` or a rule, each use of a name is reported: so the name itself has to tell."""
    of_cuda = re.compile(
        r"cuda|cudnn|cusparselt|nccl|nvtx|gpu|accelerator|nn\.(parallel\.)?(DataP|data_p|comm|gather|scatter|repl|parallel_)"
        r"|cpp_extension\.load|torch\.(Stream|Event|GradScaler|amp\.|OutOf|get_device_module)|nn\.attention"
        r"|Tensor\.(is_pinned|record_stream)|utils\.checkpoint\.checkpoint$",
        re.IGNORECASE,
    )
    for entry in ENTRIES.values():
        if entry.name.startswith("torch.") and entry.rule is None and not (entry.when or entry.without):
            assert of_cuda.search(entry.name), entry.name


def test_the_order_of_the_file_is_that_of_the_alphabet_in_each_group() -> None:
    for group in re.split(r"^# -- .*$", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        names = re.findall(r"^\[[\"'](.+)[\"']\]$", group, flags=re.MULTILINE)
        assert names == sorted(names, key=lambda name: (name.lower(), name))


def test_a_package_answers_for_what_is_in_it_and_a_family_for_the_rest() -> None:
    def found(name: str) -> str:
        entry = catalogue().find(name)
        return entry.name if entry is not None else ""

    assert found("apex.contrib.clip_grad.clip_grad_norm_") == "apex"
    assert found("apex.amp.initialize") == "apex.amp"
    assert found("apex.optimizers.FusedSGD") == "apex.optimizers.FusedSGD"
    assert found("torch.cuda._lazy_init") == "torch.cuda.*"
    assert found("env:NCCL_SOCKET_IFNAME") == "env:NCCL_*"
    assert found("numpy.array") == ""
    assert found("apexes") == ""


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"kind": "function", "disposition": "manual", "wy": "raises"}, r"f: unknown keys \['wy'\]"),
        ({"kind": "function", "disposition": "rewrite"}, "f: a rewrite needs a target"),
        ({"kind": "thing", "disposition": "keep"}, "'thing' is not a valid Kind"),
        (
            {"kind": "function", "disposition": "keep", "contexts": [{"where": "there", "disposition": "remove"}]},
            "f: unknown place 'there'",
        ),
    ],
)
def test_an_impossible_table_is_refused(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Catalogue({"f": table})


# -- against the installed torch and torch_xla ---------------------------------------------------------


def test_each_public_name_of_the_installed_torch_has_an_entry(measured: dict[str, Any]) -> None:
    names = measured["names"]
    print(f"{len(names)} public names")
    assert [name for name in names if name not in ENTRIES] == []
    assert len(names) > 324


def test_the_names_in_entries_and_their_texts_exist(measured: dict[str, Any]) -> None:
    assert measured["absent"] == []
    assert [name for name, is_there in measured["spoken"].items() if not is_there] == []


def test_parameters_are_those_of_the_function(measured: dict[str, Any]) -> None:
    for name, parameters in measured["parameters"].items():
        assert parameters in (None, list(ENTRIES[name].parameters)), name


def test_each_target_works_on_xla(measured: dict[str, Any]) -> None:
    targets = measured["targets"]
    print(f"{len(targets)} targets")
    assert {name: error for name, error in targets.items() if error is not None} == {}
    assert len(targets) >= len([answer for _, answer in answers() if answer.target is not None])


def test_what_is_said_to_happen_without_a_gpu_happens(measured: dict[str, Any]) -> None:
    """Entries whose `why` says "raises", "is 0", "does nothing" …: they were called."""
    claims = measured["claims"]
    assert len(claims) > 190
    wrong = {}
    for name, outcome in claims.items():
        why = ENTRIES[name].answer.why
        if why.startswith("is True where torch was built") and not measured["built with CUDA"]:
            continue
        said = "None" if why.startswith(("does nothing", "is None")) else " ".join(why.split()[:2]).rstrip(":,")
        if not (outcome or "").startswith("raises" if why.startswith("raises") else said):
            wrong[name] = f"{why}: {outcome}"
    assert wrong == {}


def test_memory_figures_are_a_tpus_only(measured: dict[str, Any]) -> None:
    """The recipes say so, and it is why no rule writes the call."""
    assert measured["memory"].startswith("raises RuntimeError: ")
    assert "UNIMPLEMENTED" in measured["memory"]


def test_the_file_is_read_by_its_own_loader_alone() -> None:
    tables = tomllib.loads(FILE.read_text(encoding="utf-8"))
    assert set(tables) == set(ENTRIES)
    assert {entry.kind for entry in ENTRIES.values()} == set(Kind)
