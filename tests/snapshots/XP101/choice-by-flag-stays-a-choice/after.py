import torch
import torch_xla


def main(args):
    use_cuda = not args.no_cuda and torch.cuda.is_available()
    device = torch_xla.device() if use_cuda else torch.device("cpu")
    return device
