import torch_xla


def main(args):
    device = torch_xla.device()
    return device
