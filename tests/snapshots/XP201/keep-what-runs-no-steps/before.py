import torch
import torch.nn as nn


def wind_forward(optimizer: torch.optim.Optimizer, scheduler, start):
    for i in range(start):
        optimizer.step()
        scheduler.step(i)


def blend(model: nn.Module, other: nn.Module, mix):
    for p, q in zip(model.parameters(), other.parameters()):
        with torch.no_grad():
            new = mix(p, q)
        p.data = new


class Encoder(nn.Module):
    def __init__(self, cell: nn.Module):
        super().__init__()
        self.cell = cell

    def encode(self, x):
        state = torch.zeros(8, device="cuda")
        for t in range(x.shape[0]):
            state = self.cell(x[t], state)
        return state


@torch.no_grad()
def statistics(rows):
    total = torch.zeros(8)
    for row in rows:
        total = torch.maximum(total, row)
    return total


@torch.no_grad()
def layers(stages, device):
    x = torch.zeros(8, device=device)
    for stage in stages:
        x = stage(x)
    return x
