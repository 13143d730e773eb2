"""Recurrent layers over packed sequences, and over padded ones, as a program: what they give on the CPU and on XLA.

`python -m tests.shapes.packed` prints as JSON, for each layer, what the packed form does on XLA, and how far the padded
form, which XP421 recommends, is from row after row without any padding, with its gradients and the graphs that it
compiles. (torch_xla puts a class of its own in the place of `nn.GRU`, which runs on XLA alone.)
"""

from __future__ import annotations

import json
import sys
from typing import Any

LAYERS = ("LSTM", "GRU", "RNN")
LENGTHS = ([6, 5, 3, 1], [6, 6, 2, 2], [5, 4, 4, 3])


def packed(layer: Any, x: Any, lengths: Any) -> None:
    """Run over a packed sequence."""
    from torch.nn.utils.rnn import pack_padded_sequence

    layer(pack_padded_sequence(x, lengths, batch_first=True))


def each(layer: Any, x: Any, lengths: Any) -> tuple[Any, Any]:
    """The outputs, padded with zeros, and the last states, of one row after another as long as it is."""
    import torch

    rows = [layer(row[:length][None])[0][0] for row, length in zip(x, lengths.tolist(), strict=True)]
    filled = [torch.cat([row, row.new_zeros(x.size(1) - len(row), row.size(1))]) for row in rows]
    return torch.stack(filled), torch.stack([row[-1] for row in rows])


def padded(layer: Any, x: Any, lengths: Any) -> tuple[Any, Any]:
    """The same without packing."""
    import torch

    lengths = lengths.to(x.device)
    out, _ = layer(x)
    true = torch.arange(x.size(1), device=x.device) < lengths[:, None]
    last = (lengths - 1)[:, None, None].expand(-1, 1, out.size(2))
    return torch.where(true[:, :, None], out, 0), out.gather(1, last).squeeze(1)


def main() -> None:
    """Run all layers."""
    import torch
    import torch_xla
    import torch_xla.debug.metrics as metrics

    device = torch_xla.device()  # before the first backward(), which counts the kinds of devices
    found: dict[str, Any] = {}
    for name in LAYERS:
        torch.manual_seed(0)
        layer = getattr(torch.nn.modules.rnn, name)(3, 4, batch_first=True)  # as it is without torch_xla
        there = getattr(torch.nn, name)(3, 4, batch_first=True)
        there.load_state_dict(layer.state_dict())
        there.to(device)
        x = torch.randn(4, 6, 3)
        try:
            packed(there, x.to(device), torch.tensor(LENGTHS[0]))
            raised = ""
        except (RuntimeError, AssertionError) as error:
            raised = type(error).__name__
        far, graphs = 0.0, list[int]()
        for lengths in LENGTHS:
            before = metrics.counter_value("UncachedCompile") or 0
            results = []
            for run, model, where in ((each, layer, x), (padded, layer, x), (padded, there, x.to(device))):
                model.zero_grad()
                out, last = run(model, where, torch.tensor(lengths))
                (out.sin().sum() + last.cos().sum()).backward()
                results.append([out, last, *(p.grad for p in model.parameters())])
            torch_xla.sync()
            graphs.append(int((metrics.counter_value("UncachedCompile") or 0) - before))
            first, *others = [[tensor.detach().cpu() for tensor in result] for result in results]
            far = max(far, *(float((a - b).abs().max()) for o in others for a, b in zip(first, o, strict=True)))
        found[name] = {"raised": raised, "far": far, "graphs": graphs}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
