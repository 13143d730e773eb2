import torch
from torch import nn

model = nn.Linear(2, 2)
if torch.cuda.device_count() > 1:
    print("Let's use", torch.cuda.device_count(), "GPUs!")
    # [30, ...] becomes [10, ...] on each of 3 GPUs
    model = nn.DataParallel(model)
model.train()
