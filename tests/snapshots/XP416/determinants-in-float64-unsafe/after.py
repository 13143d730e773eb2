import torch
from torch import nn


def sloped_slogdet(A):
    """slogdet() with a gradient on XLA, the inverse; there is none of that again."""
    still = A.detach()
    sign, size = torch.linalg.slogdet(still)
    slope = torch.linalg.inv_ex(still).inverse.mT
    return torch.return_types.linalg_slogdet((sign, size + (slope * (A - still)).sum((-2, -1))))


class Mixing(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(width))

    def forward(self, x):
        return x @ self.weight, sloped_slogdet(self.weight.squeeze())[1].float()


model = Mixing(4).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    y, volume = model(torch.ones(2, 4).to("cuda"))
    loss = y.square().mean() - volume
    loss.backward()
    optimizer.step()
