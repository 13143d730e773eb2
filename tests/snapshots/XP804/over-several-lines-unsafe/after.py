import torch

a = torch.nn.LayerNorm(
    64,  # width
    eps=1e-6,
)
b = torch.nn.RMSNorm(64, eps=1e-6)
print(f"{torch.nn.LayerNorm(64)}")
