import torch
import torch_xla


def main(args):
    if args.seed is not None:
        torch.manual_seed(args.seed)
        torch_xla.manual_seed(args.seed)
        print("seeded")
