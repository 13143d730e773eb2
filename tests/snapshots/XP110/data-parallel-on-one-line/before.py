import torch
from torch import nn

model = nn.Linear(2, 2)
if torch.cuda.device_count() > 1: print("many"); model = nn.DataParallel(model)
