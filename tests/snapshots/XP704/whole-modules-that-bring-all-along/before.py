import os

import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.register_buffer("scale", torch.ones(4).cuda())
        self.share = nn.Parameter(torch.ones(4).cuda())
        self.names = ["first", "second"]

    def forward(self, x):
        return self.layer(x) * self.scale * self.share


class Followed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.scale = torch.ones(4).cuda()

    def _apply(self, change):
        self.scale = change(self.scale)
        return super()._apply(change)

    def forward(self, x):
        return self.layer(x) * self.scale


if os.path.exists("scaled.pt"):
    model = torch.load("scaled.pt", weights_only=False)
    other = torch.load("followed.pt", weights_only=False)
else:
    model = Scaled()
    other = Followed()
model = model.cuda()
other = other.cuda()
print(model(torch.ones(2, 4).cuda()), other(torch.ones(2, 4).cuda()))
