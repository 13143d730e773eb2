import torch
from torch import nn
from torch.nn import BatchNorm1d as Norm1d

Norm = nn.BatchNorm2d
ROW = (nn.BatchNorm1d, nn.BatchNorm2d)
TYPES = (nn.BatchNorm1d, nn.BatchNorm2d)


class Block(nn.Module):
    norm = nn.BatchNorm2d

    def __init__(self, dimensions):
        super().__init__()
        self.first = self.norm(8)
        self.second = Norm(8)
        self.third = ROW[dimensions - 1](8)
        self.fourth = Norm1d(8)


def frozen(net):
    return [m for m in net.modules() if isinstance(m, Norm) or isinstance(m, TYPES)]


def matched(module):
    match module:
        case nn.BatchNorm2d():
            return True
    return False
