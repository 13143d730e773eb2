import os

import torch
from torch import nn
from torch.autograd import Variable


class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        start = torch.full((4,), 0.25)
        self.shares = Variable(start.cuda(), requires_grad=True)

    def forward(self, x):
        return self.layer(x) * self.shares


if os.path.exists("mixture.pt"):
    model = torch.load("mixture.pt", weights_only=False)
else:
    model = Mixture()
model = model.cuda()
print(model(torch.ones(2, 4).cuda()))
torch.save(model, "mixture.pt")

last = torch.load("mixture.pt", weights_only=False, map_location="cpu")
last.cuda()
last.shares = torch.ones(4).cuda()
print(last(torch.ones(2, 4).cuda()))
