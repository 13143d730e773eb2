import torch
from torch import nn


def build(model):
    model = nn.DataParallel(model) if torch.cuda.device_count() > 1 else model
    return nn.DataParallel(model) if torch.cuda.device_count() >= 2 else model
