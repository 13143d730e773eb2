import torch
from torch import nn


def is_norm(p):
    return p.ndim == 1


class Scaled(torch.optim.Optimizer):
    def __init__(self, params, lr, skipped=None):
        self.skipped = skipped
        super().__init__(params, dict(lr=lr))


class Filtered(torch.optim.Optimizer):
    def __init__(self, params, lr, skipped=None):
        super().__init__(params, dict(lr=lr, skipped=skipped))


net = nn.Linear(2, 2).cuda()
kept = Scaled(net.parameters(), lr=0.1, skipped=is_norm)
plain = Filtered(net.parameters(), lr=0.1)
named = Filtered(net.parameters(), lr=0.1, skipped="bias")
torch.save({"kept": kept.state_dict(), "plain": plain.state_dict(), "named": named.state_dict()}, "all.pt")
state = torch.load("all.pt", map_location="cpu")
kept.load_state_dict(state["kept"])
