import torch


def main(args):
    torch.backends.cudnn.benchmark = not args.deterministic
