import torch
from torch import nn


class Weights(nn.Module):
    def forward(self, x, index):
        index = index.topk(3).indices
        rolled = torch.roll(x, -int(index[0]), -1)
        return rolled, torch.exp(-torch.pow(x - x[0, 1].item(), 2))


Weights().cuda()
