import torch


def seed(s):
    torch.manual_seed(s)


torch.cuda.manual_seed(1)
