import torch


def main(args):
    torch.backends.cudnn.benchmark = args.read()
