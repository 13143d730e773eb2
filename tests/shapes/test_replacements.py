"""What takes the place of an operation that XLA has no kernel for does the same, on the CPU and on XLA, and there
nothing runs on the host."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
import torch

from rules._lib.shapes.helpers import helpers
from rules._lib.shapes.missing import missing
from rules.shapes.xp411_missing_lowering.recipes import recipes
from tests.child import printed_by
from tests.shapes import replacements

EVERY = [call for calls in replacements.CALLS.values() for call in calls]


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """What the calls do."""
    found: dict[str, Any] = printed_by("tests.shapes.replacements")
    return found


def numbers(values: list[str]) -> list[list[float]]:
    return [eval(value, {"nan": float("nan"), "inf": float("inf")}) for value in values]


@pytest.mark.parametrize("call", EVERY)
def test_it_is_written_anew_and_does_the_same(results: dict[str, Any], call: str) -> None:
    result = results[call]
    assert result["rewritten"]
    before = result["before"]
    for where in ("cpu", "xla"):
        after = result[where]
        assert after["types"] == before["types"]
        assert after["shapes"] == before["shapes"]
        for found, wanted in zip(numbers(after["values"]), numbers(before["values"]), strict=True):
            assert found == pytest.approx(wanted, rel=1e-4, abs=1e-5, nan_ok=True)
    assert result["xla"]["host"] == []


@pytest.mark.parametrize("name", replacements.TYPES)
@pytest.mark.parametrize("call", replacements.NARROW)
def test_it_is_as_exact_as_a_type_of_16_bits(results: dict[str, Any], call: str, name: str) -> None:
    """Torch's own grid_sample() reads beyond the image there: what is right is what it says in 32 bits."""
    result = results[f"{name}: {call}"]
    assert result["rewritten"]
    (wanted, *_) = numbers(result["exact"]["values"])
    for where in ("cpu", "xla"):
        (found, *_) = numbers(result[where]["values"])
        assert result[where]["types"][0] == f"torch.{name}"
        scale = 4 * torch.finfo(getattr(torch, name)).eps
        assert found == pytest.approx(wanted, rel=scale, abs=scale * max(abs(value) for value in wanted))


def test_what_is_not_reported_has_a_kernel(results: dict[str, Any]) -> None:
    assert results["kept"] == []


def test_every_way_to_write_one_is_tried() -> None:
    tried = "\n".join(EVERY)
    for recipe in recipes():
        if recipe.write or recipe.rename or recipe.helper:
            assert any(f"{name.rpartition('.')[2]}(" in tried for name in recipe.of), recipe.of


def test_every_helper_is_asked_for() -> None:
    written = {recipe.helper for recipe in recipes() if recipe.helper}
    written |= {entry.helper for entry in missing() if entry.helper}  # XP416: tests/shapes/test_not_on_xla.py
    # XP610: tests/distributed/test_sync_batch_norm.py; XP311: tests/host_reads/test_kept_buffers.py
    # XP951: tests/successor/test_rates.py and test_scans.py; XP429: tests/torch_tpu/test_averages.py
    averages = {f"MovingBatchNorm{n}d" for n in (1, 2, 3)}
    # XP612, XP951, XP961: tests/distributed/test_added_functions.py
    several = {"average_gradients", "recomputed", "shard_fully", "whole_state_dict", "share_work", "OwnShare"}
    several |= {"trace_steps"}  # XP951: tests/successor/test_traces.py
    of_another = {"ReplicaSyncBatchNorm", "read_if_changed", "RateTracker", "eager_scan", *averages, *several}
    assert written == set(helpers()) - of_another


def test_a_module_with_the_lowered_norm_can_be_saved_and_taken_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scripts save whole modules, and vocoders take the norm away before they speak."""
    code = helpers()["LoweredWeightNorm"].replace("{torch}", "torch")
    (tmp_path / "normed.py").write_text(f"import torch\n\n\n{code}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    layer = importlib.import_module("normed").LoweredWeightNorm.apply(torch.nn.Linear(3, 2))
    x = torch.randn(4, 3)
    torch.save(layer, tmp_path / "layer.pt")
    loaded = torch.load(tmp_path / "layer.pt", weights_only=False)
    assert torch.equal(loaded(x), layer(x))
    assert torch.allclose(torch.nn.utils.remove_weight_norm(loaded)(x), layer(x))
