import torch


def eps(x):
    return 1e-4 if x.dtype == torch.float16 else 1e-8


x = torch.ones(3, device="cuda")
print(x / (x.norm() + eps(x)))
