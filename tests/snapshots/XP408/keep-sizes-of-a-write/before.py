import torch
from torch import nn


class Remap(nn.Module):
    def forward(self, x):
        match = (x[:, None] == x[None]).long()
        new = match.argmax(-1)
        unknown = match.sum(-1) < 1
        new[unknown] = torch.randint(0, 8, size=new[unknown].shape).to(device=new.device)
        return new


model = Remap().cuda()
