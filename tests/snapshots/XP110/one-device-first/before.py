import torch
from torch import nn


def build(model, log):
    if torch.cuda.device_count() <= 1:
        log.info("one device")
        model.train()
    else:
        model = nn.DataParallel(model)
    return model
