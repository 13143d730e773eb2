import torch

print(f"{torch.device('cuda')=}")
