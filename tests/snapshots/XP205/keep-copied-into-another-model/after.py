import torch
from torch import nn
from models import Net, Old

old, new = Old(), Net()
new.out.weight = old.out.weight
new.out.bias = old.out.bias
conv, fused = nn.Conv2d(1, 1, 1), nn.Conv2d(1, 1, 1)
fused.weight = conv.weight
new.to("cuda")
