import torch


def main(seed):
    torch.manual_seed(seed)
    seed = seed + 1
    torch.cuda.manual_seed(seed)
