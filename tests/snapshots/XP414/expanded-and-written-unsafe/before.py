import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(1, 1, 8))
        self.linear = nn.Linear(8, 8)

    def forward(self, x):
        x = self.linear(x)
        weights = x.mean(0, keepdim=True).expand(x.size(0), -1)
        weights[weights < 0] = 0
        rows = torch.broadcast_to(x[:1], x.shape)
        rows.mul_(2)
        columns, other = torch.meshgrid(x[0], x[1], indexing="ij")
        columns += 1
        tokens = self.token.expand(x.size(0), -1, -1).contiguous()
        tokens[:, 0] = x
        fill(x[:1].expand(4, 8))
        flat = x[0].expand(4, 8).reshape(-1)
        F.relu(flat, inplace=True)
        torch.add(x[:4], 1, out=x[1].expand_as(x[:4]))
        return weights + rows + columns, tokens


def fill(values):
    values.t()[0] = 1


model = Net().to("cuda")
for step in range(10):
    a, b = model(torch.randn(8, 8, device="cuda"))
