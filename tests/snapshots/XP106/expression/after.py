import torch
import torch_xla


def main(args, rank):
    torch.manual_seed(args.seed + rank * 10)
    torch_xla.manual_seed(args.seed + rank * 10)
    torch.manual_seed(int(args.seed))
    torch_xla.manual_seed(int(args.seed))
