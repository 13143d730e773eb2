import torch
from torch import nn


class Diagonals(nn.Module):
    def forward(self, x):
        out = torch.zeros(4, 3, 3, device=x.device)
        strides = [out.stride(0), out.stride(1) + out.stride(2)]
        return out, strides, x.t().stride()


Diagonals().cuda()
