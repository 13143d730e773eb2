import torch


def main(args):
    if args.cuda: torch.cuda.synchronize()
