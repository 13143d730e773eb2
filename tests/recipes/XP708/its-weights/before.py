import torch
import torch_xla

from torch import nn

device = torch_xla.device()
model = torch.jit.load("model.pt", map_location="cpu")
model.to(device)
print(model(torch.ones(4, 8).to(device)).shape)
