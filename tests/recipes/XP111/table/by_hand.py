import torch
import torch_xla

DTYPES = {"cuda": torch.bfloat16, "xla": torch.bfloat16, "cpu": torch.float32}


def dtype(kind):
    return DTYPES[kind]


x = torch.ones(3).to(torch_xla.device())
print(x.to(dtype(x.device.type)).sum().item())
