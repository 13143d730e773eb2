import torch
from torch import nn


class Ssim(nn.Module):
    def __init__(self):
        super().__init__()
        self.window = torch.ones(3)

    def forward(self, x):
        if self.window.data.type() == x.data.type():
            return x * self.window.sum()
        return x


Ssim().cuda()
