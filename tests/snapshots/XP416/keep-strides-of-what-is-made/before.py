import torch
import torch.nn.functional as F
from torch import nn


class Diagonals(nn.Module):
    def forward(self, x):
        out = torch.zeros(4, 3, 3, device=x.device)
        strides = [out.stride(0), out.stride(1) + out.stride(2)]
        return out, strides, x.t().stride()


class Windows(nn.Module):
    def forward(self, x):
        rows = x.transpose(1, 2).reshape(8, 4, 6)
        wide = F.pad(rows, (0, 0, 2, 2))
        images = F.pad(x.permute(0, 3, 1, 2), (1, 1))
        products = torch.bmm(rows, rows.transpose(1, 2))
        return wide.stride(), products.stride(0), images.stride(), (rows.transpose(1, 2) + 1).stride()


Diagonals().cuda()
Windows().cuda()
