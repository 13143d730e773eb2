import torch
import torch_xla


def main(x):
    torch.manual_seed(0)
    torch_xla.manual_seed(0)
    x = torch.dropout(x, 0.5, True)
    torch_xla.manual_seed(0)
