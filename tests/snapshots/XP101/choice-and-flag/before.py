import torch


def main(args):
    return torch.device("cuda" if torch.cuda.is_available() and not args.cpu else "cpu")
