import torch


def main(args, net):
    net.to(torch.device("cuda" if args.cuda else "cpu"))
    return torch.device("cuda" if args.cuda else "cpu").type
