import torch
from torch import nn


def build(model, device):
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
        model.to(device)
    else:
        model.to(device)
    return model
