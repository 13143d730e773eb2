import torch

print(torch.Tensor([1.0]))
