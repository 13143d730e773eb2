import torch
import torch_xla

from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
model.load_state_dict(torch.jit.load("model.pt", map_location="cpu").state_dict())
print(model(torch.ones(4, 8).to(device)).shape)
