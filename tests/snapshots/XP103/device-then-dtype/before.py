import torch


def main(net):
    return net.to("cuda", torch.bfloat16, non_blocking=True)
