import torch


def main(args):
    use_cuda = not args.no_cuda and torch.cuda.is_available()
    return use_cuda
