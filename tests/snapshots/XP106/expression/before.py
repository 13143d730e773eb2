import torch


def main(args, rank):
    torch.manual_seed(args.seed + rank * 10)
    torch.manual_seed(int(args.seed))
