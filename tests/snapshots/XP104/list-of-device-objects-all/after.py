import torch
import torch_xla

for device in [torch.device("cpu")] + [torch_xla.device()]:
    print(torch.zeros(1, device=device))
