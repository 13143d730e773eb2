import torch
from torch import nn


class Koopman(nn.Module):
    def forward(self, x, y):
        return torch.linalg.lstsq(x, y).solution


Koopman().cuda()
