"""The expressions that recipes name compute what the function does."""

from __future__ import annotations

import math

import pytest
import torch

from rules.shapes.recipes import Recipe, recipes

ROWS, COLUMNS = 6, 8
Waves = dict[str, torch.Tensor | int]


def recipe(name: str, left: str = "") -> Recipe:
    """The recipe of a function: the one that is for this value of `left`, or its last one."""
    found = [entry for entry in recipes() if f"torch.{name}" in entry.of]
    return next((entry for entry in found if left in dict(entry.when).get("left", ())), found[-1])


def said(of: Recipe, expression: str, names: Waves) -> torch.Tensor:
    """What an expression of a recipe is."""
    assert expression in of.instead
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


def test_a_real_inverse_of_two_axes() -> None:
    x = torch.randn(ROWS, COLUMNS, dtype=torch.float64)
    z, of, half = torch.fft.rfft2(x), recipe("fft.irfft2"), COLUMNS // 2 + 1
    names = waves(ROWS) | parts(z)
    names = {"re": said(of, "(C @ re - S @ im) / n", names), "im": said(of, "(C @ im + S @ re) / n", names)}
    w = torch.full((half, 1), 2.0, dtype=torch.float64)
    w[0] = w[COLUMNS // 2] = 1
    found = said(of, "re @ (w / n * C) - im @ (w / n * S)", names | waves(COLUMNS, half) | {"w": w})
    assert torch.allclose(found, torch.fft.irfft2(z))
    assert torch.allclose(found * x.numel(), torch.fft.hfft2(z.conj()))


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
    text = recipe("linalg.tensorsolve").instead.split("n = {B}.numel(), ")[1].partition(", where")[0]
    found = eval(text.format(A="a", B="b"), {"torch": torch, "a": a, "b": b, "n": b.numel()})
    assert torch.allclose(found, torch.linalg.tensorsolve(a, b))
