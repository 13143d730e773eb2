import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return x


model = Net().to("cuda")
other = Net().to("cuda")
mean = 0.5
torch.save([
    model,
    mean
], "model.pt")
torch.save({"model": model, "other": other, "epoch": 3}, "model.pt")
