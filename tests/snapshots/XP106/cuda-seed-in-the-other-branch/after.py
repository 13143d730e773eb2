import torch
import torch_xla


def main(cuda, seed):
    if cuda:
        torch_xla.manual_seed(seed)
    else:
        torch.manual_seed(seed)
        torch_xla.manual_seed(seed)
