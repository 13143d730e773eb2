import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.distance = nn.L1Loss()

    def forward(self, inputs, targets):
        x = self.layer(inputs)
        seen = ~torch.isnan(targets)
        return self.distance(torch.where(seen, x, 0), torch.where(seen, targets, 0)) * seen.numel() / seen.sum()


model = Masked().to("cuda")
