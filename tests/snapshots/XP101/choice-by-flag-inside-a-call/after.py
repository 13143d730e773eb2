import torch
import torch_xla


def main(args, net):
    net.to(torch_xla.device() if args.cuda else torch.device("cpu"))
    return (torch_xla.device() if args.cuda else torch.device("cpu")).type
