"""What `verify_overhead` measures by: 200 steps of a small transformer on XLA, ``small_transformer.py TIMES [STEPS]``.

It writes when its steps ended, by the clock, by what the main thread has worked and by what the process has worked, as
one JSON object with three lists of seconds.
"""

from __future__ import annotations

import json
import sys
import time

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

VOCABULARY, LENGTH, WIDTH, BATCH = 500, 32, 64, 8


def transformer() -> nn.Sequential:
    """Two layers of four heads: from tokens (batch, length) to scores (batch, length, vocabulary)."""
    layer = nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, dropout=0.1, batch_first=True, norm_first=True)
    layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    return nn.Sequential(nn.Embedding(VOCABULARY, WIDTH), layers, nn.Linear(WIDTH, VOCABULARY))


def main() -> None:
    """Train, and write the times."""
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    torch.manual_seed(0)
    device = torch_xla.device()
    model = transformer().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    data = torch.randint(VOCABULARY, (32, BATCH, LENGTH + 1))
    times: dict[str, list[float]] = {"clock": [], "thread": [], "process": []}
    total = torch.zeros((), device=device)
    for step in range(steps):
        batch = data[step % len(data)].to(device)
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(batch[:, :-1]).flatten(0, 1), batch[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        total += loss.detach()
        torch_xla.sync()
        if step + 1 == steps:
            xm.wait_device_ops()
        times["clock"].append(time.perf_counter())
        times["thread"].append(time.thread_time())
        times["process"].append(time.process_time())
    print(f"loss {total.item() / steps:.4f}")
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(times, file)


if __name__ == "__main__":
    main()
