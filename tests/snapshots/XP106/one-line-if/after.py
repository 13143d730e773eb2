import torch
import torch_xla


def main(args):
    if args.seed:
        torch.manual_seed(args.seed)
        torch_xla.manual_seed(args.seed)
