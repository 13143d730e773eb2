import torch
import torch_xla


def seed(s):
    torch.manual_seed(s)
    torch_xla.manual_seed(s)
