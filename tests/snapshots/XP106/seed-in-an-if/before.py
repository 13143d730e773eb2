import torch


def main(args):
    if args.seed is not None:
        torch.manual_seed(args.seed)
        print("seeded")
