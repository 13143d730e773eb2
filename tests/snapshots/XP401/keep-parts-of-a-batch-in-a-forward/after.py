import torch
from torch import nn


class CachedLoss(nn.Module):
    """The model sees a batch in parts, without gradients, and all of them belong to one step."""

    def __init__(self, model, size):
        super().__init__()
        self.model: nn.Module = model
        self.size = size

    def part(self, x, begin, end):
        with torch.no_grad():
            return self.model(x[begin:end])

    def parts(self, x):
        for begin in range(0, x.shape[0], self.size):
            yield self.part(x, begin, begin + self.size)

    def forward(self, x, y):
        return (torch.cat(list(self.parts(x))) - y).pow(2).mean()


loss_of = CachedLoss(nn.Linear(4, 4).cuda(), 8)
