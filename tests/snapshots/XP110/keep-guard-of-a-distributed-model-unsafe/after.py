import torch
from torch.nn.parallel import DistributedDataParallel


def build(model, args):
    if torch.cuda.device_count() > 1:
        model = DistributedDataParallel(model)
    if torch.cuda.device_count() > 1:
        args.distributed = True
    return model
