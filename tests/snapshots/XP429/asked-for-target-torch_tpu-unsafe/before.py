import torch
from torch import nn

net = nn.Sequential(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8)).to("cuda")
for module in net.modules():
    if type(module) is nn.BatchNorm2d:
        nn.init.ones_(module.weight)
