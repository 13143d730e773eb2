import torch
import torch_xla


def main(args):
    device = torch.device("cpu")
    x = torch.zeros(3).to(torch_xla.device())
    return x, device
