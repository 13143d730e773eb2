import torch
import torch_xla


def main(seed):
    torch.manual_seed(seed)
    seed = seed + 1
    torch_xla.manual_seed(seed)
