"""The expressions that recipes name compute what the function does."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from rules.shapes.xp411_missing_lowering.recipes import Recipe, recipes, snippets

ROWS, COLUMNS = 6, 8
Waves = dict[str, torch.Tensor | int]


def recipe(name: str, left: str = "") -> Recipe:
    """The recipe of a function: the one that is for this value of `left`, or its last one."""
    found = [entry for entry in recipes() if f"torch.{name}" in entry.of]
    return next((entry for entry in found if left in dict(entry.when).get("left", ())), found[-1])


def said(of: Recipe, expression: str, names: Waves) -> torch.Tensor:
    """What an expression of a recipe is."""
    assert expression in f"{of.instead}\n{of.snippet}"
    found: torch.Tensor = eval(expression, {"torch": torch}, names)
    return found


def waves(n: int, rows: int | None = None) -> Waves:
    i, k = torch.arange(rows or n).double()[:, None], torch.arange(n).double()
    angles = 2 * math.pi * i * k / n
    return {"C": torch.cos(angles), "S": torch.sin(angles), "n": n}


def parts(z: torch.Tensor) -> Waves:
    return {"re": z.real, "im": z.imag}


@pytest.fixture
def spectrum() -> torch.Tensor:
    """Complex numbers in two dimensions."""
    return torch.randn(ROWS, COLUMNS, dtype=torch.complex128, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize("name", ["fft.ifft", "fft.ifft2", "fft.fft2"])
def test_transforms_of_one_axis_after_the_other(spectrum: torch.Tensor, name: str) -> None:
    of = recipe(name)
    written = ("re @ C + im @ S", "im @ C - re @ S") if name == "fft.fft2" else IFFT
    wanted = spectrum
    for n in (COLUMNS, ROWS)[: 1 if name == "fft.ifft" else 2]:
        names = waves(n) | parts(wanted)
        wanted = torch.complex(*(said(of, each, names) for each in written)).mT
    found = wanted.mT if name == "fft.ifft" else wanted
    assert torch.allclose(found, eval(f"torch.{name}(z)", {"torch": torch, "z": spectrum}))


IFFT = ("(re @ C - im @ S) / n", "(im @ C + re @ S) / n")


def test_a_real_transform_of_two_axes() -> None:
    x = torch.randn(ROWS, COLUMNS, dtype=torch.float64)
    of, names = recipe("fft.rfft2"), waves(COLUMNS) | {"x": x}
    half = COLUMNS // 2 + 1
    names = waves(ROWS) | {"re": said(of, "x @ C", names)[:, :half], "im": said(of, "-x @ S", names)[:, :half]}
    both = torch.complex(said(of, "C @ re + S @ im", names), said(of, "C @ im - S @ re", names))
    assert torch.allclose(both, torch.fft.rfft2(x))
    assert torch.allclose(both.conj() / x.numel(), torch.fft.ihfft2(x))


@pytest.mark.parametrize("name", ["irfft2", "irfft", "hfft", "rfft", "ihfft", "ifft"])
def test_a_transform_as_its_recipe_writes_it(name: str) -> None:
    x = torch.randn(ROWS, COLUMNS)
    z = x if name in ("rfft", "ihfft") else torch.fft.rfft2(x)
    z = torch.fft.fft(x) if name == "ifft" else z
    given = {"torch": torch, "math": math, "device": None, "m": ROWS, "n": COLUMNS, "x": x, "re": z.real}
    found: dict[str, Any] = {}
    exec(recipe(f"fft.{name}").snippet, given | ({"im": z.imag} if z.is_complex() else {}), found)
    wanted = eval(f"torch.fft.{name}(z)", {"torch": torch, "z": z.conj() if name == "hfft" else z})
    own = found["x"] if "x" in found else torch.complex(found["re"], found["im"])[:, : wanted.size(1)]
    assert torch.allclose(own * (COLUMNS if name == "hfft" else 1), wanted, atol=1e-4)


def test_the_waves_of_the_recipes() -> None:
    names: dict[str, Any] = {"torch": torch, "math": math, "device": None}
    exec(snippets()["waves"], names)
    for found, wanted in zip(names["waves"](5, 8, 8), (waves(8, 5)[each] for each in "CS"), strict=True):
        assert torch.allclose(found.double(), torch.as_tensor(wanted), atol=1e-5)


def test_a_transform_of_windows_is_a_convolution() -> None:
    x, n_fft, hop_length = torch.randn(2, 40), 8, 3
    window = torch.hann_window(n_fft)
    names: dict[str, Any] = {"torch": torch, "math": math, "device": "cpu", "x": x, "n_fft": n_fft, "window": window}
    exec(recipe("stft").snippet, names | {"hop_length": hop_length}, found := {"x": x})
    wanted = torch.stft(x, n_fft, hop_length, window=window, return_complex=True)
    assert torch.allclose(torch.complex(found["re"], found["im"]), wanted, atol=1e-5)


@pytest.mark.parametrize("left", ["True", "False"])
def test_a_system_is_solved_from_the_side_that_is_asked_for(left: str) -> None:
    a, b = torch.randn(5, 3, 3).double() + 4 * torch.eye(3), torch.randn(5, 3, 3).double()
    (written,) = (each for each in TURNS if each in recipe("linalg.solve", left).instead)
    found = eval(written.format(A=Bare("a"), B="b"), {"torch": torch, "a": a, "b": b})
    assert torch.allclose(found, torch.linalg.solve(a, b, left=left == "True"))


TURNS = ("torch.linalg.inv_ex({A:bare}).inverse @ {B}", "{B} @ torch.linalg.inv_ex({A:bare}).inverse")


class Bare(str):
    """A name, which is the same as an operand."""

    def __format__(self, spec: str) -> str:
        return str(self)


def test_a_system_of_tensors_is_one_of_a_matrix() -> None:
    a, b = torch.randn(3, 4, 6, 2).double(), torch.randn(3, 4).double()
    names = {"torch": torch, "a": a, "b": b}
    exec(recipe("linalg.tensorsolve").snippet.format(A="a", B="b"), names)
    assert torch.allclose(torch.as_tensor(names["x"]), torch.linalg.tensorsolve(a, b))
