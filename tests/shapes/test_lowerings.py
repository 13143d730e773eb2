"""The table of what XLA has no kernel for, against the installed torch_xla, and the recipes for it.

`tools/measure_lowerings.py --compare` runs samples in a process of its own.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch

from rules.shapes.xp411_missing_lowering.lowerings import FILE, HOST, MISSING, functions, operators
from rules.shapes.xp411_missing_lowering.missing_calls import Operand
from rules.shapes.xp411_missing_lowering.recipes import missing, recipe, recipes, snippets
from tests.child import printed_by
from xlaport import registry
from xlaport.targets.known import TARGETS

SEED = 0

# -- the table -----------------------------------------------------------------------------------------


def test_it_says_what_the_installed_torch_xla_does() -> None:
    """All operators, and the functions that a seed draws: each has samples that are run."""
    assert printed_by("tools.measure_lowerings", "--compare", str(SEED)) == []


def test_it_quotes_versions_that_can_be_written() -> None:
    text = FILE.read_text(encoding="utf-8")
    for package in ("torch", "torch_xla"):
        version = re.search(rf'^{package} = "(\d+\.\d+)\.\d+"$', text, flags=re.MULTILINE)
        assert version is not None
        assert version[1] in TARGETS


def test_it_has_all_operators_and_the_functions_that_reach_them() -> None:
    assert len(operators()[HOST]) > 450
    assert not operators()[HOST] & operators()[MISSING]
    assert len(functions()) > 200
    for name, function in functions().items():
        assert name.startswith("torch.")
        assert function.raises or function.forward or function.backward or function.differs
        assert 0 <= function.samples[0] <= function.samples[1]
        assert 0 <= function.gradients[0] <= function.gradients[1] <= function.samples[1]


def test_the_well_known_ones_are_there() -> None:
    names = set(missing())
    expected = "median bincount histc searchsorted bucketize stft nn.EmbeddingBag nn.CTCLoss nn.MultiLabelMarginLoss"
    assert {f"torch.{name}" for name in expected.split()} <= names
    assert {"torch.nn.functional.grid_sample", "torch.nn.functional.ctc_loss", "torch.fft.rfft"} <= names
    assert {".median", ".histc", ".unfold", ".logcumsumexp", ".bincount"} <= names


# -- the recipes ---------------------------------------------------------------------------------------


def test_each_recipe_is_for_functions_of_the_table() -> None:
    for entry in recipes():
        assert set(entry.of) <= set(functions()), set(entry.of) - set(functions())
        assert entry.kernel_on in ("", "TPU")


@pytest.mark.parametrize("shape", [0.3, 1.0, 6.0])
def test_gamma_numbers_of_the_recipe_are_distributed_so(shape: float) -> None:
    torch.manual_seed(0)
    names: dict[str, Any] = {"torch": torch}
    exec(snippets()["gamma"], names)
    drawn = names["gamma"](torch.full((100_000,), shape))
    assert drawn.mean().item() == pytest.approx(shape, rel=0.03)
    assert drawn.var().item() == pytest.approx(shape, rel=0.05)


def test_what_other_rules_speak_of_is_known_to_them() -> None:
    codes = {rule.code for rule in registry.load()}
    sized = (FILE.parent / "sizes.toml").read_text(encoding="utf-8")
    for entry in recipes():
        assert not entry.rule or entry.rule in codes
        for name in entry.of if entry.rule == "XP412" else ():
            assert f'call = "{name}(' in sized, name


def test_each_recipe_can_be_written_with_arguments() -> None:
    class Given(Operand):
        bare = "x"

    for entry in recipes():
        for text in (entry.instead, entry.snippet):
            assert "{" not in text.format(**dict.fromkeys(entry.parameters, Given("x"))), entry.of


def test_every_function_that_always_needs_the_host_has_an_answer() -> None:
    """One of its own, one of another rule, or that there is none but to compute it elsewhere."""
    answered = {name for entry in recipes() for name in entry.of} | set(missing())
    for name, function in functions().items():
        assert name in answered or not function.is_always or function.raises, name


def test_every_function_with_a_wrong_gradient_has_an_answer() -> None:
    wrong = {name for name, function in functions().items() if function.has_wrong_gradient}
    assert wrong == {name for entry in recipes() for name in entry.of if name in wrong}
    assert {"torch.nn.ELU", "torch.nn.functional.selu", "torch.celu"} <= wrong


def test_few_are_left_to_the_general_answer() -> None:
    """Special functions are; what training code uses is not."""
    general = {name for name, entry in missing().items() if entry.recipes[0].instead == snippets()["otherwise"]}
    assert "torch.special.bessel_j0" in general
    assert not {name for name in general if name.startswith("torch.nn.")}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"when": {"dims": "given"}}, "median has no parameter dims"),
        ({"when": {"dim": "odd"}}, "median: dim cannot be odd"),
        ({"insted": "x"}, r"median: unknown keys \['insted'\]"),
    ],
)
def test_an_impossible_recipe_is_refused(table: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        recipe({"of": ["median"], "parameters": "input, dim", **table})
