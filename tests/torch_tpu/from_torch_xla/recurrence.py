"""A recurrent network and an average that goes along with it, trained through scan() over trees of tensors."""

import sys
from pathlib import Path

import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn
from torch_xla.experimental.scan import scan


def step(carry, x):
    weights, state = carry["weights"], carry["state"]
    state = torch.tanh(x["values"] @ weights["in"] + state @ weights["back"])
    return {"weights": weights, "state": state}, (state * x["mask"], state.mean())


def average(total, x):
    total *= 0.5
    total += x
    return total, total


class Network(nn.Module):
    def __init__(self, inputs=4, width=6):
        super().__init__()
        self.inner = nn.Parameter(torch.randn(inputs, width) / 2)
        self.back = nn.Parameter(torch.randn(width, width) / 4)
        self.head = nn.Linear(width, 1)

    def forward(self, values, mask):
        state = torch.zeros(values.shape[1], self.back.shape[0], device=values.device)
        carry = {"weights": {"in": self.inner, "back": self.back}, "state": state}
        last, (states, _) = scan(step, carry, {"values": values, "mask": mask})
        return self.head(states.mean(dim=0) + last["state"])


def main():
    torch.manual_seed(2)
    device = torch_xla.device()
    model = Network().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(8):
        values, mask = torch.randn(5, 8, 4), torch.ones(5, 8, 1)
        y = values.mean(dim=(0, 2)).unsqueeze(1)
        values, mask, y = values.to(device), mask.to(device), y.to(device)
        optimizer.zero_grad()
        loss = (model(values, mask) - y).square().mean()
        loss.backward()
        xm.optimizer_step(optimizer, barrier=True)
        losses.append(loss.detach())
    torch_xla.sync()
    start = torch.zeros((), device=device)
    _, smooth = scan(average, start, torch.stack(losses))
    torch_xla.sync()
    rows = [f"{loss.item():.4f} {mean.item():.4f}" for loss, mean in zip(losses, smooth, strict=True)]
    Path(sys.argv[1]).write_text("\n".join([*rows, f"{start.item()}"]), encoding="utf-8")


if __name__ == "__main__":
    main()
