import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, layer):
        super().__init__()
        self.layer = layer()
        self.register_buffer("kept", torch.tensor(4))
        self.register_buffer("mean", torch.zeros(8))

    def forward(self, x):
        some = torch.randn(x.size(0), 3)
        rows = int(some.shape[0])
        columns = int(some.size(1))
        self.mean.mul_(0.9).add_(x.mean(0), alpha=0.1)
        return self.layer(x)[:, : int(self.kept)] + self.mean[: rows // 2] + self.mean[columns]
