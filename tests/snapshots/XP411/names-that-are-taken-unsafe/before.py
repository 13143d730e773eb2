import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.functional import huber_loss

from layers import GatedLinearUnit


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.GLU()  # the name of the helper means something else here
        self.other = GatedLinearUnit()
        self.shuffle = nn.ChannelShuffle(2)

    def forward(self, x, target):
        x = F.glu(
            self.shuffle(x),
            dim=1,  # the channels
        )
        return huber_loss(x, target), 1 / torch.exp2(x), -x.round(decimals=1), F.glu(x)


model = Net().cuda()
