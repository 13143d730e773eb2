import torch


def main(args):
    if args.seed: torch.manual_seed(args.seed)
