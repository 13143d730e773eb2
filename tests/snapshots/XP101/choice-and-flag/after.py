import torch
import torch_xla


def main(args):
    return torch_xla.device() if torch.cuda.is_available() and not args.cpu else torch.device("cpu")
