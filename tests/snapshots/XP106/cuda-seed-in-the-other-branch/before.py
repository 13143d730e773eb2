import torch


def main(cuda, seed):
    if cuda:
        torch.cuda.manual_seed(seed)
    else:
        torch.manual_seed(seed)
