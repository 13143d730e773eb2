import torch

g = torch.Generator()
h = torch.Generator("cpu")
i = torch.Generator(device=torch.device("cpu"))
