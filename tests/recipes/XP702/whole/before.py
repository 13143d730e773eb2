import torch
import torch_xla

from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
torch.save(model, "model.pt")
print(torch.load("model.pt", map_location="cpu", weights_only=False).weight.shape)
