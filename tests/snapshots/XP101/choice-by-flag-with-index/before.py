import torch


def main(args):
    return torch.device("cuda:0" if args.cuda else "cpu")
