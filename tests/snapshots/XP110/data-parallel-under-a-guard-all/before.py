import torch
from torch import nn


def build(model, args):
    if torch.cuda.is_available():
        if torch.cuda.device_count() > 1 and not args.single:
            model = nn.DataParallel(model, device_ids=list(range(torch.cuda.device_count())))
            args.batch_size *= torch.cuda.device_count()
        model.cuda()
    return model
