import torch


def main(args):
    batch_size = args.batch_size * torch.cuda.device_count()
    args.lr *= torch.cuda.device_count()
    each = batch_size // max(1, torch.cuda.device_count())
    return each
