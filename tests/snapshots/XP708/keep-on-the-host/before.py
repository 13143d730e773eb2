import torch
from torch import nn

device = torch.device("cuda")
model = torch.jit.script(nn.Linear(4, 2).to(device))
archive = torch.jit.load("scripted.pt", map_location="cpu")
model.load_state_dict(archive.state_dict())
