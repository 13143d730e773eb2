import torch
import torch_xla


def main(args):
    torch.manual_seed(args.seed)
    torch_xla.manual_seed(args.seed)
