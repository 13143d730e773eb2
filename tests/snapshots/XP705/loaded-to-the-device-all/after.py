import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 2).to(device)
latents = torch.load("latents.pt", map_location="cpu")
image = model(latents)
