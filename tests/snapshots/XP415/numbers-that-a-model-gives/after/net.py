from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.body = nn.Linear(size, 2)

    def forward(self, x, target):
        found, extra = self.body(x), 0
        loss = F.mse_loss(found, target)
        shown = loss.item()
        return loss, shown, extra, found.abs().max()
