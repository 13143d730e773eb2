import torch
from torch import nn

STARTS = {nn.Conv2d: nn.init.ones_, nn.BatchNorm2d: nn.init.zeros_}
net = nn.Sequential(nn.Conv2d(1, 8, 3), nn.BatchNorm2d(8))
for module in net.modules():
    if type(module) in STARTS:
        STARTS[type(module)](module.weight)
