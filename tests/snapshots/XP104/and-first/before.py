import torch


def main(args):
    use_cuda = torch.cuda.is_available() and not args.no_cuda
    return use_cuda
