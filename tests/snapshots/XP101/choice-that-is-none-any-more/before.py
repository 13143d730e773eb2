import torch


def main(args):
    if args.gpu:
        device = torch.device("cuda:{}".format(args.gpu))
    else:
        device = torch.device("cuda")
    return device
