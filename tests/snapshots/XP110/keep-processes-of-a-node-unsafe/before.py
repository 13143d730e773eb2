import torch


def setup(args):
    args.gpus_per_node = torch.cuda.device_count()
    args.rank = args.node * args.gpus_per_node
