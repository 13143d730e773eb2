import torch
from torch.nn import DataParallel


def build(model):
    if torch.cuda.device_count() > 1:
        return DataParallel(model)
    return model
