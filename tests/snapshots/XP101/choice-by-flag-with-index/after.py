import torch
import torch_xla


def main(args):
    return torch_xla.device() if args.cuda else torch.device("cpu")
