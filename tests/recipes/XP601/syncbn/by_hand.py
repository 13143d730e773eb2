import torch
import torch_xla

from torch import nn

model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4)).to(torch_xla.device())
print(model(torch.ones(2, 3, 8, 8).to(torch_xla.device())).shape)
