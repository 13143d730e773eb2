import torch
import torch_xla


def pick():
    return "xla"


x = torch.zeros(3).to(pick())
