"""Writes what each operator gives that hands on what it adds up, and its gradient: for `test_playing`."""

import sys
from collections.abc import Callable
from pathlib import Path

import torch
from torch.nn import functional as F

device, path = sys.argv[1], Path(sys.argv[2])
lines: list[str] = []
generator = torch.Generator().manual_seed(3)


def show(name: str, compute: Callable[..., object], *on_host: torch.Tensor) -> None:
    given = [item.clone().to(device).requires_grad_(item.is_floating_point()) for item in on_host]
    result = compute(*given)
    parts = result if isinstance(result, tuple) else (result,)
    first = parts[0]
    shown = [part.detach().cpu().double().reshape(-1).tolist() for part in parts]
    if first.requires_grad:
        (first * torch.arange(first.numel(), device=device, dtype=first.dtype).reshape(first.shape)).sum().backward()
        shown += [item.grad.cpu().reshape(-1).tolist() for item in given if item.grad is not None]
    numbers = (f"{value:.4f}" for values in shown for value in values)
    lines.append(" ".join([name, *(str(part.dtype) for part in parts), *numbers]))


def scans() -> None:
    x = torch.randn(3, 5, 2, generator=generator)
    for dim in (0, 1, -1):
        show(f"cumsum {dim}", lambda t, dim=dim: t.cumsum(dim), x)
        show(f"cumprod {dim}", lambda t, dim=dim: t.cumprod(dim), x)
        show(f"logcumsumexp {dim}", lambda t, dim=dim: t.logcumsumexp(dim), x)
        show(f"cummax {dim}", lambda t, dim=dim: tuple(t.cummax(dim)), x)
        show(f"cummin {dim}", lambda t, dim=dim: tuple(t.cummin(dim)), x)
    equal, missing = torch.tensor([1.0, 2.0, 2.0, 1.0]), torch.tensor([1.0, float("nan"), 3.0, 0.0])
    for name in ("cummax", "cummin"):
        show(f"{name} of equal ones", lambda t, name=name: tuple(getattr(t, name)(0)), equal)
        show(f"{name} behind NaN", lambda t, name=name: tuple(getattr(t, name)(0)), missing)
        show(f"{name} of one number", lambda t, name=name: tuple(getattr(t, name)(0)), torch.tensor(2.0))
    show("truths", lambda t: (t > 0).cumsum(0), x)
    show("int32", lambda t: (t > 0).cumsum(0, dtype=torch.int32), x)
    show("bfloat16", lambda t: t.bfloat16().cumsum(1).float(), x)
    show("in place", lambda t: (t * 1).cumsum_(1), x)
    show("one number", lambda t: t.cumsum(0), torch.tensor(2.0))
    show("nothing", lambda t: t.cumsum(0), torch.zeros(0, 3))
    infinite = torch.tensor([float("-inf"), float("-inf"), 1.0, 2.0, float("inf")])
    show("infinities", lambda t: t.detach().logcumsumexp(0), infinite)
    times = torch.tensor([0, 2, 3])
    show("repeats", lambda t, by: t.repeat_interleave(by, 0), x, times)
    show("repeats of a known number", lambda t, by: t.repeat_interleave(by, 0, output_size=5), x, times)
    show("repeats of all", lambda t: t.repeat_interleave(torch.tensor([2], device=device)), x)
    show("repeats of places", lambda t, by: t.repeat_interleave(by, 0), torch.arange(6).view(3, 2), times)
    show("out", lambda t: torch.cumsum(t.detach(), 1, out=torch.empty(0, device=device)), x)


def bags() -> None:
    indices, offsets, ends = torch.tensor([4, 8, 3, 3, 6, 1, 6]), torch.tensor([0, 2, 2, 5]), torch.tensor([0, 3, 3, 7])
    weight, shares = torch.randn(9, 2, generator=generator), torch.rand(7, generator=generator).to(device)
    indices, offsets, ends = indices.to(device), offsets.to(device), ends.to(device)
    for mode in ("sum", "mean", "max"):
        show(f"{mode}", lambda w, m=mode: F.embedding_bag(indices, w, offsets, mode=m), weight)
        show(f"{mode} padded", lambda w, m=mode: F.embedding_bag(indices, w, offsets, mode=m, padding_idx=3), weight)
        show(
            f"{mode} ends",
            lambda w, m=mode: F.embedding_bag(indices, w, ends, mode=m, include_last_offset=True),
            weight,
        )
        show(f"{mode} rows", lambda w, m=mode: F.embedding_bag(indices[:6].view(2, 3), w, mode=m), weight)
    show("halves", lambda w: F.embedding_bag(indices, w.bfloat16(), offsets, mode="sum").float(), weight)
    show("shares", lambda w: F.embedding_bag(indices, w, offsets, per_sample_weights=shares, mode="sum"), weight)
    with torch.no_grad():
        show("no gradient", lambda w: F.embedding_bag(indices, w.detach(), offsets), weight)


scans()
bags()
path.write_text("\n".join(lines), encoding="utf-8")
