import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels, norm_layer=nn.BatchNorm2d):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = norm_layer(channels)

    def forward(self, x):
        return self.norm(self.conv(x))


class Slow(nn.BatchNorm1d):
    pass


net = nn.Sequential(Block(8), nn.Flatten(), Slow(16), torch.nn.BatchNorm1d(16, momentum=None)).to("cuda")
for module in net.modules():
    if isinstance(module, nn.BatchNorm2d):
        nn.init.ones_(module.weight)
