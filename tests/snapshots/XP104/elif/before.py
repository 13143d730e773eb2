import torch


def main(args):
    if args.cpu:
        return 1
    elif torch.cuda.is_available():
        return 2
    else:
        return 3
