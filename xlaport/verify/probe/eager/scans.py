"""What the plugin for the CPU cannot read, computed another way: operators that hand on what they add up.

torch_tpu 0.2.0 writes them as one `chlo.scan`; the plugin (1.13 of StableHLO) knows none. Here such a sum is doubled:
log2(n) additions of the tensor to itself, moved. A TPU is asked for one program where the played one is for several,
and the sums round otherwise than one after another. What `torch.compile` compiles does not pass here.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

_SUM, _MEAN = 0, 1
"""The modes of `_embedding_bag`; the third is the largest."""

_kept: list[Any] = []
"""The library of kernels: dropping it would bring the old ones back."""


def install() -> None:
    """Put the kernels in place; torch_tpu has registered its own."""
    import torch

    library = torch.library.Library("aten", "IMPL")
    _kept.append(library)
    kernels: dict[str, Callable[..., Any]] = {
        "cumsum.out": _of_numbers(torch.add, 0),
        "cumprod.out": _of_numbers(torch.mul, 1),
        "_logcumsumexp": lambda of, dim: _scan(of, dim, _of_logarithms, float("-inf")),
        "_logcumsumexp.out": lambda of, dim, *, out: _into(out, _scan(of, dim, _of_logarithms, float("-inf"))),
        "_cummax_helper": _of_extremes(torch.ge),
        "_cummin_helper": _of_extremes(torch.le),
        "_embedding_bag": _embedding_bag,
        "_embedding_bag_forward_only": _embedding_bag,
        "_embedding_bag_backward": _embedding_bag_backward,
        "repeat_interleave.Tensor": _repeats,
        "repeat_interleave.self_Tensor": _repeated,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "Overriding a previously registered kernel": that is the point
        for name, kernel in kernels.items():
            library.impl(name, kernel, "PrivateUse1")
        library.impl("repeat_interleave.self_Tensor", _repeated, "AutogradPrivateUse1")  # torch_tpu has its own there


def _moved(tensor: Any, dim: int, by: int, filling: float) -> Any:
    """The tensor with its values `by` places further along the dimension, and the filling before them."""
    import torch

    shape = list(tensor.shape)
    shape[dim] = by
    return torch.cat([tensor.new_full(shape, filling), tensor.narrow(dim, 0, tensor.shape[dim] - by)], dim)


def _scan(tensor: Any, dim: int, combine: Callable[..., Any], neutral: float) -> Any:
    """What `combine` makes of each value and all before it along the dimension."""
    by = 1
    while tensor.dim() and by < tensor.shape[dim]:
        tensor = combine(tensor, _moved(tensor, dim, by, neutral))
        by *= 2
    return tensor


def _into(out: Any, result: Any) -> Any:
    return (out if out.shape == result.shape else out.resize_(result.shape)).copy_(result)


def _of_logarithms(one: Any, other: Any) -> Any:
    """`torch.logaddexp`, which torch_tpu has no kernel for."""
    import torch

    larger = torch.maximum(one, other)
    apart = torch.where(one == other, torch.zeros_like(one), (one - other).abs())  # infinities of one sign
    return larger + torch.log1p(torch.exp(-apart))


def _of_numbers(combine: Callable[..., Any], neutral: float) -> Callable[..., Any]:
    import torch

    def out_of(of: Any, dim: int, *, dtype: Any = None, out: Any) -> Any:
        wanted = dtype or out.dtype
        wide = torch.float32 if wanted in (torch.bfloat16, torch.float16) else wanted  # as PyTorch adds up halves
        return _into(out, _scan(of.to(wanted).to(wide), dim, combine, neutral))

    return out_of


def _of_extremes(stays: Callable[..., Any]) -> Callable[..., Any]:
    """The largest or smallest so far, and where it stands: the last of equal ones; NaN stays once it is there."""
    import torch

    def helper(of: Any, values: Any, indices: Any, dim: int) -> None:
        best = of
        shape = [1] * of.dim()
        if of.dim():
            shape[dim] = of.shape[dim]
        where = torch.arange(of.shape[dim] if of.dim() else 1, device=of.device).reshape(shape).expand(of.shape)
        by = 1
        while of.dim() and by < of.shape[dim]:
            earlier, place = _moved(best, dim, by, 0), _moved(where, dim, by, -1)
            keep = (place < 0) | torch.isnan(best) | (stays(best, earlier) & ~torch.isnan(earlier))
            best, where = torch.where(keep, best, earlier), torch.where(keep, where, place)
            by *= 2
        values.copy_(best)
        indices.copy_(where)

    return helper


def _embedding_bag(
    weight: Any,
    indices: Any,
    offsets: Any,
    scale_grad_by_freq: bool = False,
    mode: int = _SUM,
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> tuple[Any, Any, Any, Any]:
    """The bags, the bag of each index, the size of each bag, and what was the largest in it."""
    import torch

    starts = offsets[:-1] if include_last_offset else offsets
    bags = len(starts)
    bag_of = (torch.arange(len(indices), device=weight.device).unsqueeze(1) >= starts.unsqueeze(0)).sum(1) - 1
    counted = indices != padding_idx
    halves = (torch.bfloat16, torch.float16)
    rows = weight[indices].float() if weight.dtype in halves else weight[indices]  # as PyTorch adds up halves
    sizes = starts.new_zeros(bags).index_add(0, bag_of, counted.to(starts.dtype))
    if mode in (_SUM, _MEAN):
        if per_sample_weights is not None:
            rows = rows * per_sample_weights.unsqueeze(1)
        rows = torch.where(counted.unsqueeze(1), rows, torch.zeros_like(rows))
        found = torch.zeros(bags, weight.shape[1], dtype=rows.dtype, device=weight.device).index_add(0, bag_of, rows)
        if mode == _MEAN:
            found = found / sizes.clamp(min=1).unsqueeze(1)
        return found.to(weight.dtype), bag_of, sizes, sizes
    at = bag_of.unsqueeze(1).expand_as(rows)
    low = torch.full_like(rows, float("-inf"))
    rows = torch.where(counted.unsqueeze(1), rows, low)
    found = torch.full((bags, weight.shape[1]), float("-inf"), dtype=rows.dtype, device=weight.device)
    found = found.scatter_reduce(0, at, rows, "amax")
    which = torch.where(rows == found[bag_of], indices.unsqueeze(1), -torch.ones_like(at))
    largest = torch.full_like(found, -1, dtype=indices.dtype).scatter_reduce(0, at, which, "amax")
    return torch.where(sizes.unsqueeze(1) > 0, found, torch.zeros_like(found)).to(weight.dtype), bag_of, sizes, largest


def _embedding_bag_backward(
    grad: Any,
    indices: Any,
    offsets: Any,
    bag_of: Any,
    sizes: Any,
    largest: Any,
    count: int,
    scale_grad_by_freq: bool,
    mode: int,
    sparse: bool,
    per_sample_weights: Any,
    padding_idx: int = -1,
) -> Any:
    """The gradient of the weight, of shape (count, width)."""
    import torch

    if mode not in (_SUM, _MEAN):
        wide = grad.new_zeros(count + 1, grad.shape[1])  # an empty bag has no largest: its row is the last
        return wide.scatter_add(0, torch.where(largest < 0, count, largest), grad)[:count]
    rows = grad[bag_of]
    if mode == _MEAN:
        rows = rows / sizes.clamp(min=1)[bag_of].unsqueeze(1)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(1)
    if scale_grad_by_freq:
        often = indices.new_zeros(count).index_add(0, indices, torch.ones_like(indices))
        rows = rows / often[indices].unsqueeze(1)
    rows = torch.where((indices != padding_idx).unsqueeze(1), rows, torch.zeros_like(rows))
    return grad.new_zeros(count, grad.shape[1]).index_add(0, indices, rows)


def _repeats(repeats: Any, *, output_size: int | None = None) -> Any:
    """Each position as often as `repeats` says."""
    import torch

    ends = repeats.cumsum(0)
    total = output_size if output_size is not None else int(ends[-1]) if len(repeats) else 0
    return torch.searchsorted(ends, torch.arange(total, device=repeats.device, dtype=ends.dtype), right=True)


def _repeated(of: Any, repeats: Any, dim: int | None = None, *, output_size: int | None = None) -> Any:
    if dim is None:
        of, dim = of.reshape(-1), 0
    if repeats.numel() == 1:
        repeats = repeats.reshape(-1).expand(of.shape[dim])
    return of.index_select(dim, _repeats(repeats, output_size=output_size))
