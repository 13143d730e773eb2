import torch as t
from torch.accelerator import device_count
from torch.cuda import device_count as gpus
from torch.nn import DataParallel

model = t.nn.Linear(2, 2)
if gpus() > 1:
    model = DataParallel(model)
if device_count() > 1:
    model = DataParallel(model)
if t.accelerator.device_count() > 1:
    model = DataParallel(model)
