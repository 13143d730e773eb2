import torch
from torch import nn


def run(model, data, device):
    for x, lengths in data:
        mask = torch.arange(8, device=device) < 3
        assert mask.sum().item() == 3
        mask = mask.to(device)
        other = torch.arange(8, device=lengths.device) < lengths
        other = other.to(device)
        assert other.sum().item() == 3
        with torch.no_grad():
            print(model(x.to(device), mask, other).sum().item())


run(nn.Linear(4, 4).cuda(), [torch.ones(2)], torch.device("cuda"))
