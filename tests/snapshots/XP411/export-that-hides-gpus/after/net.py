from torch import nn
import torch


def gated_linear_unit(input, dim=-1):
    """The same as glu(), whose gradient XLA has no kernel for."""
    values, gates = input.chunk(2, dim)
    return values * torch.sigmoid(gates)


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return gated_linear_unit(self.layer(x), dim=1)
