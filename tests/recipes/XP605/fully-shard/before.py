import torch
from torch import nn
from torch.distributed.fsdp import fully_shard

net = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))
for layer in net:
    fully_shard(layer)
fully_shard(net)
