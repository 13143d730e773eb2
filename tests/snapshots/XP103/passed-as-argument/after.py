import torch
import torch_xla


def sample(n, where):
    return torch.randn(n, device=where)


sample(3, "xla")
sample(3, where="xla")
sample(3, "cpu")
