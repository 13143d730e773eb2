import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP

net = FSDP(nn.Linear(8, 8))
