import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 2).to(device)
latents = torch.load("latents.pt", map_location=device)
image = model(latents)
