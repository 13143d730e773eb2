import torch
import torch_xla


def main(net):
    return net.to(torch_xla.device(), torch.bfloat16, non_blocking=True)
