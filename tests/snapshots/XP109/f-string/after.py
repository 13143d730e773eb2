import torch

x = torch.zeros(3)
print(f"on the GPU: {x.is_xla}")
