import torch
from torch import nn

net = nn.DataParallel(nn.Linear(2, 2), device_ids=[0, 1])
net = nn.SyncBatchNorm.convert_sync_batchnorm(net)
