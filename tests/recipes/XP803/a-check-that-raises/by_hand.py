import torch
import torch_xla


def normed(x):
    return torch.nn.functional.batch_norm(x, None, None, training=True)


print(normed(torch.arange(6.0).view(3, 2).to(torch_xla.device())).sum().item())
