import torch


def main(args):
    if args.device.startswith("gpu"):
        assert torch.cuda.is_available(), "no GPU"
    return args
