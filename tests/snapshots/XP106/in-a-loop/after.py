import torch
import torch_xla


def main(seeds):
    for seed in seeds:
        torch.manual_seed(seed)
        torch_xla.manual_seed(seed)
